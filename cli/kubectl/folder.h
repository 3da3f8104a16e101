#pragma once
/// The folder of the logs, which are named POD/CONTAINER.log, or NAMESPACE/POD/CONTAINER.log if there may be several
/// namespaces. All names have passed is_name(), so that no path leads out of the folder.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "cli/kubectl/streams.h"

namespace nccl_analyze::kubectl {

class Folder {
 public:
  /// Creates the folder `keep`, which must be new or empty. Without `keep`, creates a temporary folder, which the
  /// destructor removes. Throws Failure.
  Folder(const std::optional<std::string>& keep, bool namespaces);
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  /// Appends to the log of the stream. Throws Failure if this line or an earlier one cannot be written.
  void append(const StreamName& stream, std::string_view line);
  /// Writes the lines that are still in memory.
  void flush();
  /// Writes a file beside the logs of a pod, unless `text` is empty.
  void write(const std::string& name_space, const std::string& pod, const char* name, std::string_view text);
  const std::string& path() const { return path_; }
  bool temporary() const { return temporary_; }

 private:
  std::string folder_of(const std::string& name_space, const std::string& pod) const;

  std::string path_;
  bool temporary_, namespaces_;
  std::map<StreamName, std::string> pending_;
  std::size_t pending_bytes_ = 0;
};

}  // namespace nccl_analyze::kubectl
