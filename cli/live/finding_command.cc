// Starts programs with posix_spawnp(3). The finding is passed in a file without a name and not in a pipe, so that a
// program that does not read it cannot block this one.

#include "cli/live/finding_command.h"

#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "cli/live/news_lines.h"
#include "input/failure.h"
#include "nccl_analyze/rule_parts.h"
#include "text/escape.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_queued = 256;
constexpr std::chrono::milliseconds between_ticks{100};
constexpr std::chrono::seconds longest_wait{10};

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

/// Whether execvp(3) will find the program.
bool is_found(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name);
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/bin:/usr/bin" : path;
  while (true) {
    const std::size_t end = folders.find(':');
    const std::string folder(folders.substr(0, end));
    if (is_program((folder.empty() ? "." : folder) + "/" + name)) return true;
    if (end == std::string_view::npos) return false;
    folders.remove_prefix(end + 1);
  }
}

/// Returns the variables that describe the finding. Values may come from the log; unsafe characters in them are
/// escaped.
std::vector<std::string> variables_of(const Model& model, const Finding& finding) {
  std::vector<std::string> variables;
  const auto add = [&](std::string_view name, std::string_view value) {
    variables.push_back("NCCL_ANALYZE_" + std::string(name) + "=" + visible(value));
  };
  const auto add_number = [&](std::string_view name, std::int64_t number) {
    add(name, number < 0 ? std::string() : std::to_string(number));
  };
  add("RULE", finding.rule->id);
  add("NAME", finding.rule->name);
  add("SEVERITY", to_string(finding.severity()));
  add("TITLE", finding.shown_title());
  add("MESSAGE", truncated(finding.message, 4000));
  const Address at = finding.suspects.empty() ? Address{.host = {}, .pod = {}, .container = {}}
                                              : address_of(model, finding.suspects.front(), finding.communicators);
  add_number("RANK", at.rank);
  add("HOST", at.host);
  add("POD", at.pod);
  add("CONTAINER", at.container);
  add_number("PID", at.pid);
  add_number("GPU", at.gpu);
  return variables;
}

/// Returns the descriptor of a file in memory that holds the text, positioned at its start; -1 with errno on an error.
int file_with(std::string_view text) {
  const int descriptor = ::memfd_create("finding", MFD_CLOEXEC);
  while (descriptor >= 0 && !text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (descriptor >= 0 && (!text.empty() || ::lseek(descriptor, 0, SEEK_SET) != 0)) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The attributes and file actions of posix_spawnp(3). The program gets the default signal handling, and a process
/// group of its own, so that Ctrl-C does not end it. Its standard output is the standard error of this program, because
/// only the report goes to standard output.
class SpawnSettings {
 public:
  explicit SpawnSettings(int input) {
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&ignored, signal);  // main() ignores these signals
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawnattr_t attributes{};
  posix_spawn_file_actions_t actions{};
};

}  // namespace

FindingCommand::FindingCommand(std::vector<std::string> words, Log& log) : words_(std::move(words)), log_(log) {
  if (!is_found(words_.front()))
    throw Failure("--on-finding: there is no program " + words_.front() + " that can be run");
}

void FindingCommand::add(const Model& model, const Finding& finding) {
  if (queue_.size() < max_queued) {
    queue_.push_back({finding_news(model, finding) + '\n', variables_of(model, finding)});
  } else if (!std::exchange(dropped_, true)) {
    log_.warn("--on-finding: " + words_.front() + " is too slow, so that it does not get every finding");
  }
}

void FindingCommand::tick() {
  int status = 0;
  if (running_ > 0 && ::waitpid(running_, &status, WNOHANG) != 0) note_end(status);
  while (running_ < 0 && !queue_.empty()) {
    start(queue_.front());
    queue_.pop_front();
  }
}

FindingCommand::Clock::time_point FindingCommand::due() const {
  return running_ > 0 ? Clock::now() + between_ticks : Clock::time_point::max();
}

void FindingCommand::finish(Interrupts& interrupts) {
  const Clock::time_point end = Clock::now() + longest_wait;
  for (tick(); running_ > 0 && Clock::now() < end; tick()) {
    pollfd polled{interrupts.descriptor(), POLLIN, 0};
    if (::poll(&polled, 1, 20) > 0 && interrupts.take()) break;
  }
  if (running_ > 0)
    log_.warn("--on-finding: " + words_.front() + " still runs and is left alone" +
              (queue_.empty() ? "" : "; " + std::to_string(queue_.size()) + " more findings are not given to it"));
}

void FindingCommand::start(const Run& run) {
  const int input = file_with(run.input);
  if (input < 0) return warn_once(describe("--on-finding: cannot start", words_.front()));
  std::vector<std::string> environment = run.environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!std::string_view(*variable).starts_with("NCCL_ANALYZE_")) environment.emplace_back(*variable);
  const SpawnSettings settings(input);
  const int error = ::posix_spawnp(&running_, words_.front().c_str(), &settings.actions, &settings.attributes,
                                   pointers_to(words_).data(), pointers_to(environment).data());
  ::close(input);
  if (error == 0) return;
  running_ = -1;
  warn_once(describe("--on-finding: cannot start", words_.front(), error));
}

void FindingCommand::note_end(int status) {
  running_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    warn_once("--on-finding: " + words_.front() + " ended with status " + std::to_string(WEXITSTATUS(status)));
  if (WIFSIGNALED(status))
    warn_once("--on-finding: " + words_.front() + " was ended by signal " + std::to_string(WTERMSIG(status)));
}

void FindingCommand::warn_once(const std::string& sentence) {
  if (!std::exchange(warned_, true)) log_.warn(sentence + "; further failures are not reported");
}

}  // namespace nccl_analyze
