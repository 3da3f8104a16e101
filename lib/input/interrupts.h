#pragma once
/// Signals that poll(2) can wait for. While an Interrupts object exists, its signals are read from a descriptor;
/// afterwards they end the program again.

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

  /// Readable when a signal is pending.
  int descriptor() const { return descriptor_; }
  /// Consumes a pending signal, so that it does not end the program later; false if none is pending.
  bool take() {
    signalfd_siginfo about{};
    return ::read(descriptor_, &about, sizeof about) == sizeof about;
  }

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

}  // namespace nccl_analyze
