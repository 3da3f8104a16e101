#pragma once
/// A small job built by hand for the tests of the writers.

#include <string>
#include <string_view>
#include <utility>

#include "nccl_analyze/report.h"

namespace nccl_analyze::test {

inline const std::string hostile = "\x1b[31m\"\\N\\G<b>&#27;\xff\xc0\xaf\xed\xa0\x80\xe2\x80\xae\x9b\x7f\n";

inline constexpr RuleWords fault_words{.title = "A network plugin was found but failed",
                                       .explanation = "The plugin\nfailed.\n\n- one\n- two",
                                       .fix = "1. Ask for the device.\n2. Look at `FI_PROVIDER`."};
inline constexpr RuleWords note_words{
    .title = "Ranks without a log", .explanation = "Explained.", .fix = "Give all logs."};
inline const RuleInfo fault{
    .id = "NCA301", .name = "net-plugin-failed", .severity = Severity::error, .words = &fault_words};
inline const RuleInfo note{.id = "NCA101", .name = "partial-input", .severity = Severity::info, .words = &note_words};

inline LineRef line(std::uint64_t number) { return {SourceId{0}, number}; }

inline Evidence evidence_at(std::uint64_t number, std::uint64_t count = 1) {
  Evidence evidence;
  evidence.lines = {line(number)};
  evidence.count = count;
  return evidence;
}

inline Process process_on(std::string host) {
  Process process;
  process.host = std::move(host);
  process.pid = 152;
  process.library = "NCCL";
  process.version = "2.27.3";
  process.toolkit = "12.9";
  process.driver = 13000;
  process.network = "Socket";
  process.bootstrap_interface = "eth0";
  process.info_seen = true;
  process.env["NCCL_SOCKET_IFNAME"] = {"^docker0,lo", line(1)};
  return process;
}

inline Rank rank_of(int number, Index process) {
  Rank rank;
  rank.rank = number;
  rank.process = process;
  rank.comm = 0x562b2c1973d0;
  rank.cuda_dev = 0;
  rank.bus_id = 0x36000;
  rank.has_bus_id = true;
  rank.state = RankState::complete;
  rank.bootstrap_seconds.emplace();
  rank.bootstrap_seconds->recv = 59.819732;
  return rank;
}

inline Connection connection_between(int from, int to, std::int16_t channel) {
  Connection connection;
  connection.from = from;
  connection.to = to;
  connection.channel = channel;
  connection.device = 0;
  connection.seen_receive = true;
  return connection;
}

inline Communicator ring_of_four() {
  Communicator communicator;
  communicator.comm_id = 0xbc42413ad5ab3a45;
  communicator.created_by = "ncclCommInitRankConfig";
  communicator.nranks = communicator.nnodes = 4;
  communicator.channels = 1;
  communicator.ranks = {rank_of(0, 0)};
  communicator.transports = {"NET/Socket", "SHM"};
  communicator.connections = {connection_between(0, 1, 0), connection_between(3, 0, 0)};
  communicator.rings = {{0, {0, 1, 2, 3}, true, false}};
  communicator.trees = {{0, {{0, 2}, {2, 1}}}};
  communicator.first = line(2);
  return communicator;
}

inline Model small_model(std::string host = "worker-0") {
  Model model;
  model.sources = {{"worker-0.log", {.bytes = 900, .lines = 10, .nccl_lines = 8, .unrecognized = 2}}};
  model.processes = {process_on(std::move(host))};
  model.processes[0].communicator = 0;
  model.communicators = {ring_of_four()};
  model.unrecognized = {{"what is this", 2, line(7)}};
  model.quotes = {{line(3), "worker-0:152:152 [0] NCCL WARN it failed"}};
  return model;
}

inline Report small_report() {
  Finding finding{.rule = &fault};
  finding.message = "aws-ofi-nccl 1.16.2 failed: no eligible provider.";
  finding.evidence = evidence_at(3, 7);
  finding.communicators = {0};
  finding.processes = {0, -1};
  finding.ranks = {0};
  Report report;
  report.findings = {finding};
  report.not_evaluated = {{"NCA304", "no line of the subsystem NET", "NCCL_DEBUG_SUBSYS=INIT,NET"}};
  report.checks = {{"network", CheckStatus::fail, "Socket"}};
  return report;
}

/// Whether the text has control characters (C0 or C1) other than line feeds, which a terminal might interpret.
inline bool has_controls(std::string_view written) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto byte = static_cast<unsigned char>(written[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return true;
    if (byte == 0xC2 && i + 1 < written.size() && static_cast<unsigned char>(written[i + 1]) < 0xA0) return true;
  }
  return false;
}

inline bool contains(std::string_view whole, std::string_view part) {
  return whole.find(part) != std::string_view::npos;
}

}  // namespace nccl_analyze::test
