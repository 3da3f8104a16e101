#pragma once
/// The files that a command reads, which no output may replace: a log may be the only record of what happened.

#include <map>
#include <string>
#include <string_view>

#include "input/inputs.h"
#include "input/own_output.h"

namespace nccl_analyze {

/// Whether a command reads inputs of this kind. The command leaves out other inputs, so an output may replace them: the
/// next run may write its report over an old report in the folder of the logs.
using IsRead = bool (*)(OwnOutput kind);
constexpr bool is_log(OwnOutput kind) { return kind == OwnOutput::none; }
constexpr bool is_log_or_summary(OwnOutput kind) { return is_log(kind) || kind == OwnOutput::summary; }
constexpr bool is_diff_input(OwnOutput kind) { return kind != OwnOutput::other; }

/// Regular files, identified by device and inode and therefore under all their names. Devices, pipes and terminals are
/// not protected, because writing to them destroys nothing.
class ProtectedInputs {
 public:
  void add(const InputList& list, IsRead is_read);
  /// Adds the file of an option, such as `--rules`, which may not exist yet. `what` completes `PATH is ...`.
  void add(const std::string& path, const std::string& what);
  /// Throws Failure if `path` is one of the files and the command reads it. `option`: the option that sets `path`.
  void protect_from(std::string_view option, const std::string& path) const;

 private:
  struct File {
    std::string what;
    IsRead is_read;
  };
  void add_coming(const std::string& path, const std::string& what);
  std::string what_is_at(const std::string& path) const;

  std::map<FileId, File> files_;
  std::map<std::string, std::string> future_files_;  ///< Files that may not exist yet, by path with links resolved.
};

}  // namespace nccl_analyze
