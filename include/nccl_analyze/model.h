#pragma once
/// The job as the log shows it: processes, communicators, ranks, rings, trees, connections; and what builds it. A Model
/// is plain data, built once by ModelBuilder, then read-only: any number of threads may read it. It owns all its text.
///
/// Absent knowledge is -1, an empty string, an empty vector or a disengaged optional; it is never a guess.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/calls.h"
#include "nccl_analyze/model/communicator.h"
#include "nccl_analyze/model/host.h"
#include "nccl_analyze/model/incident.h"
#include "nccl_analyze/model/line.h"
#include "nccl_analyze/model/process.h"

namespace nccl_analyze {

struct Record;

/// A line with its text, as far as the budget for quotes allows.
struct Quote {
  LineRef at;
  std::string text;
};

/// An unknown wording: its first occurrence and how often it came (numbers folded).
struct Sample {
  std::string text;
  std::uint64_t count = 0;
  LineRef at;
};

struct Source {
  std::string name;
  ParseStats stats;
  std::array<Evidence, damage_kinds> damaged = {};  ///< By Damage.
};

/// What the processes of one version printed, and how much of it no row of the table knows.
struct VersionLines {
  std::string library, version;  ///< As Process has them; empty for processes that no version line tells of.
  std::uint64_t nccl_lines = 0, unrecognized = 0;
};

struct Model {
  Table<Source> sources;               ///< By SourceId.
  std::vector<VersionLines> versions;  ///< Sorted by version as numbers, unknown last; every record is in one.
  Table<Process> processes;            ///< Sorted by source, then first line.
  Table<Host> hosts;                   ///< Sorted by name, pod, container.
  Table<Communicator> communicators;   ///< Parents before children, then by first line.
  std::vector<Ambiguity> ambiguities;
  std::vector<UnnamedCalls> unnamed_calls;  ///< Sorted by process, pointer.
  Table<Incident> incidents;                ///< Sorted by first line.
  std::vector<WatchdogTimeout> stuck;       ///< Sorted by first line.
  std::vector<RasOpCounts> launch_counts;
  std::vector<Sample> unrecognized;  ///< Most frequent first.
  std::vector<Quote> quotes;         ///< Sorted by line.
  std::uint64_t dropped = 0;         ///< Facts not stored because a limit was reached.

  /// The host of a process; nullptr when the process is -1 or its lines name none.
  const Host* host_of(Index process) const;
  /// The text of a line that was kept for quoting; empty when it was not.
  std::string_view quote(LineRef at) const;
};

/// A rank that uses a GPU.
struct GpuUse {
  Index host = -1, gpu = -1;  ///< Into Model::hosts, Host::gpus.
  Index communicator = -1;
  int rank = -1, cuda_dev = -1;
};
/// Every rank whose GPU is known, sorted by host, GPU, communicator, rank.
std::vector<GpuUse> gpu_uses(const Model& model);

struct ModelLimits {
  std::size_t max_quotes_per_event = 64;  ///< Lines of each kind of event whose text is kept.
  std::size_t max_incidents = 4096;       ///< Different incidents; repeats are folded.
  std::size_t max_samples = 64;           ///< Different unknown wordings.
  std::size_t max_processes = 200'000;
  std::size_t max_communicators = 100'000;
  std::size_t max_connections = 100'000'000;  ///< Groups that are alike but for the channel.
  int max_ranks = 1 << 20;                    ///< Of one communicator: a line that claims more is damage.
  std::size_t max_threads = 1 << 16;          ///< Of one process.
  std::size_t max_env = 256;                  ///< Settings of one process.
};

/// Folds records into a Model. Memory follows the job's size, not the log's length; what a limit keeps out is counted
/// in Model::dropped. Records of different sources may come in any order; those of one source in the order of lines.
class ModelBuilder {
 public:
  explicit ModelBuilder(ModelLimits limits = {});
  /// A copy is built while the original goes on reading: the model of the log so far.
  ModelBuilder(const ModelBuilder& other);
  ModelBuilder& operator=(const ModelBuilder& other);
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;
  ~ModelBuilder();

  /// Copies what it needs: the record's views may die afterwards.
  void add(const Record& record);
  /// Counts facts that were not kept before they came here, as those of Summary are beyond its limits.
  void leave_out(std::uint64_t facts);
  /// Names a source and states what its parser counted; call once per source, before build().
  void add_source(SourceId source, std::string_view name, const ParseStats& stats);
  /// The finished model; the builder is spent.
  Model build() &&;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A partial result that others can be added to: what remains of records when all that repeats is counted and all that
/// no model uses is left out. The model of merged summaries is the model of all their logs.
/// Its size follows processes, ranks and pairs of ranks; not lines, channels or steps.
class Summary {
 public:
  /// Processes of one source beyond `max_processes` are left out.
  explicit Summary(std::size_t max_processes = ModelLimits{}.max_processes);
  Summary(Summary&&) noexcept;
  Summary& operator=(Summary&&) noexcept;
  ~Summary();

  /// Copies what it needs. Records of one source in the order of lines, all before its add_source().
  void add(const Record& record);
  /// Ends a source. A part of a source says how many lines stand before it; its records count from the source's start.
  void add_source(SourceId source, std::string_view name, const ParseStats& stats, std::uint64_t lines_before = 0);
  /// The union: in whatever order and however often things are merged, the result is the same. A part that is there
  /// already counts once.
  void merge(Summary other);

  /// Hands all sources to the builder, sorted by name. Parts of one source come as one where they do not overlap.
  void replay(ModelBuilder& builder) const;

  /// What the parsers of all its sources counted.
  ParseStats stats() const;

 private:
  friend class SummaryParts;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
