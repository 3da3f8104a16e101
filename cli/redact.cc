// Reads all inputs twice: gathers the names first, and then writes each log with stand-ins.

#include "cli/redact.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "cli/redacted_names.h"
#include "cli/rereadable_input.h"
#include "input/failure.h"
#include "input/foreign.h"
#include "input/inputs.h"
#include "input/own_output.h"
#include "input/protected_inputs.h"
#include "input/source.h"
#include "input/stand_in_table.h"
#include "redact/redaction.h"
#include "redact/vocabulary.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

namespace fs = std::filesystem;

/// What one pass over the sources does at the beginning, with the bytes and at the end of each source.
struct Pass {
  std::function<void(const std::string& name)> begin;
  std::function<void(std::string_view bytes)> bytes;
  std::function<void()> end;
};

class RedactRun {
 public:
  RedactRun(const Options& options, Log& log) : options_(options), log_(log), redaction_(options.keep_other) {}

  int run() {
    open_inputs();
    if (options_.map) read_.protect_from("--map", *options_.map);
    gather();
    if (sources_.empty()) return 2;
    if (options_.map) read_map();
    redaction_.choose();
    if (options_.output)
      write_files();
    else
      write_stream();
    if (options_.map) write_map();
    say_what_was_done();
    return failures_ == 0 ? 0 : 2;
  }

 private:
  void open_inputs() {
    const InputList list = list_inputs(options_.paths);
    read_.add(list, is_log);
    for (const std::string& sentence : list.skipped) log_.detail(sentence);
    for (const std::string& sentence : list.left_out) log_.warn(sentence);
    for (const std::string& sentence : list.failures) fail(sentence);
    for (const Input& input : list.inputs) inputs_.emplace_back(input, log_);
  }

  void fail(const std::string& sentence) {
    ++failures_;
    log_.error(sentence);
  }

  /// Gives every source that is a log to `pass`. Only the first pass reports sources that are no logs or cannot be
  /// read.
  void read_all(const Pass& pass, bool is_first) {
    for (const RereadableInput& input : inputs_) {
      std::string name;
      bool begun = false, skipped = false;
      const SourceSink sink{.begin =
                                [&](std::string_view source) {
                                  name = input.is_copy()
                                             ? input.name() + std::string(source.substr(input.input().path.size()))
                                             : std::string(source);
                                  begun = skipped = false;
                                },
                            .bytes =
                                [&](std::string_view bytes) {
                                  if (!begun) skipped = is_no_log(bytes, name, is_first);
                                  if (!begun && !skipped) pass.begin(name);
                                  begun = true;
                                  if (!skipped) pass.bytes(bytes);
                                  return true;
                                },
                            .end =
                                [&] {
                                  if (!begun) pass.begin(name);
                                  if (!skipped) pass.end();
                                },
                            .failed =
                                [&](const std::string& sentence) {
                                  if (is_first) fail(sentence);
                                },
                            .wait = [](int) { return true; }};
      read_input(input.input(), sink);
    }
  }

  bool is_no_log(std::string_view head, const std::string& name, bool tell) {
    const std::string_view own = own_output(head).words, foreign = describe_unsupported(head);
    const std::string_view what = own.empty() ? foreign : own;
    if (!what.empty() && tell) log_.warn(name + " is left out: it is " + std::string(what));
    return !what.empty();
  }

  void gather() {
    read_all({.begin =
                  [&](const std::string& name) {
                    sources_.push_back(name);
                    redaction_.begin(name);
                  },
              .bytes = [&](std::string_view bytes) { redaction_.survey(bytes); },
              .end = [&] { redaction_.end(); }},
             true);
    if (sources_.empty() && failures_ > 0) return;  // fail() has logged why.
    if (sources_.empty()) throw Failure("there is no log in the input to redact");
    if (sources_.size() > 1 && !options_.output)
      throw Failure("these are " + std::to_string(sources_.size()) + " logs: name a folder for them with -o DIR");
  }

  void write_stream() {
    Output output;
    const auto out = [&](std::string_view bytes) { output.stream() << bytes; };
    read_all({.begin = [&](const std::string&) { redaction_.begin_rewriting(); },
              .bytes = [&](std::string_view bytes) { redaction_.rewrite(bytes, out); },
              .end = [&] { redaction_.end_rewriting(out); }},
             false);
    output.commit();
  }

  void write_files() {
    const fs::path folder = *options_.output;
    const std::vector<std::string> names =
        redacted_names(sources_, [&](std::string_view part) { return redaction_.rewritten_name(part); });
    check_places(folder, names);
    std::optional<Output> output;
    std::size_t next = 0;
    const auto out = [&](std::string_view bytes) { output->stream() << bytes; };
    read_all({.begin =
                  [&](const std::string&) {
                    const fs::path path = folder / names.at(next++);
                    make_folder(path.parent_path());
                    output.emplace(path.string(), read_);
                    redaction_.begin_rewriting();
                  },
              .bytes = [&](std::string_view bytes) { redaction_.rewrite(bytes, out); },
              .end =
                  [&] {
                    redaction_.end_rewriting(out);
                    output->commit();
                  }},
             false);
  }

  static void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Failure(describe("cannot make the folder", folder.string(), error.value()) + "; name another one");
  }

  /// Before anything is written, refuses an output that would replace an input, and a table of stand-ins in the folder
  /// that is to be shared.
  void check_places(const fs::path& folder, const std::vector<std::string>& names) const {
    for (const std::string& name : names) read_.protect_from("-o", (folder / name).string());
    if (!options_.map) return;
    std::error_code error;
    const fs::path table = fs::weakly_canonical(*options_.map, error), below = fs::weakly_canonical(folder, error);
    if (std::mismatch(below.begin(), below.end(), table.begin(), table.end()).first == below.end())
      throw Failure("--map " + *options_.map + " stands in the folder that is to be shared; name a file elsewhere");
  }

  /// Reads the table of an earlier run if there is one. Throws Failure if the file is anything else, so that it is not
  /// overwritten.
  void read_map() {
    std::ifstream file(*options_.map, std::ios::binary);
    const std::string table{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!table.empty() && !read_stand_ins(table, redaction_))
      throw Failure("--map " + *options_.map + " is no table of stand-ins; name another file");
  }

  void write_map() {
    Output output(options_.map, read_, "--map", true);
    output.stream() << table_of_stand_ins(redaction_);
    output.commit();
  }

  void say_what_was_done() const {
    std::map<std::string_view, std::size_t> counts;
    for (const redact::StandIn& row : redaction_.stand_ins()) ++counts[row.kind];
    std::string replaced;
    for (const auto& [kind, count] : counts) {
      if (kind == "file") continue;
      const std::string_view plural = kind.ends_with('s') || kind.ends_with('x') ? "es" : "s";
      append_item(replaced, concat(count, " ", kind));
      if (count != 1) replaced.append(plural);
    }
    log_.info("replaced: " + (replaced.empty() ? "nothing, no name and no address was found" : replaced));
    const redact::LineCounts& lines = redaction_.counts();
    log_.info(std::to_string(lines.kept) + " lines kept, " + std::to_string(lines.dropped) +
              " lines of other programs dropped" + (options_.keep_other ? "" : " (--keep-other keeps them)"));
    const std::vector<std::string> kept = redaction_.kept_words();
    if (!kept.empty())
      log_.info(std::to_string(kept.size()) + " words stay beside NCCL's own text and numbers: " + joined(kept));
    std::vector<std::string> common_words = redaction_.common_words();
    std::erase_if(common_words, [](const std::string& word) { return !redact::is_harmless_word(word); });
    const std::string common = joined(common_words);
    if (!common.empty()) log_.info("these names are also common words, which stay where they are no names: " + common);
    log_.info("look the result over before you share it");
  }

  const Options& options_;
  Log& log_;
  redact::Redaction redaction_;
  ProtectedInputs read_;
  std::vector<RereadableInput> inputs_;
  std::vector<std::string> sources_;
  std::size_t failures_ = 0;
};

}  // namespace

int run_redact(const Options& options, Log& log) { return RedactRun(options, log).run(); }

}  // namespace nccl_analyze
