// Embeds the library: parses a buffer and asks for the findings.

#include <nccl_analyze/nccl_analyze.h>

#include <iostream>
#include <string_view>
#include <utility>

using namespace nccl_analyze;

namespace {

constexpr std::string_view log =
    "node-a:41:41 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.1<0>\n"
    "node-a:41:41 [0] NCCL INFO cudaDriverVersion 12040\n"
    "node-a:41:41 [0] NCCL INFO NCCL version 2.27.3+cuda12.9\n"
    "node-a:41:90 [0] NCCL INFO Using network Socket\n"
    "node-a:41:90 [0] NCCL INFO ncclCommInitRank comm 0x5581 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1000 "
    "commId 0xabc - Init START\n"
    "node-a:41:90 [0] misc/socket.cc:71 NCCL WARN socketProgress: Connection closed by remote peer "
    "node-b<45678>\n";

Model parse(std::string_view bytes) {
  ModelBuilder builder;
  Parser parser(SourceId{0}, [&](const Record& record) { builder.add(record); });
  parser.feed(bytes);  // As often as there are bytes, cut anywhere.
  parser.finish();
  builder.add_source(SourceId{0}, "buffer", parser.stats());
  return std::move(builder).build();
}

}  // namespace

int main() {
  const Model model = parse(log);
  const Report report = analyze(model);
  std::cout << "nccl_analyze " << version() << ": " << model.processes.size() << " process, "
            << model.communicators.size() << " communicator, " << report.findings.size() << " findings\n";
  for (const Finding& finding : report.findings)
    std::cout << finding.rule->id << ' ' << to_string(finding.severity()) << ": " << finding.occurrence.message << '\n';
  return model.communicators.empty() || report.findings.empty() ? 1 : 0;
}
