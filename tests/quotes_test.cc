// Tests that every quote of a model is literal: for each case and each document of another tool, the text that a report
// shows for a line stands in that line, or begins there and goes on in the lines after it.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "catch.h"
#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/report.h"
#include "testdata.h"
#include "text/encoding.h"
#include "text/literal.h"

namespace nccl_analyze {
namespace {

/// Lines after the named one in which the further pieces of a quote may stand.
constexpr std::size_t lines_behind = 12;

/// The text without escape sequences, control characters and blanks.
std::string bare(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) == "\x1b[") {
      at += 2;
      while (at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) == 0) ++at;
    } else if (static_cast<unsigned char>(text[at]) > 0x20 && text[at] != 0x7F) {
      out += text[at];
    }
  }
  return out;
}

/// The bytes of a list of numbers, as which journalctl prints a message with escape sequences: `[27,91,51]`.
std::string listed_bytes(std::string_view list) {
  std::string bytes;
  while (!list.empty()) {
    unsigned code = 0;
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), code);
    if (error != std::errc{}) break;
    bytes += static_cast<char>(code);
    list.remove_prefix(std::min<std::size_t>(static_cast<std::size_t>(end - list.data()) + 1, list.size()));
  }
  return bytes;
}

/// The text without what JSON and log collectors escape.
std::string unescaped(std::string_view text) {
  constexpr std::string_view list = "\"MESSAGE\":[";
  if (const std::size_t at = text.find(list); at != std::string_view::npos)
    return listed_bytes(text.substr(at + list.size()));
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) == "\\u") {
      unsigned code = 0;
      std::from_chars(text.data() + at + 2, text.data() + std::min(at + 6, text.size()), code, 16);
      if (code < 0x7F) out += static_cast<char>(code);
      at += 5;
    } else if (text[at] == '\\' && at + 1 < text.size()) {
      const char next = text[++at];
      if (next != 'n' && next != 't' && next != 'r') out += next;
    } else {
      out += text[at];
    }
  }
  return out;
}

std::vector<std::string> decoded_lines(std::string_view bytes) {
  std::string text;
  Decoder decoder;
  const auto take = [&](std::string_view part) { text += part; };
  decoder.feed(bytes, take);
  decoder.finish(take);
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> pieces_of(std::string_view quote) {
  std::vector<std::string> pieces;
  quote = without_cut_marks(quote);
  while (true) {
    const std::size_t border = quote.find(piece_border);
    pieces.emplace_back(quote.substr(0, border));
    if (border == std::string_view::npos) return pieces;
    quote.remove_prefix(border + piece_border.size());
  }
}

/// Whether the pieces stand in these lines, the first one in the first line or from there on.
bool stands_in(const std::vector<std::string>& pieces, const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += bare(line);
  const std::string first = bare(lines.front()), begin = bare(pieces.front());
  const std::size_t at = all.find(begin);
  if (at == std::string::npos || at >= std::max<std::size_t>(first.size(), 1)) return false;
  for (const std::string& piece : pieces)
    if (all.find(bare(piece)) == std::string::npos) return false;
  return true;
}

bool is_literal(const Quote& quote, std::uint64_t place, const std::vector<std::string>& lines) {
  if (place == 0 || place > lines.size()) return false;
  std::vector<std::string> near, plain;
  for (std::size_t i = place - 1; i < lines.size() && i < place + lines_behind; ++i) {
    near.push_back(lines[i]);
    plain.push_back(unescaped(lines[i]));
  }
  const std::vector<std::string> pieces = pieces_of(quote.text);
  return stands_in(pieces, near) || stands_in(pieces, plain);
}

/// The quotes of a job that do not stand in their lines.
std::string false_quotes(const std::vector<std::filesystem::path>& logs) {
  Analyzer analyzer;
  std::vector<std::vector<std::string>> lines;
  for (const auto& log : logs) {
    const std::string bytes = read_file(log);
    analyzer.feed(log.filename().string(), bytes);
    lines.push_back(decoded_lines(bytes));
  }
  const Analysis analysis = std::move(analyzer).finish();
  std::string found;
  for (const Quote& quote : analysis.model.quotes) {
    const auto source = static_cast<std::size_t>(quote.at.source);
    const std::uint64_t place = analysis.model.place_in_source(quote.at);
    if (quote.text.empty() || is_literal(quote, place, lines.at(source))) continue;
    found.append("\n").append(logs[source].filename().string()).append(":");
    found.append(std::to_string(place)).append(" ").append(quote.text);
  }
  return found;
}

}  // namespace

TEST_CASE("quotes: every quote stands in the line that it names", "[slow]") {
  for (const char* const kind : {"rules", "jobs", "damaged", "messages"}) {
    for (const Case& test : cases(kind)) {
      INFO(test.name);
      CHECK(false_quotes(test.logs) == "");
    }
  }
}

}  // namespace nccl_analyze
