#pragma once
/// The destination of the report: standard output, or a file that appears complete or not at all.

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace nccl_analyze {

class Output {
 public:
  /// Opens `path`, or standard output without one. Throws Failure when the file cannot be created.
  explicit Output(const std::optional<std::string>& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  std::ostream& stream();
  bool terminal() const;
  /// The width of the terminal; empty if the output is no terminal or the width is unknown.
  std::optional<std::size_t> columns() const;
  /// A write failed, and all later output is discarded; commit() throws the reason.
  bool failed() const;
  /// The reader closed the pipe, which is no error: nothing more needs to be written.
  bool reader_gone() const;
  /// Writes the rest and puts a file in place; throws Failure when a write failed.
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nccl_analyze
