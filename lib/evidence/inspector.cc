// Reads the lines of the NCCL Inspector, a profiler plugin (plugins/profiler/inspector/inspector_json.cc of NCCL). The
// plugin writes a line for each collective, so that a file has millions of lines. Therefore each combination of
// communicator, rank and operation gives one fact, when the document ends, and another one for its shortest duration.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "evidence/formats.h"
#include "evidence/wording.h"

namespace nccl_analyze::evidence {

namespace {

constexpr std::size_t max_kept = std::size_t{1} << 16;  // combinations in one document
constexpr std::string_view first_words = "{\"header\":";

/// Returns the value after `key`, without quotes; empty if the key is missing. `key` includes its quotes and colon,
/// because the plugin prints objects without blanks.
std::string_view value_of(std::string_view object, std::string_view key) {
  const std::size_t at = object.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view value = object.substr(at + key.size());
  if (value.starts_with('"')) {
    value.remove_prefix(1);
    return value.substr(0, value.find('"'));
  }
  return value.substr(0, value.find_first_of(",}"));
}

template <class Number>
bool read(std::string_view object, std::string_view key, Number& number) {
  return read_number(value_of(object, key), number);
}

/// One line of the plugin: a collective that a rank completed.
struct Entry {
  std::uint64_t id = 0;  ///< The `commId`.
  std::string_view comm_name, host, operation;
  int rank = -1, nranks = -1;
  std::int64_t pid = -1, number = -1;
  double busbw = 0;
  std::int64_t size = -1;    ///< As nccl-tests counts it; -1: not known, or the duration is not that of the GPU.
  double microseconds = -1;  ///< Of the kernel.
};

/// Sets size and duration of an operation in which every rank stays until the end. The plugin prints the bytes of one
/// rank; a size is kept if it gives the printed bandwidth.
void read_duration(std::string_view coll, Entry& entry) {
  constexpr double largest = 1e15;
  std::int64_t bytes = -1;
  const bool is_summed = entry.operation == "AllReduce";
  if (!is_summed && entry.operation != "AllGather" && entry.operation != "ReduceScatter") return;
  if (entry.nranks < 2 || value_of(coll, "\"coll_timing_source\":") != "kernel_gpu" ||
      !read(coll, "\"coll_msg_size_bytes\":", bytes) || !read(coll, "\"coll_exec_time_us\":", entry.microseconds) ||
      bytes <= 0)
    return;
  const double ranks = entry.nranks, size = static_cast<double>(bytes) * (is_summed ? 1 : ranks);
  const double busbw = size / 1000 / entry.microseconds * (is_summed ? 2 : 1) * (ranks - 1) / ranks;
  const bool is_printed =
      entry.microseconds > 0 && size < largest && std::abs(busbw - entry.busbw) <= 0.02 * entry.busbw;
  if (is_printed) entry.size = bytes * (is_summed ? 1 : entry.nranks);
}

std::optional<Entry> read_entry(std::string_view line) {
  const std::size_t metadata = line.find("\"metadata\":"), perf = line.find("\"coll_perf\":");
  if (!line.starts_with(first_words) || metadata == std::string_view::npos || perf == std::string_view::npos ||
      perf < metadata)
    return std::nullopt;
  const std::string_view header = line.substr(0, metadata), about = line.substr(metadata, perf - metadata),
                         coll = line.substr(perf);
  Entry entry;
  const std::string_view id = value_of(header, "\"id\":");
  entry.comm_name = value_of(header, "\"comm_name\":");
  entry.host = value_of(about, "\"hostname\":");
  entry.operation = value_of(coll, "\"coll\":");
  const bool complete = id.starts_with("0x") && read_hex(id.substr(2), entry.id) && !entry.operation.empty() &&
                        read(header, "\"rank\":", entry.rank) && read(header, "\"n_ranks\":", entry.nranks) &&
                        read(coll, "\"coll_sn\":", entry.number);
  if (!complete || entry.rank < 0 || entry.rank >= entry.nranks || entry.number < 0) return std::nullopt;
  read(about, "\"pid\":", entry.pid);
  read(coll, "\"coll_busbw_gbs\":", entry.busbw);
  entry.busbw = measured(entry.busbw);
  read_duration(coll, entry);
  return entry;
}

/// The summary of the lines on one operation of one rank of a communicator.
struct Kept {
  std::string comm_name, host;
  int nranks = -1;
  std::int64_t pid = -1, completed = 0, last = -1;
  double busbw = 0;
  SourceQuote shown;       ///< The line of the last collective.
  std::int64_t size = -1;  ///< The largest one.
  double microseconds = 0;
  SourceQuote shortest;  ///< The line of the shortest collective of the largest size.
};

class Lines : public Document {
 public:
  bool read(std::string_view line, Facts&) override {
    const std::optional<Entry> entry = read_entry(line);
    if (!entry) return line.starts_with(first_words) && line.find("\"p2p_perf\":") != std::string_view::npos;
    const auto key = std::tuple(entry->id, entry->rank, std::string(entry->operation));
    if (kept_.size() >= max_kept && !kept_.contains(key)) return true;
    Kept& kept = kept_[key];
    ++kept.completed;
    if (entry->busbw > kept.busbw) kept.busbw = entry->busbw;
    const bool is_shorter = entry->size == kept.size && entry->microseconds < kept.microseconds;
    if (entry->size > kept.size || (entry->size > 0 && is_shorter)) {
      kept.size = entry->size;
      kept.microseconds = entry->microseconds;
      kept.shortest = here(line.find("\"coll\":"), line.size());
    }
    if (entry->number < kept.last) return true;
    kept.comm_name = entry->comm_name;
    kept.host = entry->host;
    kept.nranks = entry->nranks;
    kept.pid = entry->pid;
    kept.last = entry->number;
    kept.shown = here(line.find("\"coll\":"), line.size());
    return true;
  }
  bool ended() const override { return false; }
  void finish(Facts& facts) override {
    for (const auto& [key, kept] : kept_) {
      add_duration(key, kept, facts);
      facts.emplace_back(CollectivesInspected{.comm_id = {std::get<0>(key)},
                                              .comm_name = kept.comm_name,
                                              .rank = std::get<1>(key),
                                              .nranks = kept.nranks,
                                              .pid = kept.pid,
                                              .host = kept.host,
                                              .operation = std::get<2>(key),
                                              .completed = kept.completed,
                                              .last = kept.last,
                                              .busbw = kept.busbw},
                         kept.shown);
    }
    std::ranges::stable_sort(facts, {}, [](const Fact& fact) { return fact.shown.line; });
  }

 private:
  using Key = std::tuple<std::uint64_t, int, std::string>;

  static void add_duration(const Key& key, const Kept& kept, Facts& facts) {
    if (kept.size <= 0) return;
    facts.emplace_back(DurationRecorded{.tool = "inspector",
                                        .comm_id = {std::get<0>(key)},
                                        .group = kept.comm_name,
                                        .description = {},
                                        .operation = std::get<2>(key),
                                        .rank = std::get<1>(key),
                                        .nranks = kept.nranks,
                                        .size = kept.size,
                                        .microseconds = kept.microseconds},
                       kept.shortest);
  }

  std::map<Key, Kept> kept_;
};

}  // namespace

std::unique_ptr<Document> begin_inspector(std::string_view) { return std::make_unique<Lines>(); }

}  // namespace nccl_analyze::evidence
