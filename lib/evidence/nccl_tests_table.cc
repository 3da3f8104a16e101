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
std::string_view between(std::string_view line, std::string_view before, std::string_view behind) {
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

/// Reads `#  Rank  0 Group  0 Pid  4711 on worker-0 device  0 [0000:19:00] NVIDIA H100`.
std::optional<BenchmarkRankListed> read_rank(std::string_view line) {
  BenchmarkRankListed rank;
  const bool complete = read_number(first_word(between(line, "Rank ", "")), rank.rank) &&
                        read_number(first_word(between(line, "Pid ", "")), rank.pid) &&
                        read_number(first_word(between(line, " device ", "")), rank.device);
  read_number(first_word(between(line, " Group ", " Pid ")), rank.group);
  const std::size_t close = line.find(']');
  if (!complete || close == std::string_view::npos) return std::nullopt;
  rank.host = first_word(between(line, " on ", ""));
  rank.bus_id = between(line, "[", "]");
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
      return read_piece(line, facts);
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
  /// Reads a part of a row: the columns before the first time, or those of one place or of both. The programs print
  /// each part by itself, so that lines of NCCL may stand between them. The root, and the number of wrong elements,
  /// which is then not read, may run into the host of NCCL's line.
  bool read_piece(std::string_view line, Facts& facts) override {
    if (is_headless_ || columns_.empty()) return false;
    const auto is_time = [](std::string_view column) { return column.ends_with("time"); };
    const auto head = static_cast<std::size_t>(std::ranges::find_if(columns_, is_time) - columns_.begin());
    const std::vector<std::string_view> words = words_of(line);
    double number = 0;
    if (words.size() == head && head > 2 && !read_number(words[2], number)) {
      BenchmarkMeasured value;
      const bool is_head = set(value, columns_[0], words[0]) && set(value, columns_[1], words[1]);
      if (is_head) torn_.assign(words.begin(), words.end());
      if (is_head) torn_at_ = here();
      measured_places_ = 0;
      return is_head;
    }
    return !torn_.empty() && read_places(words, head, facts);
  }
  bool ended() const override { return ended_; }

 private:
  /// Reads the columns of one place or of both behind a torn row's first columns, of which there are `head`.
  bool read_places(std::span<const std::string_view> words, std::size_t head, Facts& facts) {
    const std::size_t size = (columns_.size() - head) / 2, places = size == 0 ? 0 : words.size() / size;
    const bool has_all = places > 0 && words.size() == places * size && measured_places_ + places <= 2;
    std::vector<BenchmarkMeasured> found(has_all ? places : 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      BenchmarkMeasured& value = found[i];
      for (std::size_t column = 0; column < torn_.size(); ++column) set(value, columns_[column], torn_[column]);
      value.place = measured_places_ + i == 0 ? out_of_place_words : in_place_words;
      for (std::size_t column = 0; column < size; ++column)
        if (!set(value, columns_[head + column], words[i * size + column])) return false;
    }
    SourceQuote quote = torn_at_;
    add_piece(quote, here());
    for (const BenchmarkMeasured& one : found) facts.emplace_back(one, quote);
    measured_places_ += found.size();
    return !found.empty();
  }

  bool read_comment(std::string_view line, Facts& facts) {
    constexpr std::string_view starting = "# Collective test starting: ";
    if (line.starts_with(starting)) program_ = std::string(line.substr(starting.size()));
    if (line.starts_with("# nThread ")) start(facts);
    if (line.starts_with("#  Rank ") || line.starts_with("#   Rank "))
      if (const std::optional<BenchmarkRankListed> rank = read_rank(line)) facts.emplace_back(*rank, here());
    const auto words = words_of(line.substr(1));
    if (!words.empty() && words.front() == first_column && words.size() <= max_columns) {
      columns_.assign(words.begin(), words.end());
      torn_.clear();
      if (!started_) start(facts);
    }
    if (line.starts_with("# Out of bounds values")) {
      read_number(first_word(between(line, ": ", "")), wrong_);
      ended_at_ = here();
      // Excerpts of logs often have only this line.
      if (wrong_ > 0 && columns_.empty()) facts.emplace_back(BenchmarkEnded{.out_of_bounds = wrong_}, ended_at_);
    }
    if (line.starts_with("# Avg bus bandwidth")) {
      double busbw = 0;
      read_number(first_word(between(line, ": ", "")), busbw);
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
  bool started_ = false, ended_ = false;
  bool is_headless_ = false;       ///< Whether the rows stand without the names of their columns.
  std::int64_t last_size_ = -1;    ///< Of the last row without a header.
  std::vector<std::string> torn_;  ///< The first columns of a row that is printed in parts; empty if there is none.
  SourceQuote torn_at_;
  std::size_t measured_places_ = 0;  ///< How many places of that row were read.
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
