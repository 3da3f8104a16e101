#include "rules/external/exception_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "rules/support/failure.h"
#include "rules/topics.h"
#include "text/digits.h"
#include "text/lower_case.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

std::string_view digits_at(std::string_view text, std::size_t at) {
  std::size_t end = std::min(at, text.size());
  const std::size_t begin = end;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(begin, end - begin);
}

/// Returns the port of `[::]:29500 (errno: 98`, `port: 29500,` or `('', 29500)` in a message that an address is already
/// in use; empty if the message has none.
std::string_view port_in_use(std::string_view message) {
  const std::string lower = lower_case(message);
  if (!contains(lower, "address already in use") && !contains(lower, "eaddrinuse")) return {};
  for (const std::string_view before : {"port: ", "[::]:", "0.0.0.0:", "127.0.0.1:"})
    if (const std::size_t at = lower.find(before); at != std::string::npos)
      if (const std::string_view port = digits_at(message, at + before.size()); !port.empty()) return port;
  return {};
}

/// Returns the number in torchrun's `Process 4711 got signal: 15` or of `Signals.SIGTERM`; empty if the message has
/// none.
std::string_view signal_got(std::string_view message) {
  for (const std::string_view words : {" got signal: ", " got sigval:"})
    if (const std::size_t at = message.find(words); at != std::string_view::npos)
      return digits_at(message, at + words.size());
  for (const auto& [name, number] :
       {std::pair{"Signals.SIGHUP", "1"}, {"Signals.SIGINT", "2"}, {"Signals.SIGTERM", "15"}})
    if (message == name) return number;
  return {};
}

struct Memory {
  double free = -1, total = -1;  ///< GiB.
};

/// Returns the free and total memory in vLLM's `Free memory on device cuda:0 (109.53/121.69 GiB) on startup is less
/// than desired`; -1 for other messages.
Memory free_memory(std::string_view message) {
  const std::size_t words = message.find("Free memory on device");
  const std::size_t open = words == std::string_view::npos ? words : message.find('(', words);
  if (open == std::string_view::npos) return {};
  Memory found;
  const char* const end = message.data() + message.size();
  const auto first = std::from_chars(message.data() + open + 1, end, found.free, std::chars_format::fixed);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '/') return {};
  const auto second = std::from_chars(first.ptr + 1, end, found.total, std::chars_format::fixed);
  return second.ec == std::errc{} && found.total > 0 ? found : Memory{};
}

/// Formats a number with two decimals, rounded down: `0.89`.
std::string two_places(double number) {
  const auto hundredths = static_cast<int>(std::floor(number * 100));
  return concat(hundredths / 100, ".", hundredths % 100 < 10 ? "0" : "", hundredths % 100);
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> values_of_exception(std::string_view message) {
  std::vector<std::pair<std::string_view, std::string>> values;
  if (const std::string_view port = port_in_use(message); !port.empty()) values.emplace_back("port", port);
  if (const std::string_view signal = signal_got(message); !signal.empty()) values.emplace_back("signal", signal);
  const Memory memory = free_memory(message);
  constexpr double reserve = 0.005;  // part of the total memory that the start itself takes
  if (memory.total <= 0 || memory.free / memory.total < reserve) return values;
  values.emplace_back("free", two_places(memory.free));
  values.emplace_back("total", two_places(memory.total));
  values.emplace_back("share", two_places(memory.free / memory.total - reserve));
  return values;
}

bool points_elsewhere(std::string_view message) {
  const std::string lower = lower_case(message);
  // The engine of vLLM gives up on a worker, or the other way round; Horovod's other ranks do the same.
  return contains(lower, "rpc call to ") || contains(lower, "from front-end process within") ||
         contains(lower, "horovod has been shut down") || contains(lower, "see root cause above") ||
         contains(lower, "stack trace above for the root cause");
}

bool reports_own_failure(const Model& model) {
  return std::ranges::any_of(model.incidents, [](const Incident& incident) {
    return is_warning(incident) && is_printed_by_nccl(incident) && !incident.survived &&
           topic_of(incident).rule != "none";
  });
}

}  // namespace nccl_analyze
