#pragma once
/// Where the report goes: standard output, or a file that appears whole or not at all.

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace nccl_analyze {

class Output {
 public:
  /// Standard output without a path. Throws Failure when the file cannot be made.
  explicit Output(const std::optional<std::string>& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  std::ostream& stream();
  bool terminal() const;
  /// Of the terminal that it goes to; empty where it is none, or does not tell.
  std::optional<std::size_t> columns() const;
  /// Something could not be written, and nothing more will be; commit() says why.
  bool failed() const;
  /// The reader of a pipe went away: nothing more needs to be written, and that is no fault.
  bool reader_gone() const;
  /// Puts everything in place; throws Failure when something could not be written.
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
