#pragma once
/// The job as the log shows it (processes, communicators, ranks, rings, trees, connections), and the classes that build
/// it. A Model is plain data that owns all its text. ModelBuilder builds it once; then it is read-only, and any number
/// of threads may read it.
///
/// Unknown values are -1, an empty string, an empty vector or a disengaged optional, never a guess.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/containers.h"
#include "nccl_analyze/model/benchmark.h"
#include "nccl_analyze/model/calls.h"
#include "nccl_analyze/model/communicator.h"
#include "nccl_analyze/model/host.h"
#include "nccl_analyze/model/incident.h"
#include "nccl_analyze/model/line.h"
#include "nccl_analyze/model/machine.h"
#include "nccl_analyze/model/pod.h"
#include "nccl_analyze/model/process.h"
#include "nccl_analyze/model/recording.h"

namespace nccl_analyze {

/// The version of this library, `0.1.0`.
std::string_view version();

struct Record;

/// A log line with its text, kept so that reports can quote it; see ModelLimits::max_quotes_per_event.
struct Quote {
  LineRef at;
  std::string text;
};

/// Lines that no row of the message table matches and that are equal except for numbers: the text of the first line,
/// and the number of lines.
struct Sample {
  std::string text;
  std::uint64_t count = 0;
  LineRef at;
};

/// An input, and the statistics of its parser.
struct Source {
  std::string name;
  ParseStats stats;
  std::array<Evidence, damage_kinds> damaged = {};  ///< The damaged lines, indexed by Damage.
  /// Whether the source is not a log, but source code or Markdown. Failures that its text quotes are then no incidents.
  bool set_aside = false;
};

/// An input that could not be read, or not to its end.
struct UnreadableInput {
  std::string name;    ///< The path, or the member of an archive as `ARCHIVE:MEMBER`.
  std::string reason;  ///< `No such file or directory`, `it is cut off`.
};

/// The line counts of one NCCL version, summed over its processes: all NCCL lines, and the lines that no row of the
/// message table matches.
struct VersionLines {
  std::string library, version;  ///< Process::library and Process::version; empty: unknown.
  std::uint64_t nccl_lines = 0, unrecognized = 0;
};

/// The whole job. Indices in it refer to the tables of the same model.
struct Model {
  Table<Source> sources;               ///< Indexed by SourceId.
  std::vector<VersionLines> versions;  ///< Sorted by version number, unknown last; each record is counted once.
  Table<Process> processes;            ///< Sorted by source, then first line.
  Table<Host> hosts;                   ///< Sorted by name, pod, container.
  Table<Communicator> communicators;   ///< Parents before children, then by first line.
  std::vector<Ambiguity> ambiguities;
  std::vector<UnnamedCalls> unnamed_calls;   ///< Sorted by process, pointer.
  Table<Incident> incidents;                 ///< Sorted by first line.
  std::vector<WatchdogTimeout> stuck;        ///< Sorted by first line.
  std::vector<RasOpCounts> launch_counts;    ///< From the RAS client's text.
  std::vector<RasJob> ras_jobs;              ///< From the RAS client's text; sorted by line.
  std::vector<DesyncedRanks> desynced;       ///< Sorted by line.
  std::vector<AnnouncedMember> announced;    ///< Sorted by line.
  bool all_registered = false;               ///< Whether rank 0 says that all announced processes have come.
  std::vector<RasReport> ras_reports;        ///< From the RAS client's JSON; sorted by line.
  std::vector<FlightRecord> flight_records;  ///< Sorted by group, rank in the job, line.
  std::vector<InspectedRank> inspected;      ///< Sorted by communicator id, operation, rank, line.
  std::vector<RecordedDuration> durations;   ///< Sorted by tool, communicator id, group, size, operation, rank, line.
  std::vector<Benchmark> benchmarks;         ///< Sorted by line.
  std::vector<Machine> machines;             ///< Documents that describe a machine, sorted by line.
  Table<Pod> pods;                           ///< Sorted by line.
  std::vector<Sample> unrecognized;          ///< Most frequent first.
  std::vector<Quote> quotes;                 ///< Sorted by line.
  std::uint64_t dropped = 0;                 ///< Number of facts not stored because a limit was reached.
  std::vector<UnreadableInput> unreadable;   ///< Set by the caller that reads the inputs, in the order of reading.

  /// Whether the input has output of other tools: nccl-tests, the RAS client, PyTorch's flight recorder, the NCCL
  /// Inspector, tools that describe a machine, or Kubernetes manifests.
  bool has_tool_output() const;
  /// Returns the host of a process; null if the index is -1 or no line of the process names a host.
  const Host* host_of(Index process) const;
  /// Returns the text of a line; empty if the text was not kept for quoting. Valid as long as `quotes` is unchanged.
  std::string_view quote(LineRef at) const;
  /// Returns the line number in the source, from 1; 0 if LineRef::line is 0. LineRef::line counts lines in the order of
  /// reading, which is another number if the source was read from its end or its log is inside a JSON document.
  std::uint64_t place_in_source(LineRef at) const;
  /// Whether the source of the line ends with training steps, and at least two of these steps come after the line.
  bool training_continues_after(LineRef at) const;
};

/// The use of one GPU by one rank.
struct GpuUse {
  Index host = -1, gpu = -1;  ///< Indices into Model::hosts and Host::gpus.
  Index communicator = -1;
  int rank = -1, cuda_dev = -1;
};
/// Returns the GPU of every rank whose GPU is known, sorted by host, GPU, communicator, rank.
std::vector<GpuUse> gpu_uses(const Model& model);

/// Limits that bound the memory of a model; see Model::dropped.
/// Beyond the limit of processes each source may have 64, and the limit of communicators grows with the processes, so
/// that a job with very many logs is kept whole.
struct ModelLimits {
  std::size_t max_quotes_per_event = 1024;  ///< Lines of each kind of event whose text is kept.
  std::size_t max_incidents = 4096;         ///< Distinct incidents; repetitions are only counted.
  std::size_t max_samples = 64;             ///< Distinct unrecognised wordings.
  std::size_t max_processes = 200'000;
  std::size_t max_communicators = 100'000;
  std::size_t max_connections = 100'000'000;  ///< Number of ConnectionGroups, each for up to 64 channels.
  int max_ranks = 1 << 20;  ///< Ranks of one communicator; a larger number is assumed to come from a damaged line.
  std::size_t max_threads = 1 << 16;  ///< Threads of one process.
  std::size_t max_env = 256;          ///< Settings of one process.
};

/// Builds a Model from records. Memory grows with the job's size, not with the log's length; facts beyond a limit are
/// counted in Model::dropped. Records of different sources may be interleaved; records of one source must come in line
/// order.
class ModelBuilder {
 public:
  explicit ModelBuilder(ModelLimits limits = {});
  /// A copy gives the model of the log so far: build() consumes the copy, and records can still be added to the
  /// original.
  ModelBuilder(const ModelBuilder& other);
  ModelBuilder& operator=(const ModelBuilder& other);
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;
  ~ModelBuilder();

  /// Copies what the model keeps; the record's views need not outlive the call.
  void add(const Record& record);
  /// Adds to Model::dropped the number of facts that are not passed to the builder, such as those beyond the limits of
  /// a Summary.
  void leave_out(std::uint64_t facts);
  /// Sets the name and the parser statistics of a source. Must be called once per source, before build().
  void add_source(SourceId source, std::string_view name, const ParseStats& stats);
  /// Returns the finished model. The builder cannot be used afterwards.
  Model build() &&;

  struct Impl;
  Impl& impl() { return *impl_; }  ///< For the library itself.

 private:
  std::unique_ptr<Impl> impl_;
};

/// A mergeable partial result: those records of some sources that a model needs; repetitions are only counted. The
/// model of merged summaries is the model of all their logs. The size of a summary grows with processes, ranks and
/// pairs of ranks, not with log lines, channels or training steps.
class Summary {
 public:
  /// Processes beyond `max_processes` in one source are not stored, but counted as dropped facts.
  explicit Summary(std::size_t max_processes = ModelLimits{}.max_processes);
  Summary(Summary&&) noexcept;
  Summary& operator=(Summary&&) noexcept;
  ~Summary();

  /// Copies what the summary keeps. Records of one source must come in line order and before its add_source().
  void add(const Record& record);
  /// Ends a source. If only a part of a source was added, `lines_before` is the number of lines before that part; the
  /// line numbers of the records count from the start of the whole source.
  void add_source(SourceId source, std::string_view name, const ParseStats& stats, std::uint64_t lines_before = 0);
  /// Adds another summary. Neither the order nor the repetition of merges changes the result: a part that is already
  /// present counts once.
  void merge(Summary other);

  /// Adds all sources to the builder, sorted by name. The parts of one source become one source again; parts that
  /// overlap become separate sources.
  void replay(ModelBuilder& builder) const;

  /// Returns the sum of the parser statistics of all sources.
  ParseStats stats() const;

  struct Impl;
  Impl& impl() { return *impl_; }  ///< For the library itself.
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Writes the summary as `nccl-analyze.summary` version 3, as lines of JSON. SummaryReader reads versions 1 to 3.
void write_summary(std::ostream& out, const Summary& summary);

/// Reads what write_summary() wrote and adds it to a Summary. Several summaries may be concatenated.
class SummaryReader {
 public:
  /// `into` must outlive the reader.
  explicit SummaryReader(Summary& into);
  ~SummaryReader();
  SummaryReader(const SummaryReader&) = delete;
  SummaryReader& operator=(const SummaryReader&) = delete;

  /// Reads bytes that may be cut anywhere. Returns false if the bytes are not a summary; the caller can then stop
  /// feeding.
  bool feed(std::string_view chunk);
  /// Ends the input. Returns an empty string on success, else the error and its line; parts before the error may have
  /// been added.
  std::string finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
