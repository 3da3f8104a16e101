// Reads the pipes of several children with poll(2).

#include "cli/kubectl/calls.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <set>
#include <utility>

#include "input/failure.h"

namespace nccl_analyze::kubectl {

namespace {

constexpr std::size_t kept_errors = 4096;
constexpr std::size_t most_output = std::size_t{1} << 30;

/// Reads once. Returns the number of bytes; 0 at the end or on an error.
std::size_t read_some(int descriptor, std::array<char, 65536>& buffer) {
  ssize_t count = 0;
  do {
    count = ::read(descriptor, buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

void keep_end(std::string& text, std::string_view more) {
  text += more;
  if (text.size() > kept_errors) text.erase(0, text.size() - kept_errors);
}

std::string last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \r\n");
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace

CommandResult run_kubectl(const std::vector<std::string>& arguments, bool quiet, Interrupts& interrupts) {
  CommandResult finished;
  Child child(arguments, {.input = false, .output = true, .errors = quiet});
  std::array<char, 65536> buffer{};
  std::string errors;
  while (child.output() >= 0 || child.errors() >= 0) {
    std::array<pollfd, 3> waits{{{.fd = child.output(), .events = POLLIN, .revents = 0},
                                 {.fd = child.errors(), .events = POLLIN, .revents = 0},
                                 {.fd = interrupts.descriptor(), .events = POLLIN, .revents = 0}}};
    ::poll(waits.data(), waits.size(), -1);
    if (waits[2].revents != 0 && interrupts.take()) {
      finished.interrupted = true;
      return finished;
    }
    if (waits[0].revents != 0) {
      const std::size_t count = read_some(child.output(), buffer);
      finished.output.append(buffer.data(), count);
      if (finished.output.size() > most_output) throw Failure("kubectl printed more than 1 GiB of " + arguments.back());
      if (count == 0) child.close_output();
    }
    if (waits[1].revents != 0) {
      const std::size_t count = read_some(child.errors(), buffer);
      keep_end(errors, {buffer.data(), count});
      if (count == 0) child.close_errors();
    }
  }
  finished.status = child.wait();
  finished.error = last_line(errors);
  return finished;
}

void Calls::add(Batch batch, Clock::duration delay) { waiting_.push_back({std::move(batch), Clock::now() + delay}); }

void Calls::start_due() {
  const Clock::time_point now = Clock::now();
  for (auto next = waiting_.begin(); next != waiting_.end() && running_.size() < most_;) {
    if (next->due > now) {
      ++next;
      continue;
    }
    Batch batch = std::move(next->batch);
    next = waiting_.erase(next);
    running_.emplace_back(std::move(batch), line_, streams_);
  }
}

std::vector<Outcome> Calls::work(std::chrono::milliseconds most) {
  start_due();
  std::vector<pollfd> waits{{.fd = interrupts_.descriptor(), .events = POLLIN, .revents = 0}};
  for (const Call& call : running_) {
    waits.push_back({.fd = call.child.output(), .events = POLLIN, .revents = 0});
    waits.push_back({.fd = call.child.errors(), .events = POLLIN, .revents = 0});
  }
  auto timeout = most;
  for (const Waiting& one : waiting_)
    if (running_.size() < most_)
      timeout = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(one.due - Clock::now()),
                           std::chrono::milliseconds(0), timeout);
  ::poll(waits.data(), waits.size(), static_cast<int>(timeout.count()));
  interrupted_ = interrupted_ || (waits[0].revents != 0 && interrupts_.take());
  std::vector<Outcome> ended;
  std::size_t at = 1;
  for (auto call = running_.begin(); call != running_.end(); at += 2) {
    read(*call, waits[at].revents != 0, waits[at + 1].revents != 0);
    if (call->child.output() >= 0 || call->child.errors() >= 0) {
      ++call;
      continue;
    }
    ended.push_back(end(*call));
    call = running_.erase(call);
  }
  return ended;
}

void Calls::read(Call& call, bool output, bool errors) {
  std::array<char, 65536> buffer{};
  if (output) {
    const std::size_t count = read_some(call.child.output(), buffer);
    call.transcript.feed({buffer.data(), count});
    if (count == 0) call.child.close_output();
  }
  if (errors) {
    const std::size_t count = read_some(call.child.errors(), buffer);
    keep_end(call.errors, {buffer.data(), count});
    if (count == 0) call.child.close_errors();
  }
}

Outcome Calls::end(Call& call) {
  Outcome outcome;
  const bool ended_well = call.child.wait() == 0;
  const std::string failure = ended_well ? std::string() : last_line(call.errors);
  call.transcript.end(failure, call.batch.tries + 1 >= most_tries || interrupted_);
  outcome.broken.assign(call.transcript.broken().begin(), call.transcript.broken().end());
  std::ranges::set_difference(call.batch.streams, call.transcript.seen(), std::back_inserter(outcome.silent));
  outcome.gave_lines = !call.transcript.seen().empty();
  outcome.error = call.transcript.error().empty() ? failure : call.transcript.error();
  outcome.failed = !ended_well || !call.transcript.error().empty();
  outcome.batch = std::move(call.batch);
  return outcome;
}

}  // namespace nccl_analyze::kubectl
