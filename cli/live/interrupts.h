#pragma once
/// Signals as something to wait for: while this lives they are read, and afterwards they end the program.

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace nccl_analyze {

class Interrupts {
 public:
  explicit Interrupts(std::initializer_list<int> signals) {
    sigset_t read;
    sigemptyset(&read);
    for (const int signal : signals) sigaddset(&read, signal);
    sigprocmask(SIG_BLOCK, &read, &before_);
    descriptor_ = ::signalfd(-1, &read, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts() {
    ::close(descriptor_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

  /// Readable when there is one.
  int descriptor() const { return descriptor_; }
  /// Takes one, so that it does not end the program later; false when there is none.
  bool take() {
    signalfd_siginfo about{};
    return ::read(descriptor_, &about, sizeof about) == sizeof about;
  }

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

}  // namespace nccl_analyze
