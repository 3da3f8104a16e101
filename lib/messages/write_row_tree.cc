// A program that the build runs. It writes the rows of known_formats.tsv and the tree of all rows as C++ constants, so
// that programs need not parse the file or build the tree when they start.

#include <array>
#include <deque>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "messages/families.h"
#include "messages/row_tree.h"

namespace nccl_analyze {
namespace {

/// A line of known_formats.tsv.
struct KnownFormat {
  enum Column : std::size_t { wording, since, until, level, topic, columns };
  std::array<std::string, columns> cells;
  bool is_warning() const { return cells[level] == "warn"; }
  Row row() const {
    return is_warning() ? known_row<Warned>(cells[wording], cells[since], cells[until], cells[topic], end())
                        : known_row<Noted>(cells[wording], cells[since], cells[until], cells[topic], end());
  }
  RowEnd end() const { return detail::end_of(cells[wording], {}); }
};

/// Reads known_formats.tsv. The result is a deque, because rows have views of the formats, which must not move.
std::deque<KnownFormat> read_known_formats(std::istream& in, std::vector<std::string>& errors) {
  std::deque<KnownFormat> formats;
  std::string line;
  std::getline(in, line);  // skips the header
  while (std::getline(in, line)) {
    KnownFormat& format = formats.emplace_back();
    std::size_t from = 0, count = 0;
    while (from <= line.size()) {
      const std::size_t to = std::min(line.find('\t', from), line.size());
      if (count < format.cells.size()) format.cells[count] = line.substr(from, to - from);
      ++count;
      from = to + 1;
    }
    const bool has_level = format.is_warning() || format.cells[KnownFormat::level] == "note";
    if (count == KnownFormat::columns && has_level) continue;
    errors.push_back("not five columns, or the level is neither note nor warn: " + line);
    formats.pop_back();
  }
  if (formats.empty()) errors.emplace_back("known_formats.tsv cannot be read or is empty");
  return formats;
}

void write_string(std::string_view text) {
  std::cout << '"';
  for (const char c : text) std::cout << (c == '"' || c == '\\' ? "\\" : "") << c;
  std::cout << '"';
}

void write_known_rows(const std::deque<KnownFormat>& formats) {
  std::cout << "constexpr Row known_rows[] = {\n";
  for (const KnownFormat& format : formats) {
    std::cout << "known_row<" << (format.is_warning() ? "Warned" : "Noted") << ">(";
    for (const auto column : {KnownFormat::wording, KnownFormat::since, KnownFormat::until}) {
      write_string(format.cells[column]);
      std::cout << ',';
    }
    write_string(format.cells[KnownFormat::topic]);
    std::cout << ",RowEnd{" << static_cast<int>(format.end()) << "}),\n";
  }
  std::cout << "};\n";
}

/// Writes an array with 16 items per line.
template <class Items, class Print>
void write_array(std::string_view declaration, const Items& items, Print&& print) {
  std::cout << "constexpr " << declaration << "[] = {";
  std::size_t column = 0;
  for (const auto& item : items) {
    std::cout << (column++ % 16 == 0 ? "\n" : "");
    print(item);
    std::cout << ',';
  }
  std::cout << "\n};\n";
}

void write_numbers(std::string_view declaration, const auto& items) {
  write_array(declaration, items, [](auto number) { std::cout << +number; });
}

void write_text(RowTree::Text text) { std::cout << '{' << text.at << ',' << text.size << '}'; }

void write_tree(const CompiledRows& rows) {
  write_array("RowTree::Node nodes", rows.nodes, [](const RowTree::Node& node) {
    std::cout << '{';
    write_text(node.text);
    std::cout << ',';
    write_text(node.after);
    std::cout << ",Shape{" << static_cast<int>(node.shape) << "}," << node.has_several << ',' << node.leaf << ','
              << node.only << ',' << node.literals << ',' << node.holes << ',' << node.children << ',' << node.table
              << '}';
  });
  write_numbers("std::uint16_t children", rows.children);
  write_numbers("std::uint16_t tables", rows.tables);
  write_numbers("std::uint16_t lists", rows.lists);
  write_numbers("std::uint8_t classes", rows.classes);
  write_array("RowTree::Choice choices", rows.choices, [](const RowTree::Choice& choice) {
    std::cout << '{' << choice.value << "u," << choice.mask << "u,";
    write_text(choice.text);
    std::cout << ',' << choice.others << '}';
  });
  write_array("RowTree::Leaf leaves", rows.leaves, [](const RowTree::Leaf& leaf) {
    std::cout << '{' << leaf.family << ',' << leaf.row << ',' << leaf.bindings << ',' << +leaf.bound << ",RowEnd{"
              << static_cast<int>(leaf.end) << "}}";
  });
  write_array("RowTree::Binding bindings", rows.bindings, [](const RowTree::Binding& binding) {
    std::cout << '{' << +binding.capture << ',' << +binding.field << '}';
  });
  write_numbers("char words", rows.words);
  std::cout << "constexpr RowTree tree = {nodes, children, tables, lists, classes, " << rows.width
            << ", choices, leaves, bindings, {words, sizeof words}};\n}\n"
            << "const Family known_family{\"known formats\", known_rows};\n"
            << "const RowTree& standard_row_tree() { return tree; }\n}\n";
}

int run(const char* known_formats) {
  std::ifstream in(known_formats, std::ios::binary);
  std::vector<std::string> errors;
  const std::deque<KnownFormat> formats = read_known_formats(in, errors);
  std::vector<Row> known;
  for (const KnownFormat& format : formats) known.push_back(format.row());
  const std::span<const Family> facts = fact_families();
  std::vector<Family> families(facts.begin(), facts.end());
  families.push_back({"known formats", known});
  const CompiledRows rows = compile_rows(families);
  errors.insert(errors.end(), rows.errors.begin(), rows.errors.end());
  for (const std::string& error : errors) std::cerr << "lib/messages: " << error << '\n';
  if (!errors.empty()) return 1;
  std::cout << "// Written by write_row_tree.cc.\n#include \"messages/families.h\"\n#include \"messages/row_tree.h\"\n"
            << "namespace nccl_analyze {\nnamespace {\n";
  write_known_rows(formats);
  write_tree(rows);
  std::cout.flush();
  return std::cout ? 0 : 1;
}

}  // namespace
}  // namespace nccl_analyze

int main(int count, char** arguments) {
  if (count == 2) return nccl_analyze::run(arguments[1]);
  std::cerr << "usage: write_row_tree known_formats.tsv\n";
  return 1;
}
