#pragma once
/// Looks up the values of hosts that commands of the shell show, and what GID tables say of a GID index.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/model.h"

namespace nccl_analyze {

/// A value, with the document that shows it.
struct ShownValue {
  const Machine* machine = nullptr;
  const MachineValue* value = nullptr;
};
/// Returns the values with this name of the hosts of the processes. If there are none, those of documents whose host
/// the input does not name; without processes, those of all documents.
std::vector<ShownValue> values_about(const Model& model, const std::vector<Index>& processes, std::string_view what);

/// What GID tables say of the processes' RoCE ports.
struct GidReading {
  int used = -1;   ///< The index that was asked about; -1: none.
  int right = -1;  ///< The index of the entry for RoCE v2 with an IPv4 address; -1: unknown, or not one for all ports.
  bool fits = false;   ///< Whether the table has such an entry at `used` for each port.
  std::string device;  ///< The first port's device whose entry at `used` is wrong, else the first device.
  std::string fault;   ///< What is wrong at `used`: `missing`, `link-local`, `RoCE v1`; empty if nothing is.
  LineRef at;          ///< The line of the right entry, or of the wrong one.
};
/// Reads the GID tables of the hosts of the processes, or, as values_about(), of hosts that are not named. `used`: the
/// index that NCCL uses; -1 if it is not known. Tables of InfiniBand ports, whose GIDs are no IP addresses, say
/// nothing.
GidReading read_gid_tables(const Model& model, const std::vector<Index>& processes, int used);
/// Returns what the reading adds to a message: `; in the GID table of mlx5_0 index 3 is missing, and the entry for
/// RoCE v2 with an IPv4 address is 7`. Empty if it adds nothing.
std::string gid_reading_text(const GidReading& reading);

}  // namespace nccl_analyze
