// Starts programs with posix_spawn.

#include "cli/kubectl/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "input/failure.h"

namespace nccl_analyze::kubectl {

namespace {

/// A pipe whose ends are not passed on to other children.
class Pipe {
 public:
  explicit Pipe(bool wanted) {
    if (wanted && ::pipe2(ends_.data(), O_CLOEXEC) != 0) throw Failure(describe("cannot create", "a pipe"));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends_)
      if (end >= 0) ::close(end);
  }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  int take_reader() { return std::exchange(ends_[0], -1); }
  int take_writer() { return std::exchange(ends_[1], -1); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// The attributes of a child: this program blocks signals that it reads from a descriptor, and ignores SIGPIPE; a child
/// does neither.
class Attributes {
 public:
  Attributes() {
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_init(&actions_);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  void connect(int descriptor, int to) {
    if (descriptor >= 0) ::posix_spawn_file_actions_adddup2(&actions_, descriptor, to);
  }
  int spawn(pid_t& pid, char* const* arguments) {
    return ::posix_spawnp(&pid, arguments[0], &actions_, &attributes_, arguments, environ);
  }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
};

void close_once(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, Pipes pipes) {
  Pipe input(pipes.input), output(pipes.output), errors(pipes.errors);
  Attributes attributes;
  attributes.connect(input.reader(), STDIN_FILENO);
  attributes.connect(output.writer(), STDOUT_FILENO);
  attributes.connect(errors.writer(), STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const int error = attributes.spawn(pid_, words.data());
  if (error != 0) throw Failure(describe("cannot start", arguments.front(), error));
  input_ = input.take_writer();
  output_ = output.take_reader();
  errors_ = errors.take_reader();
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)) {}

Child::~Child() {
  if (pid_ > 0) ::kill(pid_, SIGTERM);
  wait();
}

void Child::close_input() { close_once(input_); }
void Child::close_output() { close_once(output_); }
void Child::close_errors() { close_once(errors_); }

void Child::interrupt() const {
  if (pid_ > 0) ::kill(pid_, SIGINT);
}

int Child::wait() {
  close_input();
  close_output();
  close_errors();
  if (pid_ <= 0) return 0;
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  constexpr int signalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
}

}  // namespace nccl_analyze::kubectl
