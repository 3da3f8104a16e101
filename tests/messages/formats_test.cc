// Tests that a row reads every format string in NCCL's source, except formats without words. Writes the page
// lib/messages/formats.md, which counts the formats by version.

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "messages/matcher.h"
#include "messages/meanings.h"
#include "row_example.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

struct Format {
  std::string project, level, text, first, last;
  bool read = false;
  bool dated = false;     ///< Whether the versions of a row that reads it include the format's.
  bool meant = false;     ///< Whether meanings.tsv says what it means.
  bool wordless = false;  ///< Whether the format has hardly any words, as in lists or in texts composed elsewhere.
  std::string reader;     ///< Wording of a row that reads the format.
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
  return cells;
}

/// Returns the first line of a format, which alone gets NCCL's prefix, without backslashes before quotes.
std::string first_line(std::string text) {
  text = text.substr(0, text.find("\\n"));
  for (std::size_t at = text.find("\\\""); at != std::string::npos; at = text.find("\\\"", at + 1)) text.erase(at, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

constexpr std::string_view any_text = "%s";

struct Piece {
  std::string words;    ///< Literal text.
  std::string pattern;  ///< RE2 pattern of the piece.
  std::string sample;
};

/// Returns the piece for a conversion such as `%d`.
Piece conversion(std::string_view spec) {
  switch (spec.back()) {
    case '%':
      return {"%", "%", "%"};
    case 'd':
    case 'i':
    case 'u':
      return {"", " *-?[0-9]+", "3"};
    case 'x':
    case 'X':
      return {"", "(?:0x)?[0-9a-fA-F]+", spec.find('#') == std::string_view::npos ? "1f" : "0x1f"};
    case 'p':
      return {"", "(?:0x[0-9a-f]+|\\(nil\\))", "0x7f1e"};
    case 'f':
    case 'g':
      return {"", " *-?[0-9.]+", "1.5"};
    default:
      return {"", ".*", std::string(any_text)};
  }
}

std::vector<Piece> pieces_of(std::string_view text) {
  static const RE2 hole(
      R"((%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[diuxXfgpscm%]|\{[A-Za-z_]+\}|<\?[^>]*>))");
  std::vector<Piece> pieces;
  const auto literal = [&pieces](std::string_view words) {
    if (!words.empty())
      pieces.push_back({std::string(words), RE2::QuoteMeta({words.data(), words.size()}), std::string(words)});
  };
  while (!text.empty()) {
    re2::StringPiece found;
    if (!RE2::PartialMatch({text.data(), text.size()}, hole, &found)) break;
    const auto at = static_cast<std::size_t>(found.data() - text.data());
    literal(text.substr(0, at));
    if (found[0] == '%') {
      pieces.push_back(conversion({found.data(), found.size()}));
    } else if (found[0] == '{') {
      pieces.push_back({"", ".*", "ibv_query_gid"});
    } else {
      const std::string_view choice(found.data() + 2, found.size() - 3);
      pieces.push_back({"", ".*", std::string(choice.substr(0, choice.find("|:")))});
    }
    text.remove_prefix(at + found.size());
  }
  literal(text);
  return pieces;
}

/// Returns the number of letters outside conversions. A format with few letters would match anything.
std::size_t words_in(const std::vector<Piece>& pieces) {
  std::size_t letters = 0;
  for (const Piece& piece : pieces)
    letters += static_cast<std::size_t>(std::count_if(piece.words.begin(), piece.words.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }));
  return letters;
}

/// Returns a line as the format would print it, with `text` for the first `%s` and `others` for the following ones.
std::string sample_of(const std::string& prefix, const std::vector<Piece>& pieces, std::string_view text,
                      std::string_view others) {
  std::string sample = prefix;
  for (const Piece& piece : pieces) {
    sample += piece.sample == any_text ? text : piece.sample;
    if (piece.sample == any_text) text = others;
  }
  while (sample.ends_with(' ')) sample.pop_back();
  return sample;
}

/// Returns all rows, each paired with its examples.
const std::vector<std::pair<const Row*, std::string>>& examples() {
  static const auto all = [] {
    std::vector<std::pair<const Row*, std::string>> made;
    for (const Family& family : all_families())
      for (const Row& row : family.rows)
        for (std::string& example : examples_of(row)) made.emplace_back(&row, std::move(example));
    return made;
  }();
  return all;
}

/// Returns rows that read lines of the format: rows that match composed lines, and rows whose example fits the format.
std::vector<const Row*> readers_of(const std::string& prefix, const std::vector<Piece>& pieces) {
  std::vector<const Row*> readers;
  Event event;
  for (const std::string_view text : {"eth0", "", "send to", "NET"})
    for (const std::string_view others : {"eth0", ""})
      if (const Row* row = standard_matcher().match(sample_of(prefix, pieces, text, others), event))
        readers.push_back(row);
  std::string pattern = RE2::QuoteMeta(prefix), longest;
  for (const Piece& piece : pieces) {
    pattern += piece.pattern;
    if (piece.words.size() > longest.size()) longest = piece.words;
  }
  const RE2 expression(pattern + " *");
  for (const auto& [row, example] : examples())
    if (example.find(longest) != std::string::npos && RE2::FullMatch(example, expression)) readers.push_back(row);
  return readers;
}

/// Returns the release numbers of a row (`2.27.3`) or of a tag (`v2.27.3-1`), in comparable form.
std::array<int, 3> release_of(std::string_view text) {
  std::array<int, 3> parts{};
  RE2::FullMatch({text.data(), text.size()}, R"(v?(\d+)\.(\d+)\.(\d+)(?:-\d+)?)", &parts[0], &parts[1], &parts[2]);
  return parts;
}

/// Whether the versions of the row include those of the format.
bool covers(const Row& row, const Format& format) {
  return release_of(row.since) <= release_of(format.first) &&
         (row.until.empty() || release_of(row.until) >= release_of(format.last));
}

std::vector<Format> read_formats() {
  std::vector<Format> formats;
  std::istringstream in(read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "formats/formats.tsv"));
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() == 5);
    Format& format = formats.emplace_back(
        Format{cells[0], cells[1], first_line(cells[2]), cells[3], cells[4], false, false, false, false, {}});
    const std::vector<Piece> pieces = pieces_of(format.text);
    format.wordless = words_in(pieces) < 3;
    if (format.wordless) continue;
    const std::vector<const Row*> readers = readers_of(format.project == "aws-ofi-nccl" ? "NET/OFI " : "", pieces);
    format.read = !readers.empty();
    if (format.read) format.reader = readers.front()->wording;
    format.meant = std::ranges::any_of(readers, [](const Row* row) { return find_meaning(row->wording) != nullptr; });
    format.dated = format.project != "nccl" ||
                   std::any_of(readers.begin(), readers.end(), [&](const Row* row) { return covers(*row, format); });
  }
  return formats;
}

struct Count {
  std::size_t formats = 0, read = 0, wordless = 0;
  void add(const Format& format) {
    ++formats;
    read += format.read ? 1 : 0;
    wordless += format.wordless ? 1 : 0;
  }
};

std::string page(const std::vector<Format>& formats) {
  std::ostringstream out;
  out << "# Formats\n\nHow many of the format strings that a version can print at the levels INFO, WARN, VERSION and "
         "CALL match a row.\nGenerated from `testdata/formats/formats.tsv` and the rows in this folder by "
         "`tests/messages/formats_test.cc`.\n\n| version | formats | matched | without words |\n| --- | --- | --- | "
         "--- "
         "|\n";
  std::map<std::array<int, 3>, std::string> releases;
  for (const Format& format : formats)
    if (format.project == "nccl") {
      releases[release_of(format.first)] = format.first;
      releases[release_of(format.last)] = format.last;
    }
  const auto write = [&out](const std::string& name, const Count& count) {
    out << "| " << name << " | " << count.formats << " | " << count.read << " | " << count.wordless << " |\n";
  };
  for (const auto& [release, tag] : releases) {
    Count count;
    for (const Format& format : formats)
      if (format.project == "nccl" && release_of(format.first) <= release && release <= release_of(format.last))
        count.add(format);
    write("NCCL " + tag.substr(1, tag.rfind('-') - 1), count);
  }
  std::map<std::string, Count> others;
  for (const Format& format : formats)
    if (format.project != "nccl") others[format.project].add(format);
  for (const auto& [project, count] : others) write(project + ", all versions", count);
  out << "\naws-ofi-nccl's lines begin with `NET/OFI`; those that no row of their own reads are read by one row as "
         "text.\n\n## Without words\n\nLines of lists and texts that are made elsewhere; no row is meant to read "
         "them.\n\n";
  std::set<std::string> wordless;
  for (const Format& format : formats)
    if (format.wordless) wordless.insert(format.text);
  for (const std::string& text : wordless) out << "* `` " << text << " ``\n";
  return out.str();
}

}  // namespace

TEST_CASE("formats: a row reads every format that has words of its own", "[docs][slow]") {
  const std::vector<Format> formats = read_formats();
  REQUIRE(formats.size() > 4000);
  for (const Format& format : formats)
    if (!format.read && !format.wordless)
      FAIL_CHECK(format.project << ' ' << format.level << ' ' << format.first << " to " << format.last << ": "
                                << format.text);
  for (const Format& format : formats)
    if (format.read && !format.dated)
      FAIL_CHECK("no row that reads it covers " << format.first << " to " << format.last << ": " << format.text
                                                << "\nread by " << format.reader);
  check_file(std::filesystem::path(NCCL_ANALYZE_SOURCE_DIR) / "lib/messages/formats.md", page(formats));
  std::string unexplained;
  std::size_t warnings = 0, meant = 0;
  for (const Format& format : formats) {
    const bool is_warning = format.level == "WARN" || format.level == "ERROR" || format.level == "ATTN";
    if (format.project != "nccl" || !is_warning || format.wordless || release_of(format.last) < std::array{2, 24, 0})
      continue;
    ++warnings;
    meant += format.meant ? 1 : 0;
    if (!format.meant) unexplained += format.text + "\n";
  }
  INFO(meant << " of " << warnings << " warnings of NCCL 2.24 and later have a meaning; these have none:\n"
             << unexplained);
  CHECK(meant * 100 >= warnings * 95);
}

}  // namespace nccl_analyze
