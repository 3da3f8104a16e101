#pragma once
// A table of a host's RDMA ports with one port in each line, as ibdev2netdev and `rdma link` print it.

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "evidence/machine.h"
#include "nccl_analyze/events/machine.h"

namespace nccl_analyze::evidence {

class PortRows : public MachineDocument {
 public:
  /// Reads one line; returns false if it is no row of the table.
  using ReadRow = bool (*)(std::string_view line, MachinePortListed& port);

  PortRows(std::string_view tool, std::string_view first_line, ReadRow read_row)
      : MachineDocument(tool, first_line), read_row_(read_row) {}

  /// Returns false for a port that the document already has, because it is the first port of another host, or of the
  /// next run of the command.
  bool read(std::string_view line, Facts& facts) override {
    if (is_command()) return true;
    MachinePortListed port;
    if (!read_row_(line, port)) return false;
    if (ports_.size() >= max_items || !ports_.emplace(port.device, port.port).second) return false;
    begin(facts);
    facts.emplace_back(port, here());
    return true;
  }

 private:
  ReadRow read_row_;
  std::set<std::pair<std::string, int>> ports_;
};

}  // namespace nccl_analyze::evidence
