// A program that the build runs to turn the documents of the rules (lib/rules/*/ncaNNN.md) into C++ tables:
// `write_rule_words FILE...`. CONTRIBUTING.md describes the documents.

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rules/words/condition_phrases.h"

namespace {

/// The keys of the lines `- key: value` below a list item, in the order of StepText's members.
constexpr std::array<std::string_view, 5> keys = {"run", "if", "unless", "first", "see"};

/// Returns the index of the key; keys.size() if the word is no key.
std::size_t index_of(std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
}

struct Item {
  std::string text;
  std::array<std::string, keys.size()> values;
  const std::string& value(std::string_view key) const { return values.at(index_of(key)); }
};

struct Document {
  std::string title, explanation;
  std::vector<Item> titles, steps;
};

std::string trimmed(std::string text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n'; };
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  text.erase(text.begin(), std::ranges::find_if_not(text, is_blank));
  return text;
}

/// Reads the line `  - key: value` into the item. Returns false for any other line. Throws if the item already has the
/// key.
bool read_value(const std::string& line, Item& item) {
  if (!line.starts_with("  - ")) return false;
  const std::size_t colon = line.find(": ");
  const std::size_t key = index_of(line.substr(4, colon == std::string::npos ? 0 : colon - 4));
  if (key == keys.size()) return false;
  std::string value = trimmed(line.substr(colon + 2));
  if (value.size() > 1 && value.front() == '`' && value.back() == '`') value = value.substr(1, value.size() - 2);
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

Document read(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot be read");
  Document document;
  std::vector<Item>* list = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# ") && document.title.empty()) {
      document.title = line.substr(2);
    } else if (line == "## Titles") {
      list = &document.titles;
    } else if (line == "## Steps") {
      list = &document.steps;
    } else if (line.starts_with("## ")) {
      throw std::runtime_error("unknown part: " + line);
    } else if (list != nullptr) {
      read_list_line(line, *list);
    } else {
      document.explanation.append(line).append("\n");
    }
  }
  document.explanation = trimmed(document.explanation);
  for (std::vector<Item>* items : {&document.titles, &document.steps})
    for (Item& item : *items) item.text = trimmed(item.text);
  if (document.title.empty() || document.explanation.empty() || document.steps.empty())
    throw std::runtime_error("a title, an explanation or the steps are missing");
  return document;
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

void write(std::ostream& out, std::string_view name, const Document& document) {
  out << "\nnamespace " << name << " {\n";
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
  out << "};\nextern constinit const RuleWords words{" << literal(document.title) << ",\n    "
      << literal(document.explanation) << ",\n    " << literal(fix_of(document)) << ",\n    "
      << (document.titles.empty() ? "{}" : "titles") << ", steps};\n}  // namespace " << name << "\n";
}

}  // namespace

int main(int count, char** arguments) {
  std::cout << "// Written by write_rule_words from the documents of the rules.\n\n#include \"nccl_analyze/rule.h\"\n\n"
               "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace nccl_analyze {\n";
  for (int i = 1; i < count; ++i) {
    const std::string path = arguments[i];
    const std::size_t slash = path.find_last_of('/') + 1;
    try {
      write(std::cout, path.substr(slash, path.find_last_of('.') - slash), read(path));
    } catch (const std::exception& error) {
      std::cerr << path << ": " << error.what() << "\n";
      return 1;
    }
  }
  std::cout << "\n}  // namespace nccl_analyze\n";
  return 0;
}
