#pragma once
/// Why the program could not do its work: thrown anywhere in cli/, printed by main() as one line, exit status 2.

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

/// `cannot open logs/a.log: Permission denied`, from an errno.
inline std::string describe(std::string_view what, std::string_view path, int error = errno) {
  return std::string(what) + ' ' + std::string(path) + ": " + std::generic_category().message(error);
}

}  // namespace nccl_analyze
