// Reads site rules from JSON files; errors name the line of the mistake.

#include "expect/site_rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/digits.h"
#include "text/lower_case.h"
#include "text/phrases.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::size_t max_rules = 1000;
constexpr std::size_t max_pattern = 1000;  // In bytes.
constexpr std::int64_t pattern_memory = std::int64_t{1} << 20;
constexpr std::int64_t set_memory = std::int64_t{16} << 20;

constexpr std::array<std::string_view, 10> keys{"id",  "name",    "severity", "title",    "explanation",
                                                "fix", "message", "level",    "at_least", "when"};
constexpr std::array<std::pair<std::string_view, Severity>, 3> severities{
    {{"error", Severity::error}, {"warning", Severity::warning}, {"info", Severity::info}}};
constexpr std::array<std::pair<std::string_view, Level>, 4> levels{
    {{"warn", Level::warn}, {"info", Level::info}, {"attn", Level::attn}, {"error", Level::error}}};

RE2::Options options_with(std::int64_t memory) {
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(memory);
  return options;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// Whether `id` has the form of a rule id: `ACME1`, `SITE-042`.
bool is_id(std::string_view id) {
  const std::size_t end = id.find_last_not_of("0123456789");
  if (end == std::string_view::npos || end + 1 == id.size() || id.size() - end - 1 > 9) return false;
  std::string_view word = id.substr(0, end + 1);
  if (word.ends_with('-')) word.remove_suffix(1);
  return word.size() >= 2 && word.size() <= 16 && is_upper(word.front()) &&
         std::all_of(word.begin(), word.end(), [](char c) { return is_upper(c) || is_digit(c); });
}

/// Whether `name` has the form of a rule name in `kebab-case`.
bool is_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name.front() == '-' || name.back() == '-') return false;
  return contains(name, "--")
             ? false
             : std::all_of(name.begin(), name.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

template <class Words>
std::string words_of(const Words& words) {
  return joined_by(words, [](const auto& row) { return row.first; });
}

/// Reads one rule of a rule file into `into`.
class RuleReader {
 public:
  RuleReader(const LocatedJson& json, SiteRule& into) : json_(json), into_(into) {}

  std::optional<FileError> read() {
    if (json_.kind != LocatedJson::Kind::object) {
      fail(json_.line, concat("a rule is an object, not ", kind_name(json_.kind)));
      return error_;
    }
    for (const LocatedJson& value : json_.items)
      if (std::find(keys.begin(), keys.end(), value.key) == keys.end())
        fail(value.line, concat("a rule has no \"", excerpt(value.key, 40), "\"; it has ", joined(keys)));
    read_words();
    read_pattern();
    if (const LocatedJson* const when = json_.find("when")) {
      SiteConditions read = read_site_conditions(*when);
      into_.conditions = std::move(read.conditions);
      if (read.error) fail(read.error->line, std::move(read.error->what));
    }
    if (json_.find("message") == nullptr && json_.find("when") == nullptr)
      fail(json_.line, "the rule has neither \"message\" nor \"when\": nothing would ever fit it");
    into_.words = {.title = into_.title, .explanation = into_.explanation, .fix = into_.fix};
    into_.info = {.id = into_.id,
                  .name = into_.name,
                  .severity = severity_,
                  .provisional = into_.message == nullptr,
                  .words = &into_.words};
    return error_;
  }

 private:
  /// Keeps the first error only.
  void fail(std::size_t line, std::string what) {
    if (!error_) error_ = FileError{line, std::move(what)};
  }

  /// Returns the member `key` if it is a non-empty string, else nullptr. Any other value is an error, and so is a
  /// missing member if `required`.
  const LocatedJson* text(std::string_view key, bool required) {
    const LocatedJson* const value = json_.find(key);
    if (value == nullptr && required) fail(json_.line, concat("the rule has no \"", key, "\""));
    if (value == nullptr) return nullptr;
    if (value->kind == LocatedJson::Kind::text && !value->text.empty()) return value;
    fail(value->line, concat("\"", key, "\" is a text that is not empty"));
    return nullptr;
  }

  template <class Words, class Value>
  void read_word(std::string_view key, bool required, const Words& words, Value& into) {
    const LocatedJson* const value = text(key, required);
    if (value == nullptr) return;
    const auto found =
        std::find_if(words.begin(), words.end(), [&](const auto& word) { return word.first == value->text; });
    if (found == words.end())
      fail(value->line,
           concat("\"", key, "\" is one of ", words_of(words), ", not \"", excerpt(value->text, 40), "\""));
    else
      into = found->second;
  }

  void read_words() {
    if (const LocatedJson* const id = text("id", true)) {
      into_.id = id->text;
      if (!is_id(id->text) || id->text.starts_with("NCA"))
        fail(id->line, concat("\"", excerpt(id->text, 40),
                              "\" is no id of a site: capital letters and a number, such as ACME1; NCA is taken"));
    }
    if (const LocatedJson* const name = text("name", true)) {
      into_.name = name->text;
      if (!is_name(name->text))
        fail(name->line,
             concat("\"", excerpt(name->text, 40), "\" is no name: small letters, digits and single hyphens"));
      else if (find_rule(name->text) != nullptr)
        fail(name->line, concat("\"", name->text, "\" is the name of a built-in rule; take another"));
    }
    read_word("severity", true, severities, severity_);
    if (const LocatedJson* const title = text("title", true)) into_.title = title->text;
    if (const LocatedJson* const explanation = text("explanation", false)) into_.explanation = explanation->text;
    if (const LocatedJson* const fix = text("fix", false)) into_.fix = fix->text;
  }

  void read_pattern() {
    read_word("level", false, levels, into_.level);
    if (const LocatedJson* const count = json_.find("at_least")) {
      if (!count->integer || *count->integer < 1)
        fail(count->line, "\"at_least\" is a whole number from 1 on");
      else
        into_.at_least = static_cast<std::uint64_t>(*count->integer);
    }
    const LocatedJson* const pattern = text("message", false);
    for (const std::string_view key : {"level", "at_least"})
      if (pattern == nullptr && json_.find(key) != nullptr)
        fail(json_.find(key)->line, concat("\"", key, "\" goes with \"message\""));
    if (pattern == nullptr) return;
    if (pattern->text.size() > max_pattern)
      return fail(pattern->line, concat("the pattern is longer than ", max_pattern, " bytes"));
    into_.message = std::make_unique<RE2>(pattern->text, options_with(pattern_memory));
    if (!into_.message->ok())
      return fail(pattern->line, concat("\"message\" is no RE2 pattern: ", into_.message->error()));
    if (RE2::FullMatch("", *into_.message)) fail(pattern->line, "the pattern fits every line, the empty one too");
  }

  const LocatedJson& json_;
  SiteRule& into_;
  Severity severity_ = Severity::warning;
  std::optional<FileError> error_;
};

std::optional<FileError> read_rules(const LocatedJson& root, std::vector<std::unique_ptr<SiteRule>>& into) {
  const LocatedJson* list = nullptr;
  if (root.kind == LocatedJson::Kind::object && root.items.size() == 1) list = root.find("rules");
  if (list == nullptr || list->kind != LocatedJson::Kind::array)
    return FileError{root.line, "a file of rules is {\"rules\": [...]}"};
  for (const LocatedJson& item : list->items) {
    if (into.size() == max_rules) return FileError{item.line, concat("more than ", max_rules, " rules")};
    auto rule = std::make_unique<SiteRule>();
    if (auto error = RuleReader(item, *rule).read()) return error;
    for (const auto& other : into)
      if (other->id == rule->id || other->name == rule->name)
        return FileError{item.line, concat("another rule has the id ", rule->id, " or the name ", rule->name)};
    into.push_back(std::move(rule));
  }
  return std::nullopt;
}

/// Compiles all patterns into one automaton; nullptr if it needs more memory than allowed.
std::unique_ptr<RE2::Set> make_set(const std::vector<const SiteRule*>& patterns) {
  auto set = std::make_unique<RE2::Set>(options_with(set_memory), RE2::UNANCHORED);
  for (const SiteRule* rule : patterns)
    if (set->Add(rule->message->pattern(), nullptr) < 0) return nullptr;
  return set->Compile() ? std::move(set) : nullptr;
}

}  // namespace

SiteRules::SiteRules() : impl_(std::make_unique<Impl>()) {}
SiteRules::SiteRules(SiteRules&&) noexcept = default;
SiteRules& SiteRules::operator=(SiteRules&&) noexcept = default;
SiteRules::~SiteRules() = default;

std::string SiteRules::add(std::string_view path, std::string_view json) {
  const LocatedDocument document = parse_located_json(json);
  if (document.error) return error_text(path, *document.error);
  const std::size_t before = impl_->rules.size();
  std::optional<FileError> error = read_rules(document.root, impl_->rules);
  std::vector<const SiteRule*> patterns;
  for (const auto& rule : impl_->rules)
    if (rule->message != nullptr) patterns.push_back(rule.get());
  std::unique_ptr<RE2::Set> set;
  if (!error && !patterns.empty()) {
    set = make_set(patterns);
    if (set == nullptr) error = FileError{1, "the patterns together need more than 16 MiB; make them simpler"};
  }
  if (error) {
    impl_->rules.resize(before);
    return error_text(path, *error);
  }
  impl_->patterns = std::move(patterns);
  impl_->set = std::move(set);
  return {};
}

std::vector<const RuleInfo*> SiteRules::infos() const {
  std::vector<const RuleInfo*> infos;
  for (const auto& rule : impl_->rules) infos.push_back(&rule->info);
  return infos;
}

bool SiteRules::empty() const { return impl_->rules.empty(); }

}  // namespace nccl_analyze
