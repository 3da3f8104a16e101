#pragma once
/// Programs that the plugin starts: the user's kubectl, and nccl-analyze. Arguments are passed as an array, without
/// a shell.

#include <sys/types.h>

#include <string>
#include <vector>

namespace nccl_analyze::kubectl {

/// Which standard streams of a child are pipes to this program; the others are inherited.
struct Pipes {
  bool input = false, output = false, errors = false;
};

/// A running child. The destructor ends it with SIGTERM and waits for it.
class Child {
 public:
  /// Throws Failure if the program cannot be started.
  Child(const std::vector<std::string>& arguments, Pipes pipes);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  /// Descriptors of the pipes; -1: not a pipe, or closed.
  int input() const { return input_; }
  int output() const { return output_; }
  int errors() const { return errors_; }
  void close_input();
  void close_output();
  void close_errors();
  void interrupt() const;
  /// Waits until the child has ended. Returns its exit status, or 128 plus the number of the signal that ended it.
  int wait();

 private:
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1;
};

}  // namespace nccl_analyze::kubectl
