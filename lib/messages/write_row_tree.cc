// Runs while the library is built: writes the tree of all rows as C++, so that no program has to build it.

#include <cstdio>
#include <iostream>
#include <string>

#include "messages/row_tree.h"

namespace nccl_analyze {
namespace {

/// Items of an array, some on a line.
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
  std::cout
      << "// Written by write_row_tree.cc.\n#include \"messages/row_tree.h\"\nnamespace nccl_analyze {\nnamespace {\n";
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
    std::cout << '{' << leaf.family << ',' << leaf.row << ',' << leaf.bindings << ',' << +leaf.bound << '}';
  });
  write_array("RowTree::Binding bindings", rows.bindings, [](const RowTree::Binding& binding) {
    std::cout << '{' << +binding.capture << ',' << +binding.field << '}';
  });
  write_numbers("char words", rows.words);
  std::cout << "constexpr RowTree tree = {nodes, children, tables, lists, classes, " << rows.width
            << ", choices, leaves, bindings, {words, sizeof words}};\n}\n"
            << "const RowTree& standard_row_tree() { return tree; }\n}\n";
}

}  // namespace
}  // namespace nccl_analyze

int main() {
  const nccl_analyze::CompiledRows rows = nccl_analyze::compile_rows(nccl_analyze::all_families());
  for (const std::string& error : rows.errors) std::cerr << "lib/messages: " << error << '\n';
  if (!rows.errors.empty()) return 1;
  nccl_analyze::write_tree(rows);
  std::cout.flush();
  return std::cout ? 0 : 1;
}
