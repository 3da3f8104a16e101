#pragma once
/// The exception for everything that prevents a report. The program prints it as one line and exits with status 2; the
/// C interface returns it as an error.

#include <cerrno>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace nccl_analyze {

class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns an error message with the text of an errno: `cannot open logs/a.log: Permission denied`.
inline std::string describe(std::string_view what, std::string_view path, int error = errno) {
  return std::string(what) + ' ' + std::string(path) + ": " + std::generic_category().message(error);
}

}  // namespace nccl_analyze
