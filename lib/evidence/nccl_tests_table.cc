// Reads the table that the programs of nccl-tests print (src/common.cu, src/util.cu). The columns differ between
// releases, so that rows are read by the names in the table's header.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "evidence/formats.h"
#include "evidence/nccl_tests.h"
#include "evidence/wording.h"
#include "text/blanks.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_columns = 32;
constexpr std::string_view first_column = "size";

/// Returns the text between `before` and `behind` in a line; empty if one of them is missing. If `behind` is empty, the
/// text extends to the end of the line.
std::string_view text_between(std::string_view line, std::string_view before, std::string_view behind) {
  const std::size_t begin = line.find(before);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = line.substr(begin + before.size());
  const std::size_t end = behind.empty() ? rest.size() : rest.find(behind);
  return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

std::string_view first_word(std::string_view text) {
  const auto words = words_of(text);
  return words.empty() ? std::string_view{} : words.front();
}

/// Reads `#  Rank  0 Group  0 Pid  4711 on worker-0 device  0 [0000:19:00] NVIDIA H100`. Before nccl-tests 2.0 the line
/// has no pid.
std::optional<BenchmarkRankListed> read_rank(std::string_view line) {
  BenchmarkRankListed rank;
  const bool complete = read_number(first_word(text_between(line, "Rank ", "")), rank.rank) &&
                        (read_number(first_word(text_between(line, "Pid ", "")), rank.pid) ||
                         line.find(" Pid ") == std::string_view::npos) &&
                        read_number(first_word(text_between(line, " device ", "")), rank.device);
  read_number(first_word(text_between(line, " Group ", " Pid ")), rank.group);
  const std::size_t close = line.find(']');
  if (!complete || close == std::string_view::npos) return std::nullopt;
  rank.host = first_word(text_between(line, " on ", ""));
  rank.bus_id = text_between(line, "[", "]");
  rank.gpu = trimmed(line.substr(close + 1));
  return rank;
}

/// Whether a program of nccl-tests prints comments that begin with this word. Other comments may come from another
/// program.
bool is_word_of_comment(std::string_view word) {
  constexpr std::string_view words[] = {"nccl-tests", "Collective",   "nThread",  "Using", "Rank", "size",
                                        "(B)",        "out-of-place", "in-place", "Out",   "Avg",  "Reporting"};
  return word.empty() || std::ranges::find(words, word) != std::end(words);
}

/// The columns since nccl-tests 2.13, without those of options.
constexpr std::array<std::string_view, 13> usual_columns{"size",  "count",  "type", "redop", "root",  "time",  "algbw",
                                                         "busbw", "#wrong", "time", "algbw", "busbw", "#wrong"};

class Table : public Document {
 public:
  explicit Table(std::span<const std::string_view> columns = {})
      : columns_(columns.begin(), columns.end()), is_headless_(!columns.empty()) {}

  bool read(std::string_view line, Facts& facts) override {
    if (line.starts_with('#')) return read_comment(line, facts);
    if (columns_.empty()) return false;
    const std::size_t before = facts.size();
    if (!read_row(line, facts)) {
      // Rows behind other text may be of another run.
      if (is_headless_ && !line.empty() && line.find("NCCL") == std::string_view::npos) started_ = false;
      return read_part(words_of(line), false, facts);
    }
    torn_.clear();
    if (is_headless_ && before < facts.size()) {
      const std::int64_t size = std::get<BenchmarkMeasured>(facts[before].event).size;
      if (size <= last_size_) started_ = false;
      last_size_ = size;
    }
    if (!started_) start_at_row(before, facts);
    return true;
  }
  bool read_piece(std::string_view line, Facts& facts) override {
    // Most lines have nothing before the host.
    return line.find(' ') != std::string_view::npos && read_part(words_of(line), true, facts);
  }
  bool ended() const override { return ended_; }

 private:
  /// Reads a part of a row: the columns before the first time, those of one place or both, or the former with those of
  /// the first place. The programs print each of the three by itself, and a newline behind the last, so that lines of
  /// NCCL may stand between them. `runs_on`: whether the last word may have run into the host of NCCL's line; it is
  /// then not read.
  bool read_part(std::span<const std::string_view> words, bool runs_on, Facts& facts) {
    if (is_headless_ || columns_.empty()) return false;
    const auto is_time = [](std::string_view column) { return column.ends_with("time"); };
    const auto head = static_cast<std::size_t>(std::ranges::find_if(columns_, is_time) - columns_.begin());
    const std::size_t place = (columns_.size() - head) / 2;
    const bool begins = (words.size() == head || (runs_on && words.size() == head + place)) && begins_row(words);
    if (begins) {
      torn_.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(head));
      torn_at_ = here();
      has_first_place_ = false;
      if (words.size() == head) return true;
      words = words.subspan(head);
    }
    const std::size_t wanted = runs_on || has_first_place_ ? place : 2 * place;
    if (torn_.empty() || place == 0 || words.size() != wanted || (runs_on && has_first_place_)) return false;
    std::vector<BenchmarkMeasured> found;
    for (; !words.empty(); words = words.subspan(place))
      if (!read_place(words.first(place), head, runs_on, found)) return false;
    SourceQuote quote = torn_at_;
    if (!begins) add_piece(quote, here());
    for (const BenchmarkMeasured& one : found) facts.emplace_back(one, quote);
    has_first_place_ = runs_on;
    if (!runs_on) torn_.clear();
    return true;
  }

  /// Whether the words are the first columns of a row: the size, the number of elements and their type.
  static bool begins_row(std::span<const std::string_view> words) {
    constexpr std::string_view types[] = {"int8", "uint8", "int32",  "uint32",   "int64",    "uint64",
                                          "half", "float", "double", "bfloat16", "fp8_e4m3", "fp8_e5m2"};
    std::int64_t size = -1, count = -1;
    return words.size() > 3 && read_number(words[0], size) && read_number(words[1], count) && count > 0 &&
           size % count == 0 && std::ranges::find(types, words[2]) != std::end(types);
  }

  /// Reads the columns of a place of the torn row, behind `head` columns. Returns false if the words are no values of
  /// these columns, or if size and time do not give the bandwidth: they are then part of another row.
  bool read_place(std::span<const std::string_view> words, std::size_t head, bool runs_on,
                  std::vector<BenchmarkMeasured>& found) const {
    BenchmarkMeasured value;
    for (std::size_t column = 0; column < head; ++column) set(value, columns_[column], torn_[column]);
    value.place = has_first_place_ || !found.empty() ? in_place_words : out_of_place_words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view column = columns_[head + i];
      const bool is_wrong = column == "#wrong" || column == "error";
      double number = 0;
      if (runs_on && i + 1 == words.size()) {
        if (!is_wrong) return false;
      } else if (!set(value, column, words[i]) || (is_wrong && words[i] != "N/A" && !read_number(words[i], number))) {
        return false;
      }
    }
    const double algbw = value.time > 0 ? static_cast<double>(value.size) / 1000 / value.time : -1;
    found.push_back(value);
    return std::abs(algbw - value.algbw) <= 0.02 + algbw / 50;
  }

  bool read_comment(std::string_view line, Facts& facts) {
    torn_.clear();
    constexpr std::string_view starting = "# Collective test starting: ";
    if (line.starts_with(starting)) program_ = std::string(line.substr(starting.size()));
    constexpr std::string_view devices = "# Using devices";  // the first line before nccl-tests 2.0
    if (line.starts_with("# nThread ")) {
      ++headers_;
      start(facts);
    } else if (line.starts_with(devices) && ++lists_ > headers_) {
      start(facts);
    }
    if (line.starts_with("#  Rank ") || line.starts_with("#   Rank "))
      if (const std::optional<BenchmarkRankListed> rank = read_rank(line)) facts.emplace_back(*rank, here());
    const auto words = words_of(line.substr(1));
    if (!words.empty() && words.front() == first_column && words.size() <= max_columns) {
      columns_.assign(words.begin(), words.end());
      if (!started_) start(facts);
      facts.emplace_back(BenchmarkTableBegun{}, here());
    }
    if (line.starts_with("# Out of bounds values")) {
      read_number(first_word(text_between(line, ": ", "")), wrong_);
      ended_at_ = here();
      // Excerpts of logs often have only this line.
      if (wrong_ > 0 && columns_.empty()) facts.emplace_back(BenchmarkEnded{.out_of_bounds = wrong_}, ended_at_);
    }
    if (line.starts_with("# Avg bus bandwidth")) {
      double busbw = 0;
      read_number(first_word(text_between(line, ": ", "")), busbw);
      if (ended_at_.text.empty()) ended_at_ = here();
      add_piece(ended_at_, here());
      facts.emplace_back(BenchmarkEnded{.out_of_bounds = wrong_, .busbw = measured(busbw)}, ended_at_);
      ended_ = true;
    }
    return is_word_of_comment(words.empty() ? std::string_view{} : words.front());
  }

  void start(Facts& facts) {
    facts.emplace_back(BenchmarkStarted{benchmark_program(program_)}, here());
    started_ = true;
  }

  /// Begins a run whose first row is there, but not what stands above it. Its facts begin at this index.
  void start_at_row(std::size_t first, Facts& facts) {
    start(facts);
    std::rotate(facts.begin() + static_cast<std::ptrdiff_t>(first), facts.end() - 1, facts.end());
  }

  /// Reads a row. Returns false if the line is no row. Up to nccl-tests 2.11, rows of programs without a reduction have
  /// no value in the column `redop`.
  bool read_row(std::string_view line, Facts& facts) const {
    std::vector<std::string_view> words = words_of(line);
    const auto redop = static_cast<std::size_t>(std::ranges::find(columns_, "redop") - columns_.begin());
    // A row that was cut at its end has a word there.
    if (words.size() + 1 == columns_.size() && redop < words.size() && begins_number(words[redop]))
      words.insert(words.begin() + redop_at(redop), "");
    BenchmarkMeasured value;
    bool begun = false;
    std::vector<BenchmarkMeasured> found;
    const std::size_t size = std::min(words.size(), columns_.size());
    for (std::size_t i = 0; i < size; ++i) {
      if (columns_[i].ends_with("time") && i > 0) {  // `time`, or `cputime` with -C
        if (begun) found.push_back(value);
        value.place = begun ? in_place_words : out_of_place_words;
        value.p99 = value.cv = 0;
        begun = true;
      }
      if (!set(value, columns_[i], words[i])) return false;
    }
    if (!begun || words.size() < columns_.size()) return false;
    found.push_back(value);
    for (const BenchmarkMeasured& one : found) facts.emplace_back(one, here());
    return true;
  }

  static bool begins_number(std::string_view word) { return word.find_first_of("0123456789") <= 1; }

  static std::ptrdiff_t redop_at(std::size_t column) { return static_cast<std::ptrdiff_t>(column); }

  static bool read_measured(std::string_view word, double& value) {
    const bool is_number = read_number(word, value);
    value = measured(value);
    return is_number;
  }

  /// Sets the member for a column. Returns false if the word is no value for that column. Unknown columns are ignored.
  static bool set(BenchmarkMeasured& value, std::string_view column, std::string_view word) {
    if (column == first_column) return read_number(word, value.size);
    if (column == "count") return read_number(word, value.count);
    if (column == "type") return static_cast<void>(value.type = word), true;
    if (column == "redop") return static_cast<void>(value.redop = word), true;
    if (column.ends_with("time")) return read_measured(word, value.time);
    if (column == "algbw") return read_measured(word, value.algbw);
    if (column == "busbw") return read_measured(word, value.busbw);
    if (column == "i_p99") return read_measured(word, value.p99);
    if (column == "i_cv%") return read_measured(word, value.cv);
    if (column != "#wrong" && column != "error") return true;
    double wrong = -1;
    value.wrong = -1;
    // Up to nccl-tests 2.11 the column `error` contains the largest difference, which is not a number of elements.
    if (column == "#wrong" && read_number(word, wrong) && std::abs(wrong) < 1e15)
      value.wrong = static_cast<std::int64_t>(wrong);
    return true;
  }

  std::string program_;
  std::vector<std::string> columns_;  ///< The names in the table's header.
  std::int64_t wrong_ = -1;
  SourceQuote ended_at_;
  int headers_ = 0, lists_ = 0;  ///< The heads of runs, and of lists of devices, of copies that print at once.
  bool started_ = false, ended_ = false;
  bool is_headless_ = false;       ///< Whether the rows stand without the names of their columns.
  std::int64_t last_size_ = -1;    ///< Of the last row without a header.
  std::vector<std::string> torn_;  ///< The first columns of a row that is printed in parts; empty if there is none.
  SourceQuote torn_at_;
  bool has_first_place_ = false;  ///< Whether the first place of that row was read.
};

}  // namespace

std::unique_ptr<Document> begin_nccl_tests_table(std::string_view) { return std::make_unique<Table>(); }

std::unique_ptr<Document> begin_nccl_tests_rows(std::string_view) { return std::make_unique<Table>(usual_columns); }

std::size_t start_of_nccl_tests_row(std::string_view line, std::size_t sign) {
  std::string_view before = line.substr(0, sign);
  for (int word = 0; word < 2; ++word) {  // count and size
    before = before.substr(0, before.find_last_not_of(' ') + 1);
    before = before.substr(0, before.rfind(' ') + 1);
  }
  const std::size_t start = before.find_last_not_of(' ') + 1;  // Rows have different numbers of blanks before the size.
  const auto words = words_of(line.substr(start));
  std::int64_t size = -1, count = -1;
  const bool is_row = words.size() == usual_columns.size() && read_number(words[0], size) &&
                      read_number(words[1], count) && count > 0 && size >= count && size % count == 0;
  return is_row ? start : std::string_view::npos;
}

std::size_t start_of_nccl_tests_columns(std::string_view line, std::size_t sign) {
  const std::size_t start = line.rfind('#', sign);
  if (start == std::string_view::npos) return start;
  const auto names = words_of(line.substr(start + 1, sign - start - 1));
  return names.size() > 1 && names[0] == first_column && names[1] == "count" ? start : std::string_view::npos;
}

}  // namespace nccl_analyze::evidence
