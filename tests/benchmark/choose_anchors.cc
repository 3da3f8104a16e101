// Chooses the anchors and buckets of the keywords in lib/text/line_scan.cc, so that lines without a keyword rarely pass
// the filter of WordSet.
//
//   choose_anchors lib/text/line_scan.cc LOG...
//
// It prints the rows of the table, and on standard error the false candidates per line before and after. The logs
// should be of all kinds: output of `generate_log`, and real logs with the output of frameworks.

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t anchor_size = 4, buckets = 8, words_per_bucket = 32;

struct Row {
  std::string text;        // without escapes
  std::size_t offset = 0;  // of the anchor
  std::size_t bucket = 0;
};

struct Frequency {
  std::size_t nibbles = 0;  // nibbles_at()
  double per_line = 0;      // summed over the logs, so that each log has the same weight
};

/// Returns the nibbles that the filter sees: the high nibble of the first byte, and the low nibbles of all four.
std::size_t nibbles_at(std::string_view text, std::size_t at) {
  std::size_t nibbles = static_cast<unsigned char>(text[at]) >> 4U;
  for (const char c : text.substr(at, anchor_size)) nibbles = nibbles << 4U | (static_cast<unsigned char>(c) & 0x0fU);
  return nibbles;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string unescape(std::string text) {
  RE2::GlobalReplace(&text, R"(\\(.))", R"(\1)");
  return text;
}

std::string escape(std::string_view text) {
  std::string escaped(text);
  RE2::GlobalReplace(&escaped, R"(["\\])", R"(\\\0)");
  return escaped;
}

std::vector<Row> read_rows(const char* path) {
  std::ifstream file(path);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  re2::StringPiece rest = source;
  rest.remove_prefix(std::min(source.find("WordSet keywords"), source.size()));
  static const RE2 row(R"re(\{"((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)", ([0-7])\})re");
  std::vector<Row> rows;
  std::string text, anchor;
  std::size_t bucket = 0;
  while (RE2::FindAndConsume(&rest, row, &text, &anchor, &bucket)) {
    text = unescape(text);
    rows.push_back({text, text.find(unescape(anchor)), bucket});
  }
  return rows;
}

/// Counts the nibbles of each four adjacent bytes of ASCII that start before the first keyword of their line, where the
/// search ends.
void count_nibbles(const char* path, const std::vector<Row>& rows, std::vector<double>& per_line) {
  std::vector<double> found(per_line.size());
  std::ifstream log(path);
  double lines = 0;
  for (std::string line; std::getline(log, line); ++lines) {
    std::size_t end = line.size();
    for (const Row& row : rows) end = std::min(end, line.find(row.text));
    for (std::size_t at = 0; at < end && at + anchor_size <= line.size(); ++at)
      if (is_ascii(std::string_view(line).substr(at, anchor_size))) ++found[nibbles_at(line, at)];
  }
  for (std::size_t i = 0; i < found.size(); ++i) per_line[i] += found[i] / std::max(lines, 1.0);
}

/// Returns the false candidates per line; infinity if a bucket has too many words.
double cost_of(const std::vector<Row>& rows, const std::vector<Frequency>& frequencies) {
  std::array<std::array<unsigned, 16>, anchor_size> tables{};
  std::array<unsigned, 16> high{};
  std::array<std::size_t, buckets> sizes{};
  for (const Row& row : rows) {
    if (++sizes.at(row.bucket) > words_per_bucket) return INFINITY;
    const std::size_t nibbles = nibbles_at(row.text, row.offset);
    for (std::size_t i = 0; i < anchor_size; ++i) tables[i].at(nibbles >> 4 * (3 - i) & 15U) |= 1U << row.bucket;
    high.at(nibbles >> 16U) |= 1U << row.bucket;
  }
  std::array<unsigned, 256> first{}, second{};
  for (std::size_t i = 0; i < first.size(); ++i) {
    first.at(i) = tables[0].at(i >> 4U) & tables[1].at(i & 15U);
    second.at(i) = tables[2].at(i >> 4U) & tables[3].at(i & 15U);
  }
  double cost = 0;
  for (const Frequency& frequency : frequencies)
    if ((high[frequency.nibbles >> 16U] & first[frequency.nibbles >> 8U & 255U] & second[frequency.nibbles & 255U]) !=
        0)
      cost += frequency.per_line;
  return cost;
}

/// Simulated annealing: a step moves a word to another bucket or anchor, or exchanges the buckets of two words.
std::vector<Row> improve(std::vector<Row> rows, const std::vector<Frequency>& frequencies) {
  constexpr int steps = 3'000'000;
  constexpr double first_temperature = 0.03;
  std::minstd_rand random;  // NOLINT(cert-msc51-cpp,bugprone-random-generator-seed): each run gives the same table
  const auto below = [&](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  double cost = cost_of(rows, frequencies), best_cost = cost;
  std::vector<Row> best = rows;
  for (int step = 0; step < steps; ++step) {
    const double left = 1 - static_cast<double>(step) / steps;
    std::vector<Row> changed = rows;
    Row& row = changed[below(changed.size())];
    if (below(3) == 0) {
      std::swap(row.bucket, changed[below(changed.size())].bucket);
    } else {
      row.bucket = below(buckets);
      // The anchor's first occurrence is the one that WordSet takes.
      if (below(2) == 0) row.offset = row.text.find(row.text.substr(below(row.text.size() - 3), anchor_size));
    }
    const double now = cost_of(changed, frequencies);
    const double accepted = std::exp((cost - now) / (first_temperature * left * left + 1e-9));
    if (now > cost && accepted < std::uniform_real_distribution<double>()(random)) continue;
    rows = std::move(changed);
    cost = now;
    if (cost < best_cost) {
      best_cost = cost;
      best = rows;
    }
  }
  return best;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::cerr << "usage: choose_anchors lib/text/line_scan.cc LOG...\n";
    return 2;
  }
  std::vector<Row> rows = read_rows(arguments[1]);
  if (rows.empty()) {
    std::cerr << arguments[1] << ": no rows of keywords\n";
    return 2;
  }
  std::vector<double> per_line(1U << 19U);
  for (int i = 2; i < count; ++i) count_nibbles(arguments[i], rows, per_line);
  std::vector<Frequency> frequencies;
  for (std::size_t i = 0; i < per_line.size(); ++i)
    if (per_line[i] > 0) frequencies.push_back({i, per_line[i]});
  const double before = cost_of(rows, frequencies);
  rows = improve(std::move(rows), frequencies);
  std::cerr << "false candidates per line, summed over the logs: " << before << " before, "
            << cost_of(rows, frequencies) << " after\n";
  std::ranges::stable_sort(rows, {}, &Row::bucket);
  for (const Row& row : rows)
    std::cout << "    {\"" << escape(row.text) << "\", \"" << escape(row.text.substr(row.offset, anchor_size)) << "\", "
              << row.bucket << "},\n";
  return 0;
}
