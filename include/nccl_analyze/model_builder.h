#pragma once
/// Makes a Model of records.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

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

}  // namespace nccl_analyze
