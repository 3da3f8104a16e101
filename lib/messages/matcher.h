#pragma once
// Compiles the rows into one prefix tree and recognises messages with it. Immutable after construction.

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/row.h"

namespace nccl_analyze {

class Matcher {
 public:
  /// Rows that cannot be compiled are listed by errors() and left out.
  explicit Matcher(std::span<const Family> families);

  /// Recognises a whole message and fills `event`; Unrecognized when no row fits. Time is linear in the message for
  /// each of a bounded number of rows; nothing is allocated.
  const Row* match(std::string_view message, Event& event) const;

  /// Whether `message` is what a row prints, cut short: it ends inside the row's words or a value. Free text
  /// that is cut can hardly be told from other words: its first word counts, after many words of the row.
  bool is_beginning(std::string_view message) const;

  const std::vector<std::string>& errors() const { return errors_; }

 private:
  static constexpr std::size_t max_captures = 24;
  static constexpr std::uint32_t none = 0xffffffff;

  struct Op {
    bool literal = true;
    Shape shape = Shape::text;
    std::string_view text;   ///< Literal; alternatives `A|B`; what stands before an optional number; a flag's literal.
    std::string_view after;  ///< What stands after an optional number.
    friend bool operator==(const Op&, const Op&) = default;
  };
  /// Captures by position on the path, and whom they fill.
  struct Binding {
    std::uint8_t capture;
    void (*set)(void*, const Capture&);
  };
  struct Leaf {
    const Row* row;
    std::vector<Binding> bindings;
  };
  struct First {
    std::bitset<256> bytes;
    bool may_be_empty = false;
  };
  struct Node {
    Op op;
    std::uint32_t leaf = none;
    std::vector<std::uint32_t> literals;  ///< Children that begin with a literal, first bytes all different,
                                          ///< except below text, where whole literals are kept.
    std::vector<std::uint32_t> holes;     ///< In the order of Shape: narrow before wide.
    First first;                          ///< Of what stands here, what may follow included.
    std::uint32_t by_byte = none;         ///< Into tables_: the literal child that begins with a byte.
  };
  struct Parsed;
  struct State;

  bool parse(const Row& row, Parsed& parsed);
  static std::string_view parse_hole(std::string_view text, const Row& row, Parsed& parsed);
  static First first_of(const Op& op);
  void insert(const Parsed& parsed, const Row& row);
  std::uint32_t insert_literal(std::uint32_t parent, std::string_view text);
  std::uint32_t add_node(std::uint32_t parent, const Op& op);
  void find_first_bytes(std::uint32_t node);
  void make_tables();
  const Leaf* try_word(const Node& node, const char* at, std::size_t captures, State& state) const;
  const Leaf* walk(std::uint32_t node, const char* at, std::size_t captures, State& state) const;
  const Leaf* walk_each(const Node& node, std::uint32_t literal, const char* at, std::size_t captures,
                        State& state) const;
  std::uint32_t literal_child(const Node& node, const char* at, const char* end) const;
  static bool can_begin(const First& first, const char* at, const char* end);
  const Leaf* try_hole(std::uint32_t node, const char* at, std::size_t captures, State& state) const;
  bool ends_within(std::uint32_t node, std::string_view rest, std::size_t literal_bytes) const;
  bool ends_within_text(std::uint32_t node, std::string_view rest, std::size_t literal_bytes) const;
  bool ends_within_value(std::uint32_t node, std::string_view rest, std::size_t literal_bytes) const;

  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  using Table = std::array<std::uint32_t, 256>;
  std::vector<Table> tables_;                               ///< Of words, and of nodes with many literal children.
  std::array<std::vector<std::uint32_t>, 256> root_holes_;  ///< By first byte, narrow before wide.
  std::vector<std::string> errors_;
};

/// The matcher of all_families(), built on first use and shared by all parsers.
const Matcher& standard_matcher();

}  // namespace nccl_analyze
