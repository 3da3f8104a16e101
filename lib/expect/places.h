#pragma once
/// Helpers for expectations about hosts: the hosts of a job, and counts of the devices on each host.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "expect/expect.h"

namespace nccl_analyze {

/// A host and its processes that are ranks of a communicator; all its processes if the log shows no communicator.
struct Place {
  const Host* host = nullptr;
  std::vector<Index> processes;
  std::string network;  ///< Network name as in Host::nics; empty if unknown or if the processes use several.
};

/// Returns every host that has such processes, in the order of Model::hosts.
std::vector<Place> places(const Model& model);

/// The number of devices on a host. If `whole` is false, the log may not show all of them, and the number is a lower
/// bound.
struct DeviceCount {
  std::int64_t value = -1;  ///< -1 if the log shows nothing.
  bool whole = false;
  std::string noun;
  Evidence evidence;
};

/// Counts the devices of each host by `measure`, and compares the count with the expected number.
ExpectationAnswer judge_device_counts(const ExpectationCase& asked,
                                      const std::function<DeviceCount(const Place&)>& measure, const Silence& silence);

/// Whether the input holds the log of every rank of the largest communicator.
bool has_every_rank(const Model& model);

/// Adds to `evidence`, for each communicator and each transport whose name begins with `transport`, the line of the
/// first connection.
void add_connections(const Model& model, std::string_view transport, Evidence& evidence);

/// Adds the lines that show which network the processes of the host chose.
void add_choice(const Model& model, const Place& place, Evidence& evidence);

/// Gives a failed answer without evidence the first connections over this transport as evidence; returns any other
/// answer unchanged.
ExpectationAnswer with_connections_as_evidence(const Model& model, std::string_view transport,
                                               ExpectationAnswer answer);

}  // namespace nccl_analyze
