// Runs the opcodes of a pickle that make data. PyTorch's C++ code writes no others for its flight recorder
// (torch/csrc/jit/serialization/pickler.cpp without tags of types), and neither does Python for such content.

#include "evidence/pickle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "evidence/json_parse.h"
#include "evidence/pickle_values.h"
#include "text/escape.h"
#include "text/message_text.h"

namespace nccl_analyze::evidence {

namespace {

/// Limit for values, references to values, numbered values and marks together, without what is left out.
constexpr std::size_t max_pickled = std::size_t{1} << 22;
constexpr std::size_t max_pickled_text = std::size_t{1} << 20;  // bytes

/// Why an opcode is refused.
constexpr std::string_view is_code = "which names or calls code of Python, and only data is read";
constexpr std::string_view is_outside = "which stands for data outside of the file";
constexpr std::string_view is_old = "which belongs to the protocols 0 and 1, and 2 to 5 are read";
constexpr std::string_view is_needless = "which no dump of the flight recorder has";

struct RefusedOpcode {
  unsigned char code;
  std::string_view name, words;
};
constexpr std::array<RefusedOpcode, 36> refused_opcodes{{
    {'c', "GLOBAL", is_code},
    {0x93, "STACK_GLOBAL", is_code},
    {'R', "REDUCE", is_code},
    {'b', "BUILD", is_code},
    {'i', "INST", is_code},
    {'o', "OBJ", is_code},
    {0x81, "NEWOBJ", is_code},
    {0x92, "NEWOBJ_EX", is_code},
    {0x82, "EXT1", is_code},
    {0x83, "EXT2", is_code},
    {0x84, "EXT4", is_code},
    {'P', "PERSID", is_outside},
    {'Q', "BINPERSID", is_outside},
    {0x97, "NEXT_BUFFER", is_outside},
    {0x98, "READONLY_BUFFER", is_outside},
    {'I', "INT", is_old},
    {'L', "LONG", is_old},
    {'F', "FLOAT", is_old},
    {'S', "STRING", is_old},
    {'T', "BINSTRING", is_old},
    {'U', "SHORT_BINSTRING", is_old},
    {'V', "UNICODE", is_old},
    {'g', "GET", is_old},
    {'p', "PUT", is_old},
    {'d', "DICT", is_old},
    {'l', "LIST", is_old},
    {'B', "BINBYTES", is_needless},
    {'C', "SHORT_BINBYTES", is_needless},
    {0x8e, "BINBYTES8", is_needless},
    {0x96, "BYTEARRAY8", is_needless},
    {0x8f, "EMPTY_SET", is_needless},
    {0x90, "ADDITEMS", is_needless},
    {0x91, "FROZENSET", is_needless},
    {'0', "POP", is_needless},
    {'1', "POP_MARK", is_needless},
    {'2', "DUP", is_needless},
}};

/// The stack, the memo and the values of a pickle, and what its opcodes do to them.
class Unpickler {
 public:
  explicit Unpickler(std::string_view bytes) : bytes_(bytes) {}

  /// Returns the next opcode; nullopt at the end of the pickle, or after an error.
  std::optional<unsigned char> next() {
    opcode_at_ = at_;
    if (stopped_ || !wrong_.empty()) return std::nullopt;
    const std::string_view byte = take(1);
    return byte.empty() ? std::nullopt : std::optional(static_cast<unsigned char>(byte.front()));
  }

  PickledJson result() {
    PickledJson found{.json = {}, .size = at_, .wrong = std::move(wrong_), .is_too_large = is_too_large_};
    if (found.wrong.empty()) found.wrong = write_pickled(values_, stack_.back(), found.json, found.is_too_large);
    if (!found.wrong.empty()) found.json.clear();
    return found;
  }

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) {
      if (wrong_.empty()) wrong_ = "its pickle is cut off";
      return {};
    }
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += taken.size();
    return taken;
  }

  /// Returns a number whose first byte is the lowest; 0 if the bytes end before it does.
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char c : take(size)) {
      value |= std::uint64_t{static_cast<unsigned char>(c)} << static_cast<unsigned>(shift);
      shift += 8;
    }
    return value;
  }

  std::int64_t signed_number(std::size_t size, bool has_sign) {
    const std::uint64_t value = number(size);
    const auto unused = static_cast<unsigned>(64 - 8 * size);
    if (!has_sign || size == 0) return static_cast<std::int64_t>(value);
    return static_cast<std::int64_t>(value << unused) >> unused;
  }

  bool count() {
    if (++count_ > max_pickled) fail_as_large("its pickle has more than 4 million values");
    return wrong_.empty();
  }

  /// Pushes a value. Of what is left out only texts are kept, because other members may use the same text.
  void push(PickledValue value) {
    if (is_leaving_out() && !std::holds_alternative<std::string_view>(value)) return put(nothing);
    if (!count()) return;
    values_.push_back(std::move(value));
    put(static_cast<PickledRef>(values_.size() - 1));
  }

  void push_text(std::uint64_t size) {
    if (size > max_pickled_text) return fail("its pickle has a text of more than 1 MiB");
    push(take(size));
  }

  void push_long(std::uint64_t size) {
    if (size > 8) return fail("its pickle has a number of more than 64 bits");
    push(signed_number(static_cast<std::size_t>(size), true));
  }

  void push_real() {
    std::uint64_t bits = 0;
    for (const char c : take(8)) bits = bits << 8U | static_cast<unsigned char>(c);
    push(std::bit_cast<double>(bits));
  }

  void mark() {
    if (is_leaving_out() && marks_.size() - marks_before_ > max_marks_left_out)
      return fail("its pickle has values in values of more than 16 levels");
    if (!is_leaving_out() && is_unread_member()) marks_before_ = marks_.size();
    if (is_leaving_out() || count()) marks_.push_back(stack_.size());
  }

  std::vector<PickledRef> pop(std::size_t size) {
    if (is_leaving_out()) return {};
    const std::size_t below = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() - below < size) {
      fail_as_damaged();
      return {};
    }
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(size);
    std::vector<PickledRef> popped(first, stack_.end());
    stack_.erase(first, stack_.end());
    return popped;
  }

  std::vector<PickledRef> pop_to_mark() {
    if (marks_.empty()) fail_as_damaged();
    if (!wrong_.empty()) return {};
    std::vector<PickledRef> popped = pop(stack_.size() - marks_.back());
    stack_.resize(marks_.back());  // what is left out was not popped
    marks_.pop_back();
    if (marks_.size() <= marks_before_) marks_before_ = none;
    return popped;
  }

  /// Adds elements to the list, or keys and values to the dictionary, on top of the stack.
  template <class Container>
  void add_to(const std::vector<PickledRef>& items) {
    if (is_leaving_out()) return;
    const bool is_even = std::is_same_v<Container, PickledList> || items.size() % 2 == 0;
    const bool has_top = stack_.size() > (marks_.empty() ? 0 : marks_.back());
    auto* const container = has_top ? std::get_if<Container>(&values_[stack_.back()]) : nullptr;
    if (container == nullptr || !is_even) return fail_as_damaged();
    container->items.insert(container->items.end(), items.begin(), items.end());
  }

  /// Gives the value on top of the stack a number. Writers count these numbers from 0.
  void remember(std::uint64_t place) {
    if (place > memo_.size() || stack_.empty()) return fail_as_damaged();
    if (!count()) return;
    if (place == memo_.size()) memo_.push_back(stack_.back());
    memo_[static_cast<std::size_t>(place)] = stack_.back();
  }

  void remember_next() { remember(memo_.size()); }

  void recall(std::uint64_t place) {
    if (place >= memo_.size()) return fail_as_damaged();
    if (is_leaving_out() || count()) put(memo_[static_cast<std::size_t>(place)]);
  }

  void check_protocol() {
    const std::uint64_t protocol = number(1);
    if (wrong_.empty() && (protocol < 2 || protocol > 5)) fail(concat("its pickle has protocol ", protocol));
  }

  void stop() {
    stopped_ = true;
    if (stack_.size() != 1 || !marks_.empty()) fail_as_damaged();
  }

  void fail(std::string_view what, std::string_view why = {}) {
    if (wrong_.empty()) wrong_ = concat(what, " at byte ", opcode_at_, why);
  }

 private:
  void fail_as_damaged() { fail("its pickle is damaged"); }
  void fail_as_large(std::string_view what) {
    is_too_large_ = is_too_large_ || wrong_.empty();
    fail(what);
  }

  bool is_leaving_out() const { return marks_before_ != none; }

  /// Whether the value on top of the stack is a member of a dictionary that no reader reads, such as frames: those of
  /// 20,000 operations are millions of values.
  bool is_unread_member() const {
    const std::size_t first = marks_.empty() ? 0 : marks_.back();
    const std::size_t items = stack_.size() - first;
    if (first == 0 || items == 0 || items % 2 != 0) return false;
    const auto* const key = std::get_if<std::string_view>(&values_[stack_[stack_.size() - 2]]);
    return key != nullptr && std::holds_alternative<PickledObject>(values_[stack_[first - 1]]) &&
           std::ranges::find(unread_members(), *key) != unread_members().end();
  }

  /// Puts a value on the stack. What is left out needs the last value only, which may get a number.
  void put(PickledRef value) {
    if (is_leaving_out() && stack_.size() > marks_.back())
      stack_.back() = value;
    else
      stack_.push_back(value);
  }

  static constexpr PickledRef nothing = 0;  ///< None, which stands for what is left out.
  static constexpr std::size_t none = std::string_view::npos;
  static constexpr std::size_t max_marks_left_out = 16;

  std::string_view bytes_;
  std::size_t at_ = 0, opcode_at_ = 0;
  std::size_t count_ = 0;
  std::vector<PickledValue> values_{PickledValue()};
  std::vector<PickledRef> stack_, memo_;
  std::vector<std::size_t> marks_;   ///< The sizes of the stack at the open marks.
  std::size_t marks_before_ = none;  ///< The number of open marks before those in a member that is left out.
  bool stopped_ = false, is_too_large_ = false;
  std::string wrong_;
};

using RunOpcode = void (*)(Unpickler&);
struct DataOpcode {
  unsigned char code;
  RunOpcode run;
};
constexpr DataOpcode data_opcodes[] = {
    {0x80, [](Unpickler& to) { to.check_protocol(); }},
    {0x95, [](Unpickler& to) { to.take(8); }},  // the size of a frame, whose opcodes follow
    {'.', [](Unpickler& to) { to.stop(); }},
    {'(', [](Unpickler& to) { to.mark(); }},
    {'N', [](Unpickler& to) { to.push(PickledValue()); }},
    {0x88, [](Unpickler& to) { to.push(true); }},
    {0x89, [](Unpickler& to) { to.push(false); }},
    {'K', [](Unpickler& to) { to.push(to.signed_number(1, false)); }},
    {'M', [](Unpickler& to) { to.push(to.signed_number(2, false)); }},
    {'J', [](Unpickler& to) { to.push(to.signed_number(4, true)); }},
    {0x8a, [](Unpickler& to) { to.push_long(to.number(1)); }},
    {0x8b, [](Unpickler& to) { to.push_long(to.number(4)); }},
    {'G', [](Unpickler& to) { to.push_real(); }},
    {0x8c, [](Unpickler& to) { to.push_text(to.number(1)); }},
    {'X', [](Unpickler& to) { to.push_text(to.number(4)); }},
    {0x8d, [](Unpickler& to) { to.push_text(to.number(8)); }},
    {']', [](Unpickler& to) { to.push(PickledList()); }},
    {')', [](Unpickler& to) { to.push(PickledList()); }},
    {'}', [](Unpickler& to) { to.push(PickledObject()); }},
    {0x85, [](Unpickler& to) { to.push(PickledList{to.pop(1)}); }},
    {0x86, [](Unpickler& to) { to.push(PickledList{to.pop(2)}); }},
    {0x87, [](Unpickler& to) { to.push(PickledList{to.pop(3)}); }},
    {'t', [](Unpickler& to) { to.push(PickledList{to.pop_to_mark()}); }},
    {'a', [](Unpickler& to) { to.add_to<PickledList>(to.pop(1)); }},
    {'e', [](Unpickler& to) { to.add_to<PickledList>(to.pop_to_mark()); }},
    {'s', [](Unpickler& to) { to.add_to<PickledObject>(to.pop(2)); }},
    {'u', [](Unpickler& to) { to.add_to<PickledObject>(to.pop_to_mark()); }},
    {'q', [](Unpickler& to) { to.remember(to.number(1)); }},
    {'r', [](Unpickler& to) { to.remember(to.number(4)); }},
    {0x94, [](Unpickler& to) { to.remember_next(); }},
    {'h', [](Unpickler& to) { to.recall(to.number(1)); }},
    {'j', [](Unpickler& to) { to.recall(to.number(4)); }},
};

/// The function that runs each opcode; null for an opcode that is refused.
constexpr std::array<RunOpcode, 256> opcode_runs = [] {
  std::array<RunOpcode, 256> all{};
  for (const DataOpcode& opcode : data_opcodes) all[opcode.code] = opcode.run;
  return all;
}();

void refuse_opcode(unsigned char code, Unpickler& pickle) {
  const auto* const known = std::ranges::find(refused_opcodes, code, &RefusedOpcode::code);
  if (known == refused_opcodes.end())
    return pickle.fail(concat("its pickle has 0x", to_hex(code)), ", which is no opcode");
  pickle.fail(concat("its pickle has ", known->name), concat(", ", known->words));
}

}  // namespace

bool may_be_pickle(std::string_view head) {
  return !head.empty() && head[0] == '\x80' && (head.size() == 1 || (head[1] >= '\x02' && head[1] <= '\x05'));
}

bool is_flight_recorder_pickle(std::string_view head) {
  head = head.substr(0, pickle_head_size);
  const auto holds = [head](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return head.size() > 2 && may_be_pickle(head) && (holds("pg_config") || holds("collective_seq_id"));
}

PickledJson json_of_pickle(std::string_view bytes) {
  if (bytes.size() > max_pickle_size)
    return {.json = {}, .size = 0, .wrong = "it is a pickle of more than 64 MiB", .is_too_large = true};
  Unpickler pickle(bytes);
  while (const std::optional<unsigned char> code = pickle.next())
    if (const RunOpcode run = opcode_runs[*code]; run != nullptr)
      run(pickle);
    else
      refuse_opcode(*code, pickle);
  return pickle.result();
}

}  // namespace nccl_analyze::evidence
