// Writes a log or a summary for each host of a simulated job, for measurements and tests of merges:
//   simulate_fleet HOSTS CHANNELS FOLDER logs|summaries [dead=HOST] [nic=HOST] [late=HOST] [version=HOST]

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "fleet/fleet_log.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/summary.h"

namespace nccl_analyze::test {
namespace {

/// Sets the host of the fault that a word such as `late=7` names; false for any other word.
bool set_fault(FleetFaults& faults, std::string_view word) {
  const std::pair<std::string_view, int FleetFaults::*> names[] = {{"dead=", &FleetFaults::dead},
                                                                   {"nic=", &FleetFaults::nic},
                                                                   {"late=", &FleetFaults::late},
                                                                   {"version=", &FleetFaults::version}};
  for (const auto& [name, host] : names)
    if (word.starts_with(name)) {
      faults.*host = std::atoi(word.substr(name.size()).data());
      return true;
    }
  return false;
}

void write_summary_of(std::ostream& out, const std::string& name, const std::string& log) {
  Summary summary;
  Parser parser(SourceId{0}, [&](const Record& record) { summary.add(record); });
  parser.feed(log);
  parser.finish();
  summary.add_source(SourceId{0}, name + ".log", parser.stats());
  sign_summary(summary, {.job = "4242", .step = "0", .node = name, .tool = version()});
  write_summary(out, summary);
}

/// Returns whether all files could be written.
bool write_fleet(const JobShape& shape, const FleetFaults& faults, const std::string& folder, bool summaries) {
  const FleetLog logs(shape, faults);
  for (int host = 0; host < shape.hosts; ++host) {
    const std::string log = logs.of(host);
    if (log.empty()) continue;
    const std::string name = "worker-" + std::to_string(host);
    std::ofstream file(folder + "/" + name + (summaries ? ".sum" : ".log"), std::ios::binary);
    if (summaries)
      write_summary_of(file, name, log);
    else
      file << log;
    if (!file.flush()) return false;
  }
  return true;
}

}  // namespace
}  // namespace nccl_analyze::test

int main(int argc, char** argv) {
  using namespace nccl_analyze::test;
  FleetFaults faults;
  bool usable = argc >= 5;
  for (int i = 5; usable && i < argc; ++i) usable = set_fault(faults, argv[i]);
  const std::string_view kind = usable ? argv[4] : "";
  if (kind != "logs" && kind != "summaries") {
    std::fputs("usage: simulate_fleet HOSTS CHANNELS FOLDER logs|summaries [dead|nic|late|version=HOST]...\n", stderr);
    return 2;
  }
  const JobShape shape{.hosts = std::atoi(argv[1]), .channels = std::atoi(argv[2])};
  return write_fleet(shape, faults, argv[3], kind == "summaries") ? 0 : 1;
}
