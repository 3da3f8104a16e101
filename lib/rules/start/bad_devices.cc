#include "rules/start/bad_devices.h"

#include <cstdint>

#include "nccl_analyze/events/lists.h"
#include "queries/bootstrap_address.h"
#include "text/message_text.h"
#include "text/search.h"

namespace nccl_analyze {

namespace {

constexpr std::uint64_t all_devices = ~std::uint64_t{0};

UnsuitableDevices bad_devices(const Process& process, bool every, std::uint64_t used) {
  UnsuitableDevices bad;
  InterfaceList devices(process.socket_devices);
  NetworkInterface device;
  std::size_t count = 0, loopbacks = 0;
  for (std::size_t i = 0; devices.next(device); ++i) {
    ++count;
    const UnsuitableInterface* const kind = find_unsuitable_interface(device.name, ip_of(device.address));
    loopbacks += device.name == "lo" ? 1 : 0;
    const bool counts = (i == 0 || every) && (i >= 64 || ((used >> i) & 1U) != 0);
    if (kind == nullptr || !counts) continue;
    if (bad.names.empty()) bad.first = *kind;
    bad.is_first = bad.is_first || i == 0;
    bad.names.push_back(excerpt(device.name, 40));
    add_once(bad.kinds, std::string(kind->what));
  }
  bad.lets_lo_in = loopbacks > 0 && loopbacks < count;
  bad.are_used = count == 1 || used != all_devices;
  return bad;
}

}  // namespace

UnsuitableDevices unsuitable_devices(const Process& process, bool every, std::uint64_t used) {
  UnsuitableDevices bad = bad_devices(process, every, used == 0 ? all_devices : used);
  return bad.names.empty() ? bad_devices(process, every, all_devices) : bad;
}

}  // namespace nccl_analyze
