// Reads an incomplete command line as CLI11 would, and takes the words that may come next from the table of options.

#include "cli/completion.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string_view>
#include <utility>

#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {
namespace {

using Candidates = std::vector<Candidate>;

void add_rule_words(Candidates& to) {
  for (const RuleFamily& family : rule_families) to.push_back({std::string(family.prefix), std::string(family.about)});
  for (const Rule* rule : all_rules()) to.push_back({std::string(rule->info.id), std::string(rule->info.name)});
  for (const Rule* rule : all_rules())
    to.push_back({std::string(rule->info.name), std::string(rule->info.words->title)});
}

void add_profile_names(Candidates& to) {
  for (Profile& profile : builtin_profiles()) to.push_back({std::move(profile.name), std::move(profile.about)});
}

/// Adds the keys of expectations, each with the comparison sign of its form if it has one: `ranks=`, `version>=`,
/// `gdr`.
void add_expectations(Candidates& to) {
  for (const ExpectationKey& key : expectation_keys()) {
    std::string word(key.form);
    if (const std::size_t sign = word.find_last_of("=<>"); sign != std::string::npos) word.resize(sign + 1);
    to.push_back({std::move(word), std::string(key.about)});
  }
}

/// A kind of value, and the function that adds its candidates.
struct ValueSource {
  std::string_view kind;
  void (*add)(Candidates&);
};
constexpr std::array<ValueSource, 3> value_sources{
    {{"RULE", add_rule_words}, {"PROFILE", add_profile_names}, {"EXPECTATION", add_expectations}}};
constexpr std::array<std::string_view, 2> file_kinds{"FILE", "PATH"};

/// Returns the completions of a value for `row` that begin with `begun`, the part that the user has typed. `before`:
/// the part of the word before the value, such as `--format=`.
Completion complete_value(const OptionRow& row, std::string before, std::string_view begun) {
  const std::size_t comma = row.list ? begun.rfind(',') : std::string_view::npos;
  if (comma != std::string_view::npos) {
    before += begun.substr(0, comma + 1);
    begun.remove_prefix(comma + 1);
  }
  Candidates all;
  for (const std::string& choice : row.choices) all.push_back({choice, ""});
  Completion completion;
  for (const std::string& kind : row.kinds) {
    for (const ValueSource& source : value_sources)
      if (source.kind == kind) source.add(all);
    completion.files = completion.files || std::ranges::find(file_kinds, kind) != file_kinds.end();
  }
  for (Candidate& one : all)
    if (one.word.starts_with(begun)) completion.candidates.push_back({before + one.word, std::move(one.about)});
  return completion;
}

/// Reads the words of the command line before the word that is completed.
class Reader {
 public:
  explicit Reader(const CommandTable& program) : command_(&program) {}

  void read(std::string_view word) {
    if (awaits_ != nullptr)
      awaits_ = nullptr;
    else if (word == "--")
      only_arguments_ = true;
    else if (!only_arguments_ && word.starts_with('-') && word.size() > 1)
      awaits_ = option(word);
    else if (const CommandTable* command = only_arguments_ ? nullptr : command_->find(word))
      enter(*command);
    else
      ++arguments_;
  }

  Completion complete(std::string_view word) const {
    if (awaits_ != nullptr) return complete_value(*awaits_, "", word);
    if (!only_arguments_ && word.starts_with("--"))
      if (const std::size_t sign = word.find('='); sign != std::string_view::npos) {
        const OptionRow* row = option(word.substr(0, sign));
        if (row == nullptr) return {};
        return complete_value(*row, std::string(word.substr(0, sign + 1)), word.substr(sign + 1));
      }
    if (!only_arguments_ && word.starts_with('-')) return complete_flag(word);
    return complete_argument(word);
  }

 private:
  void enter(const CommandTable& command) {
    command_ = &command;
    arguments_ = 0;
  }

  /// Returns the option that takes the word after `flag` as its value; null if there is none, as after `--format=json`
  /// and `-fjson`, which contain their value.
  const OptionRow* option(std::string_view flag) const {
    for (const OptionRow& row : command_->rows)
      if (row.takes_value() && std::ranges::find(row.flags, flag) != row.flags.end()) return &row;
    return nullptr;
  }

  Completion complete_flag(std::string_view word) const {
    Completion completion;
    for (const OptionRow& row : command_->rows)
      for (const std::string& flag : row.flags)
        if (flag.starts_with(word)) completion.candidates.push_back({flag, row.about});
    return completion;
  }

  Completion complete_argument(std::string_view word) const {
    Completion completion;
    std::size_t place = 0;
    for (const OptionRow& row : command_->rows) {
      if (row.positional.empty()) continue;
      if (place++ == arguments_ || row.repeated) completion = complete_value(row, "", word);
    }
    if (arguments_ == 0 && !only_arguments_)
      for (const CommandTable& one : command_->commands)
        if (one.name.starts_with(word)) completion.candidates.push_back({one.name, one.about});
    return completion;
  }

  const CommandTable* command_;
  const OptionRow* awaits_ = nullptr;  ///< The option whose value is the next word.
  std::size_t arguments_ = 0;          ///< Number of positional arguments so far.
  bool only_arguments_ = false;        ///< Whether `--` was read, after which every word is an argument.
};

}  // namespace

Completion complete(const CommandTable& program, std::span<const std::string> words) {
  if (words.empty()) return {};
  Reader reader(program);
  for (const std::string& word : words.first(words.size() - 1)) reader.read(word);
  return reader.complete(words.back());
}

void write_completion(std::ostream& out, const Completion& completion) {
  for (const Candidate& one : completion.candidates) out << one.word << '\t' << one.about << '\n';
  if (completion.files) out << ":files\n";
}

}  // namespace nccl_analyze
