#pragma once
/// What a command reads, so that no output takes the place of it: the log may be the only copy of what happened.

#include <map>
#include <string>
#include <string_view>

#include "cli/input/inputs.h"
#include "cli/input/own_output.h"

namespace nccl_analyze {

/// Which inputs a command reads, by their writer. The others are left out, so that a later output may replace them: a
/// report in the folder of its logs is written again by the next run.
using IsRead = bool (*)(OwnOutput kind);
constexpr bool is_log(OwnOutput kind) { return kind == OwnOutput::none; }
constexpr bool is_log_or_summary(OwnOutput kind) { return is_log(kind) || kind == OwnOutput::summary; }
constexpr bool is_run(OwnOutput kind) { return kind != OwnOutput::other; }

/// Regular files, known by device and inode, thus under all their names. Devices, pipes and terminals lose nothing when
/// they are written to.
class ReadFiles {
 public:
  void add(const InputList& list, IsRead is_read);
  /// Adds the file of an option, such as `--rules`, which may not exist yet. `what` completes `is …`.
  void add(const std::string& path, const std::string& what);
  /// Throws Failure if `path` is one of the files. `option`: the option that asks for this output.
  void protect_from(std::string_view option, const std::string& path) const;

 private:
  struct File {
    std::string what;
    IsRead is_read;
  };
  void add_coming(const std::string& path, const std::string& what);
  std::string what_is_at(const std::string& path) const;

  std::map<FileId, File> files_;
  std::map<std::string, std::string> coming_;  ///< What will be at a path, links resolved, when the run has begun.
};

}  // namespace nccl_analyze
