// Tests the match tree, the compiled rows and the message cache against an oracle: each wording as a regular expression
// (RE2).

#include <re2/re2.h>

#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>

#include "catch.h"
#include "messages/message_cache.h"
#include "messages/row_syntax.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/report.h"
#include "row_example.h"

namespace nccl_analyze {
namespace {

std::string quoted(std::string_view text) { return RE2::QuoteMeta(re2::StringPiece(text.data(), text.size())); }

std::string pattern_of(const Op& op, const Op* next) {
  switch (op.shape) {
    case Shape::literal:
      return quoted(op.text);
    case Shape::choice: {
      std::string words;
      for (std::size_t from = 0; from <= op.text.size();) {
        const std::size_t bar = std::min(op.text.find('|', from), op.text.size());
        words += (from == 0 ? "(?:" : "|") + quoted(op.text.substr(from, bar - from));
        from = bar + 1;
      }
      return words + ")";
    }
    case Shape::flag:
      return "(?:" + quoted(op.text) + ")?";
    case Shape::optional_int:
      return "(?:" + quoted(op.text) + "-?[0-9]{1,10}" + quoted(op.after) + ")?";
    case Shape::int32:
      return " *-?[0-9]{1,10}";
    case Shape::int64:
      return " *-?[0-9]{1,18}";
    case Shape::real:
      return " *-?[0-9]+(?:\\.[0-9]*)?(?:e[+-][0-9]+)?";
    case Shape::hex:
      return "(?:(?:0x)?[0-9a-fA-F]{1,16}|0x[0-9a-fA-F]{0,16}[.xX*]{2,}|\\(nil\\))";
    case Shape::blank:
      return " *";
    case Shape::ranks:
      return "[0-9 ]+(?:\\.\\.\\.)?";
    case Shape::trees:
      return "[][0-9/>|. -]+";
    case Shape::word:
      return next == nullptr ? "[^ ]+"
                             : "[^ \\x{" + std::string{"0123456789abcdef"[next->text[0] >> 4 & 15]} +
                                   "0123456789abcdef"[next->text[0] & 15] + "}]*";
    case Shape::text:
      return ".*";
  }
  return {};
}

/// The row's wording as a regular expression. If `exact`, the row reads every message that the expression matches.
struct Pattern {
  explicit Pattern(const Row& row) : parsed(parse_row(row.wording, row.kind->fields)) {
    std::string text;
    for (unsigned chosen = 0; chosen < 1U << parsed.parts; ++chosen)
      text += (chosen == 0 ? "" : "|") + add(with_parts(parsed, chosen));
    RE2::Options options(RE2::Latin1);
    options.set_dot_nl(true);
    expression = std::make_unique<RE2>(text, options);
    REQUIRE(expression->ok());
  }

  std::string add(const ParsedRow& steps) {
    std::string text;
    for (std::size_t i = 0; i < steps.count; ++i) {
      const Op& op = steps.ops[i];
      const bool last = i + 1 == steps.count;
      text += pattern_of(op, last ? nullptr : &steps.ops[i + 1]);
      // The row matches these steps greedily or up to the first literal, whereas the expression may match less or more.
      const bool greedy = op.shape == Shape::ranks || op.shape == Shape::trees || op.shape == Shape::flag ||
                          op.shape == Shape::optional_int || op.shape == Shape::choice || op.shape == Shape::real ||
                          op.shape == Shape::blank;
      exact = exact && (!greedy || last) && (op.shape != Shape::text || last) && op.shape != Shape::int32 &&
              op.shape != Shape::ranks && op.shape != Shape::trees;
    }
    return text;
  }
  bool fits(std::string_view message) const {
    return RE2::FullMatch(re2::StringPiece(message.data(), message.size()), *expression);
  }
  ParsedRow parsed;
  std::unique_ptr<RE2> expression;
  bool exact = true;
};

/// Returns the message with a few bytes removed, repeated, cut off or replaced.
std::string changed(std::string text, std::minstd_rand& random) {
  constexpr std::string_view bytes = " 0199af-:[]/().,xX\"\t";
  for (auto left = 1 + random() % 2; left > 0 && !text.empty(); --left) {
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
      case 0:
        text.erase(at, 1 + random() % 3);
        break;
      case 1:
        text.insert(at, text.substr(at, 1 + random() % 4));
        break;
      case 2:
        text.resize(at);
        break;
      default:
        text[at] = bytes[random() % bytes.size()];
    }
  }
  return text;
}

std::string told(const Row* row, const Event& event) {
  std::ostringstream out;
  Record record;
  record.event = event;
  write_event(out, record);
  return out.str() + (row == nullptr ? std::string() : std::string(row->wording));
}

}  // namespace

TEST_CASE("rows: a message is read by a row whose wording fits as an expression, or by none where none fits") {
  std::map<const Row*, Pattern> patterns;
  const auto pattern = [&](const Row& row) -> const Pattern& { return patterns.try_emplace(&row, row).first->second; };
  std::minstd_rand random(11);
  MessageCache cache(standard_matcher());
  std::size_t read = 0, unread = 0;
  for (const Family& family : all_families()) {
    for (const Row& row : family.rows) {
      const std::vector<std::string> examples = examples_of(row);
      for (std::size_t round = 0; round < 3 + examples.size(); ++round) {
        const std::string& example = examples[round % examples.size()];
        const std::string message = round < examples.size() ? example : changed(example, random);
        INFO(message);
        Event event, quick;
        const Row* const found = standard_matcher().match(message, event);
        if (found != nullptr) {
          ++read;
          INFO(found->wording);
          CHECK(pattern(*found).fits(message));
        } else {
          ++unread;
          CHECK_FALSE((pattern(row).exact && pattern(row).fits(message)));
        }
        const Row* const recognized = cache.match(message, quick).row;
        CHECK(told(recognized, quick) == told(found, event));
      }
    }
  }
  CHECK(read > 2500);  // More than just the examples.
  CHECK(unread > 2500);
}

}  // namespace nccl_analyze
