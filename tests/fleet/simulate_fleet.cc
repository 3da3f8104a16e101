// Writes a log or a summary for each host of a simulated job, for measurements and tests of merges:
//   simulate_fleet HOSTS CHANNELS FOLDER logs|summaries [dead=HOST] [nic=HOST] [late=HOST] [version=HOST] [first=HOST]
//                  [end=HOST]
// The job has HOSTS hosts; files are written for those from `first` up to, but not including, `end`.

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

/// The faults of the job, and the hosts whose files are written; end -1: up to the last one.
struct Wanted {
  FleetFaults faults;
  int first = 0, end = -1;
};

/// Sets the host that a word such as `late=7` names; false for any other word.
bool set_host(Wanted& wanted, std::string_view word) {
  const std::pair<std::string_view, int*> names[] = {
      {"dead=", &wanted.faults.dead},       {"nic=", &wanted.faults.nic}, {"late=", &wanted.faults.late},
      {"version=", &wanted.faults.version}, {"first=", &wanted.first},    {"end=", &wanted.end}};
  for (const auto& [name, host] : names)
    if (word.starts_with(name)) {
      *host = std::atoi(word.substr(name.size()).data());
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
bool write_fleet(const JobShape& shape, const Wanted& wanted, const std::string& folder, bool summaries) {
  const FleetLog logs(shape, wanted.faults);
  for (int host = wanted.first; host < (wanted.end < 0 ? shape.hosts : wanted.end); ++host) {
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
  Wanted wanted;
  bool usable = argc >= 5;
  for (int i = 5; usable && i < argc; ++i) usable = set_host(wanted, argv[i]);
  const std::string_view kind = usable ? argv[4] : "";
  if (kind != "logs" && kind != "summaries") {
    std::fputs("usage: simulate_fleet HOSTS CHANNELS FOLDER logs|summaries [dead|nic|late|version|first|end=HOST]...\n",
               stderr);
    return 2;
  }
  const JobShape shape{.hosts = std::atoi(argv[1]), .channels = std::atoi(argv[2])};
  return write_fleet(shape, wanted, argv[3], kind == "summaries") ? 0 : 1;
}
