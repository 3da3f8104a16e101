// A program that the build runs to turn the documents of the rules (lib/rules/*/ncaNNN.md) into the table of rules in
// C++: `write_rules FILE...`. CONTRIBUTING.md describes the documents.

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rules/words/condition_phrases.h"
#include "rules/words/front_words.h"

namespace {

using Words = std::span<const std::string_view>;

/// A key of the front of a document.
struct FrontKey {
  std::string_view name;
  Words values = {};  ///< The values that it may have; empty: names of rules.
  enum { optional, needed, list } kind = optional;
};
constexpr std::array<std::string_view, 2> yes_no = {"yes", "no"};
/// In the order of RuleInfo's members, whose names they have. `judges_rest` tells a Rule::check_rest from a
/// Rule::check.
constexpr std::array<FrontKey, 8> front_keys = {{{"name", {}, FrontKey::needed},
                                                 {"severity", nccl_analyze::severity_words, FrontKey::needed},
                                                 {"stage", nccl_analyze::stage_words, FrontKey::needed},
                                                 {"check", nccl_analyze::check_words, FrontKey::list},
                                                 {"explained_by", {}, FrontKey::list},
                                                 {"only_if_unexplained", yes_no},
                                                 {"provisional", yes_no},
                                                 {"judges_rest", yes_no}}};

/// A value of the front.
struct Value {
  int line = 0;
  std::string text = {};
};

/// The keys of the lines `- key: value` below a list item, in the order of StepText's members.
constexpr std::array<std::string_view, 6> keys = {"run", "if", "unless", "first", "see", "otherwise"};

/// Returns the index of the key; keys.size() if the word is no key.
std::size_t index_of(std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
}

struct Item {
  std::string text;
  std::array<std::string, keys.size()> values;
  const std::string& value(std::string_view key) const { return values.at(index_of(key)); }
};

/// A row of the table: two cells.
struct Row {
  std::string key, text;
};

struct Document {
  std::string path;
  std::map<std::string_view, Value> front = {};
  std::string title = {}, explanation = {};
  std::vector<Item> titles = {}, steps = {};
  std::vector<Row> table = {};

  std::string_view value(std::string_view key) const {
    const auto found = front.find(key);
    return found == front.end() ? std::string_view{} : found->second.text;
  }
  /// `NCA301`
  std::string id() const { return "NCA" + name_space().substr(3); }
  /// `nca301`
  std::string name_space() const {
    const std::size_t name = path.find_last_of('/') + 1;
    return path.substr(name, path.find_last_of('.') - name);
  }
};

std::string trimmed(std::string text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n'; };
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  text.erase(text.begin(), std::ranges::find_if_not(text, is_blank));
  return text;
}

/// Reads the front up to the line that ends it. A line that begins with blanks goes on with the value above.
void read_front(std::istream& in, int& number, Document& document) {
  Value* last = nullptr;
  std::string line;
  for (++number; std::getline(in, line) && line != "---"; ++number) {
    if (line.starts_with("  ") && last != nullptr) {
      last->text.append(" ").append(trimmed(line));
      continue;
    }
    const std::size_t colon = std::min(line.find(':'), line.size());
    const auto key = std::ranges::find(front_keys, std::string_view(line).substr(0, colon), &FrontKey::name);
    if (key == front_keys.end() || colon == line.size())
      throw std::runtime_error("no `key: value` of the front: " + line);
    last = &document.front[key->name];
    if (last->line > 0) throw std::runtime_error("twice the same key: " + line);
    *last = {number, trimmed(line.substr(colon + 1))};
  }
  if (line != "---") throw std::runtime_error("the line `---` after the front is missing");
}

std::string without_ticks(const std::string& text) {
  return text.size() > 1 && text.front() == '`' && text.back() == '`' ? text.substr(1, text.size() - 2) : text;
}

/// Splits `ranks, progress`.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    words.push_back(trimmed(std::string(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Reads a line of the table, `| key, key | text |`. The first two, its head, are taken for rows too.
void read_row(const std::string& line, std::vector<Row>& rows) {
  if (trimmed(line).empty()) return;
  const std::size_t bar = line.find(" | ");
  if (!line.starts_with("| ") || !line.ends_with(" |") || bar == std::string::npos || bar + 4 >= line.size() ||
      line.find(" | ", bar + 1) != std::string::npos)
    throw std::runtime_error("not a row of two cells: " + line);
  for (const std::string& word : words_of(line.substr(2, bar - 2))) {
    const std::string key = without_ticks(word);
    if (std::ranges::find(rows, key, &Row::key) != rows.end()) throw std::runtime_error("twice the same key: " + line);
    rows.push_back({key, line.substr(bar + 3, line.size() - bar - 5)});
  }
}

/// Reads the line `  - key: value` into the item. Returns false for any other line. Throws if the item already has the
/// key.
bool read_value(const std::string& line, Item& item) {
  if (!line.starts_with("  - ")) return false;
  const std::size_t colon = line.find(": ");
  const std::size_t key = index_of(line.substr(4, colon == std::string::npos ? 0 : colon - 4));
  if (key == keys.size()) return false;
  const std::string value = without_ticks(trimmed(line.substr(colon + 2)));
  std::string& place = item.values.at(key);
  if (!place.empty()) throw std::runtime_error("twice the same key: " + line);
  place = value;
  return true;
}

void read_list_line(const std::string& line, std::vector<Item>& items) {
  if (line.starts_with("- ")) {
    items.push_back({line.substr(2), {}});
  } else if (!trimmed(line).empty()) {
    if (items.empty() || !line.starts_with("  ")) throw std::runtime_error("not a line of an item: " + line);
    if (!read_value(line, items.back())) items.back().text.append("\n").append(line.substr(2));
  } else if (!items.empty()) {
    items.back().text.append("\n");
  }
}

void read_lines(std::istream& in, int& number, Document& document) {
  constexpr std::array<std::string_view, 3> parts = {"Titles", "Steps", "Table"};
  std::string part;
  for (std::string line; ++number, std::getline(in, line);) {
    if (number == 1) {
      if (line != "---") throw std::runtime_error("the document does not begin with a front between lines `---`");
      read_front(in, number, document);
    } else if (line.starts_with("# ") && document.title.empty()) {
      document.title = line.substr(2);
    } else if (line.starts_with("## ")) {
      part = line.substr(3);
      if (std::ranges::find(parts, part) == parts.end()) throw std::runtime_error("unknown part: " + line);
    } else if (part.empty()) {
      document.explanation.append(line).append("\n");
    } else if (part == "Table") {
      read_row(line, document.table);
    } else {
      read_list_line(line, part == "Titles" ? document.titles : document.steps);
    }
  }
  document.table.erase(document.table.begin(),
                       document.table.begin() + std::min<std::ptrdiff_t>(2, std::ssize(document.table)));
  document.explanation = trimmed(document.explanation);
  for (std::vector<Item>* items : {&document.titles, &document.steps})
    for (Item& item : *items) item.text = trimmed(item.text);
  if (document.title.empty() || document.explanation.empty() || document.steps.empty())
    throw std::runtime_error("a title, an explanation or the steps are missing");
}

std::runtime_error fault(const Document& document, int line, const std::string& text) {
  return std::runtime_error(document.path + ":" + std::to_string(line) + ": " + text);
}

Document read(const std::string& path) {
  Document document{path};
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read");
  int line = 0;
  try {
    read_lines(in, line, document);
  } catch (const std::exception& error) {
    throw fault(document, line, error.what());
  }
  return document;
}

/// Throws if a value of the key is none that it may have.
void check(const Document& document, const FrontKey& key, const Value& value, const std::set<std::string_view>& names) {
  const std::vector<std::string> words =
      key.kind == FrontKey::list ? words_of(value.text) : std::vector<std::string>{value.text};
  for (const std::string& word : words) {
    if (key.values.empty() ? names.contains(word) : std::ranges::count(key.values, word) > 0) continue;
    std::string text = std::string(key.name) + ": `" + word + "` is ";
    text += key.values.empty() ? "the name of no rule" : "none of";
    for (const std::string_view allowed : key.values) text.append(" ").append(allowed);
    throw fault(document, value.line, text);
  }
}

/// Throws if the front of a document lacks a key or has a wrong value, or two rules have one name.
void check_fronts(const std::vector<Document>& documents) {
  std::set<std::string_view> names;
  for (const Document& document : documents)
    if (const std::string_view name = document.value("name"); !name.empty() && !names.insert(name).second)
      throw fault(document, document.front.at("name").line, "another rule has this name: " + std::string(name));
  for (const Document& document : documents) {
    for (const FrontKey& key : front_keys)
      if (key.kind == FrontKey::needed && document.value(key.name).empty())
        throw fault(document, 1, "the front has no value of `" + std::string(key.name) + "`");
    for (const FrontKey& key : front_keys)
      if (const auto found = document.front.find(key.name); found != document.front.end())
        check(document, key, found->second, names);
  }
}

/// Replaces placeholders for readers without a log: `{iface|eth0}` by the example `eth0`, `{peer}` by `PEER`.
std::string without_placeholders(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    const std::string_view name = end == std::string_view::npos ? "" : text.substr(at + 1, end - at - 1);
    const std::size_t bar = name.find('|');
    const std::string_view value = name.substr(0, std::min(bar, name.size()));
    if (value.empty() || !std::ranges::all_of(value, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; })) {
      out += text[at++];
      continue;
    }
    if (bar != std::string_view::npos)
      out += name.substr(bar + 1);
    else
      for (const char c : value) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    at = end + 1;
  }
  return out;
}

/// Returns a text such as `*If on AWS; unless over EFA:* `; empty for a step without conditions.
std::string conditions_in_words(const Item& step) {
  using nccl_analyze::condition_in_words;
  std::string text;
  if (!step.value("if").empty()) text = "If " + condition_in_words(step.value("if"));
  if (!step.value("unless").empty())
    text += (text.empty() ? "Unless " : "; unless ") + condition_in_words(step.value("unless"));
  if (!step.value("otherwise").empty()) text += text.empty() ? "If no other step fits" : ", and no other step fits";
  return text.empty() ? text : "*" + text + ":* ";
}

/// Returns the steps as a numbered Markdown list, each with its conditions, command and reference.
std::string fix_of(const Document& document) {
  std::string fix;
  for (std::size_t i = 0; i < document.steps.size(); ++i) {
    const Item& step = document.steps[i];
    const std::string number = std::to_string(i + 1) + ". ", indent(number.size(), ' ');
    std::string text = conditions_in_words(step) + step.text;
    const std::string command = without_placeholders(step.value("run"));
    if (!command.empty()) text += "\n\n```\n" + command + "\n```";
    if (!step.value("see").empty()) text += "\n(" + step.value("see") + ")";
    fix += (i == 0 ? "" : "\n") + number;
    for (const char c : without_placeholders(text)) {
      fix += c;
      if (c == '\n') fix += indent;
    }
  }
  return fix;
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      out.append("\\").append(1, c);
    else
      out += c;
  }
  return out + "\"";
}

/// Writes the words of a rule.
void write_words(std::ostream& out, const Document& document) {
  if (!document.titles.empty()) {
    out << "constexpr TitleText titles[] = {\n";
    for (const Item& title : document.titles)
      out << "    {" << literal(title.text) << ", " << literal(title.value("if")) << "},\n";
    out << "};\n";
  }
  out << "constexpr StepText steps[] = {\n";
  for (const Item& step : document.steps) {
    out << "    {" << literal(step.text);
    for (const std::string& value : step.values) out << ", " << literal(value);
    out << "},\n";
  }
  out << "};\nconstexpr RuleWords words{" << literal(document.title) << ",\n    " << literal(document.explanation)
      << ",\n    " << literal(fix_of(document)) << ",\n    " << (document.titles.empty() ? "{}" : "titles")
      << ", steps};\n";
}

void write_table(std::ostream& out, const Document& document) {
  if (document.table.empty()) return;
  out << "constexpr TableRow table[] = {\n";
  for (const Row& row : document.table) out << "    {" << literal(row.key) << ", " << literal(row.text) << "},\n";
  out << "};\n";
}

/// Writes a rule, whose function `check` its own file defines.
void write(std::ostream& out, const Document& document) {
  const bool judges_rest = document.value("judges_rest") == "yes";
  out << "\nnamespace " << document.name_space() << " {\nRuleResult check(const Model&"
      << (judges_rest ? ", const std::vector<bool>& claimed" : "") << ");\nnamespace {\n";
  write_words(out, document);
  write_table(out, document);
  std::string checks, causes;
  for (const std::string& word : words_of(document.value("check"))) checks.append(checks.empty() ? "" : " ") += word;
  for (const std::string& word : words_of(document.value("explained_by"))) causes += literal(word) + ", ";
  if (!causes.empty()) out << "constexpr std::string_view causes[] = {" << causes << "};\n";
  out << "constexpr Rule rule{{.id = \"" << document.id() << "\", .name = " << literal(document.value("name"))
      << ", .severity = Severity::" << document.value("severity") << ", .stage = Stage::" << document.value("stage")
      << ", .check = " << literal(checks) << ", .explained_by = " << (causes.empty() ? "{}" : "causes")
      << std::boolalpha << ", .only_if_unexplained = " << (document.value("only_if_unexplained") == "yes")
      << ", .provisional = " << (document.value("provisional") == "yes") << ", .words = &words}, "
      << (judges_rest ? "{}, check" : "check") << "};\n}  // namespace\n}  // namespace " << document.name_space()
      << "\n";
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<Document> documents;
  try {
    for (int i = 1; i < count; ++i) documents.push_back(read(arguments[i]));
    check_fronts(documents);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  std::ranges::sort(documents, {}, &Document::name_space);
  std::cout << "// Written by write_rules from the documents of the rules.\n\n#include \"nccl_analyze/rule.h\"\n"
               "#include \"rules/words/table.h\"\n\n"
               "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace nccl_analyze {\n";
  for (const Document& document : documents) write(std::cout, document);
  std::cout << "\nnamespace {\nconstexpr const Rule* built_in_rules[] = {";
  for (const Document& document : documents) std::cout << "&" << document.name_space() << "::rule, ";
  std::cout << "};\n}  // namespace\n\nstd::span<const Rule* const> all_rules() { return built_in_rules; }\n\n"
               "std::span<const TableRow> table_of(std::string_view rule) {\n";
  for (const Document& document : documents)
    if (!document.table.empty())
      std::cout << "  if (rule == \"" << document.id() << "\") return " << document.name_space() << "::table;\n";
  std::cout << "  return {};\n}\n\n"
               "}  // namespace nccl_analyze\n";
  return 0;
}
