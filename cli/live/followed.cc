// Lists the files again and again instead of asking the kernel for changes (inotify), because network file systems do
// not report these. Only files that have grown are opened, and the number of open files is limited.

#include "cli/live/followed.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "evidence/pickle.h"
#include "input/failure.h"
#include "input/foreign.h"
#include "input/own_output.h"
#include "input/unpack.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t block_size = std::size_t{256} << 10U;
/// A file that may be an incomplete copy is held back for at most this number of listings. The pauses between so many
/// listings take about five seconds or more.
constexpr int max_held_back = 20;

/// Returns the maximum number of open files. Files that do not grow need not be open, and few files grow at the same
/// time.
std::size_t most_open_files() {
  constexpr std::size_t least = 4, most = 256;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  return std::clamp(static_cast<std::size_t>(limit.rlim_cur / 4), least, most);
}

}  // namespace

FollowedInputs::FollowedInputs(std::vector<std::string> paths, const RecordSink& sink, Log& log)
    : paths_(std::move(paths)),
      sink_(sink),
      log_(log),
      buffer_(std::make_unique_for_overwrite<char[]>(block_size)),
      max_open_(most_open_files()) {
  const InputList list = list_growing_inputs(paths_);
  if (!list.failures.empty()) throw Failure(list.failures.front());
  const auto is_pipe = [&](const std::string& path) {
    return path == "-" ||
           std::ranges::any_of(list.inputs, [&](const Input& input) { return input.path == path && !input.file; });
  };
  lists_files_ = !std::ranges::all_of(paths_, is_pipe);
  note_all(list);
  for (const std::string& path : list.missing)
    message(&Log::info, "waiting for " + path + ", which does not exist yet");
  if (followed_.empty() && list.missing.empty()) message(&Log::info, "waiting for the first file in the folders named");
}

void FollowedInputs::list_files() { note_all(list_growing_inputs(paths_)); }

void FollowedInputs::note_all(const InputList& list) {
  ++look_number_;
  tell(list);
  by_content_.clear();
  for (const auto& one : followed_)
    if (one->tail.is_file()) by_content_.emplace(one->tail.content(), one.get());
  for (const Input& found : list.inputs) note(found);
  for (Followed* const one : open_files_)
    if (one->last_look != look_number_) one->tail.check_growth();
}

void FollowedInputs::note(const Input& found) {
  const auto known = by_path_.find(found.path);
  if (const auto content = found.file ? by_content_.find(*found.file) : by_content_.end();
      content != by_content_.end()) {
    Followed& one = *content->second;
    one.last_look = look_number_;
    return one.path == found.path ? one.tail.see(found) : one.tail.see_elsewhere(found);
  }
  if (known == by_path_.end()) {
    if (sink_.save == nullptr || !sink_.save->is(found.path)) add(found);
  } else if (known->second->tail.is_file() && found.file && is_rotated_copy(found.path) == Tail::Copy::no) {
    known->second->tail.see(found);
  }
}

void FollowedInputs::add(const Input& found) {
  Followed& one = *followed_.emplace_back(std::make_unique<Followed>(found));
  one.is_named = found.path == "-" || std::ranges::find(paths_, found.path) != paths_.end();
  one.is_new = look_number_ > 1;
  by_path_.emplace(found.path, &one);
}

void FollowedInputs::tell(const InputList& list) {
  for (const std::string& sentence : list.failures) message(&Log::error, sentence);
  for (const std::string& sentence : list.left_out) message(&Log::warn, sentence);
  for (const std::string& sentence : list.skipped) message(&Log::detail, sentence);
}

void FollowedInputs::message(void (Log::*level)(std::string_view), const std::string& sentence) {
  if (told_.insert(sentence).second) (log_.*level)(sentence);
}

void FollowedInputs::fail(ReadFailure failure) {
  message(&Log::error, failure);
  unreadable_.push_back(std::move(failure));
}

std::string FollowedInputs::name_of(const Followed& one) const {
  if (one.path != "-") return one.path;
  return sink_.save == nullptr ? "<stdin>" : sink_.save->name_of("<stdin>");
}

void FollowedInputs::add_polled(std::vector<pollfd>& polled) const {
  for (const auto& one : followed_)
    if (!one->ended && !one->tail.is_file()) polled.push_back({one->tail.descriptor(), POLLIN, 0});
}

bool FollowedInputs::open() const {
  return lists_files_ || std::ranges::any_of(followed_, [](const auto& one) { return !one->ended; });
}

bool FollowedInputs::is_ready(const Followed& one, std::span<const pollfd> polled) {
  if (one.ended) return false;
  if (one.tail.is_file()) return !one.skipped && one.tail.may_read();
  return std::ranges::any_of(
      polled, [&](const pollfd& answer) { return answer.fd == one.tail.descriptor() && answer.revents != 0; });
}

void FollowedInputs::read(std::span<const pollfd> polled) {
  busy_ = false;
  ++read_number_;
  for (const auto& one : followed_)
    if (is_ready(*one, polled) && !hold_back(*one)) read(*one);
}

void FollowedInputs::read(Followed& one) {
  const bool was_open = one.tail.descriptor() >= 0;
  if (!was_open) close_least_recent();
  const Tail::ReadResult got = one.tail.read(buffer_.get(), block_size);
  if (!was_open && one.tail.descriptor() >= 0) open_files_.push_back(&one);
  busy_ = busy_ || got.what == What::bytes || got.what == What::restarted;
  if (got.what == What::bytes) {
    one.last_read = read_number_;
    take(one, got.bytes);
  } else if (got.what == What::restarted && one.parser) {
    one.parser->finish();  // The bytes of the new file do not continue the last line of the old one.
  } else if (got.what == What::ended) {
    end(one, got.error);
  } else if (got.error != 0 && !std::exchange(one.failed, true)) {
    fail(read_failure("cannot open", one.path, got.error));
  }
}

void FollowedInputs::take(Followed& one, std::string_view bytes) {
  if (one.path == "-" && sink_.save != nullptr) sink_.save->add(bytes);
  if (one.skipped) return;
  if (!one.parser) {
    if (const std::string what = describe_non_log(one, bytes); !what.empty()) {
      ++passed_over_;
      one.skipped = true;
      return message(&Log::warn, name_of(one) + " is left out: it is " + what);
    }
    begin(one);
  }
  one.parser->feed(bytes);
}

void FollowedInputs::begin(Followed& one) {
  one.source = SourceId{sources_++};
  one.parser.emplace(one.source, [this](const Record& record) {
    ++records_;
    sink_.record(record);
  });
}

void FollowedInputs::end(Followed& one, int error) {
  if (error != 0) fail(read_failure("cannot read", name_of(one), error));
  if (one.parser) one.parser->finish();
  one.ended = true;
}

std::string FollowedInputs::describe_non_log(const Followed& one, std::string_view bytes) const {
  if (const std::string_view own = own_output(bytes).words; !own.empty()) return std::string(own);
  if (evidence::is_flight_recorder_pickle(bytes))
    return "a pickle of PyTorch's flight recorder, and --follow reads text";
  if (!looks_packed(bytes)) return std::string(describe_unsupported(bytes));
  if (!one.is_named) return "packed, and --follow reads text";
  throw Failure(name_of(one) + " is packed, and --follow reads text: unpack it on the way in, or leave --follow out");
}

bool FollowedInputs::hold_back(Followed& one) {
  if (one.parser || !one.is_new || !one.tail.is_file()) return false;
  const Tail::Copy copy = is_rotated_copy(one.path);
  if (copy == Tail::Copy::no) return false;
  if (copy == Tail::Copy::undecided) {
    if (std::exchange(one.held_back, look_number_) != look_number_) ++one.times_held_back;
    return one.times_held_back < max_held_back;
  }
  one.skipped = true;
  message(&Log::detail, one.path + " is left out: it is what another file held before it was rotated");
  return true;
}

Tail::Copy FollowedInputs::is_rotated_copy(const std::string& path) const {
  // The name of a rotated file begins with that of the log: train.log.1, train.log-20261124.
  for (std::size_t end = path.find_last_of(".-"); end != std::string::npos && end > 0;
       end = path.find_last_of(".-", end - 1)) {
    const auto log = by_path_.find(path.substr(0, end));
    if (log != by_path_.end() && log->second->tail.is_file()) return log->second->tail.is_copied_to(path);
  }
  return Tail::Copy::no;
}

void FollowedInputs::close_least_recent() {
  if (open_files_.size() < max_open_) return;
  const auto oldest = std::ranges::min_element(open_files_, {}, &Followed::last_read);
  (*oldest)->tail.close();
  open_files_.erase(oldest);
}

std::vector<OpenSource> FollowedInputs::so_far() const {
  std::vector<OpenSource> sources(sources_);
  for (const auto& one : followed_)
    if (one->parser)
      sources[static_cast<std::size_t>(one->source)] = {one->source, name_of(*one), &one->parser->stats()};
  return sources;
}

void FollowedInputs::finish() {
  for (const auto& one : followed_) {
    if (one->skipped) continue;
    if (!one->parser) begin(*one);  // a source without bytes
    if (!one->ended) one->parser->finish();
    one->ended = true;
  }
}

ReadCounts FollowedInputs::send_sources_to_sink() const {
  ReadCounts counts{.failures = unreadable_.size(), .unreadable = unreadable_, .skipped = passed_over_};
  for (const OpenSource& source : so_far()) {
    counts.nccl_lines += source.stats->nccl_lines;
    sink_.source_read(source.source, source.name, *source.stats);
    ++counts.sources;
  }
  return counts;
}

}  // namespace nccl_analyze
