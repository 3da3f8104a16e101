// What the user expects: its words, the answers to each, and profiles.

#include <algorithm>
#include <string>

#include "catch.h"
#include "nccl_analyze/requirements.h"
#include "testdata.h"

namespace nccl_analyze {
namespace {

LineRef line(std::uint64_t number) { return {SourceId{0}, number}; }

/// `hosts` hosts of `gpus` ranks each, one process a rank.
Model job(int hosts, int gpus) {
  Model model;
  Communicator comm;
  comm.comm_id = 1;
  comm.nranks = hosts * gpus;
  comm.nnodes = hosts;
  comm.first = line(1);
  for (int i = 0; i < comm.nranks; ++i) {
    Process& process = model.processes.emplace_back();
    process.host = "node-" + std::to_string(i / gpus);
    process.host_index = i / gpus;
    process.pid = 100 + i;
    process.library = "NCCL";
    process.version = "2.27.3";
    process.driver = 12080;
    process.network = "IB";
    process.first = process.version_at = process.network_at = line(static_cast<std::uint64_t>(i) + 1);
    Rank& rank = comm.ranks.emplace_back();
    rank.rank = i;
    rank.process = i;
    rank.cuda_dev = rank.nvml_dev = i % gpus;
    rank.local_ranks = gpus;
    rank.connected = bit_of(Algorithm::rings);
  }
  for (int i = 0; i < hosts; ++i) model.hosts.emplace_back().name = "node-" + std::to_string(i);
  model.communicators = {comm};
  return model;
}

std::vector<Check> checks_of(const Model& model, std::string_view words, Report report = {}) {
  const ParsedExpectations parsed = parse_expectations(words);
  REQUIRE(parsed.error == "");
  check_expectations(model, parsed.expectations, all_rules(), report);
  return report.checks;
}

Check check_of(const Model& model, std::string_view word) {
  const std::vector<Check> checks = checks_of(model, word);
  REQUIRE(checks.size() == 1);
  return checks[0];
}

CheckStatus status_of(const Model& model, std::string_view word) {
  INFO(word);
  return check_of(model, word).status;
}

std::string error_of(std::string_view words) { return parse_expectations(words).error; }

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;
constexpr auto unknown = CheckStatus::unknown;

}  // namespace

TEST_CASE("expectations: words become data") {
  const auto parsed = parse_expectations("ranks=16, gdr,version>=2.21,nics=8|32,network!=Socket,");
  CHECK(parsed.error == "");
  REQUIRE(parsed.expectations.size() == 5);
  CHECK(parsed.expectations[0].key == "ranks");
  CHECK(parsed.expectations[0].word == "ranks=16");
  CHECK(parsed.expectations[1].comparison == Comparison::present);
  CHECK(parsed.expectations[2].comparison == Comparison::at_least);
  CHECK(parsed.expectations[3].values == std::vector<std::string>{"8", "32"});
  CHECK(parsed.expectations[4].comparison == Comparison::not_equal);
}

TEST_CASE("expectations: mistakes say what would be right") {
  CHECK(says(error_of("nic=4"), "what can be expected: ranks, nodes"));
  CHECK(says(error_of(""), "empty"));
  CHECK(says(error_of("gdr,,nvlink"), "empty"));
  CHECK(says(error_of("ranks"), "write ranks=N"));
  CHECK(says(error_of("ranks=x"), "needs a number"));
  CHECK(says(error_of("ranks=-1"), "needs a number"));
  CHECK(says(error_of("ranks=99999999999999999999"), "needs a number"));
  CHECK(says(error_of("ranks="), "needs a value"));
  CHECK(says(error_of("gdr=1"), "stands alone"));
  CHECK(says(error_of("network>IB"), "= and != only"));
  CHECK(says(error_of("version>=2|3"), "several values"));
  CHECK(says(error_of("version>=new"), "needs a version"));
  CHECK(says(error_of("gdr!"), "write gdr"));
  CHECK(parse_expectations("gdr,nonsense").expectations.size() == 1);
}

TEST_CASE("expectations: every key has its row on the page") {
  const std::string page = read_file(std::string(NCCL_ANALYZE_SOURCE_DIR) + "/lib/expect/expectations.md");
  for (const ExpectationKey& key : expectation_keys()) {
    INFO(key.key);
    CHECK(says(page, "| `" + std::string(key.form) + "` |"));
    CHECK(parse_expectations(std::string(key.form).replace(std::min(key.form.find('N'), key.form.size()),
                                                           key.form.ends_with("N") ? 1 : 0,
                                                           key.form.ends_with("N") ? "4" : ""))
              .error == "");
  }
}

TEST_CASE("expectations: the size of the job") {
  CHECK(status_of(job(2, 8), "ranks=16") == pass);
  CHECK(status_of(job(2, 8), "ranks=32") == fail);
  CHECK(status_of(job(2, 8), "nodes=2") == pass);
  CHECK(status_of(job(2, 8), "nodes>=3") == fail);
  CHECK(status_of(job(2, 8), "gpus=8") == pass);
  CHECK(status_of(job(2, 4), "gpus=8") == fail);
  CHECK(status_of(Model{}, "ranks=16") == unknown);
  CHECK(status_of(Model{}, "gpus=8") == unknown);
}

TEST_CASE("expectations: one pod of many tells the size, not that its log is all") {
  Model model = job(4, 1);
  model.communicators[0].ranks.resize(1);
  CHECK(status_of(model, "ranks=4") == pass);
  CHECK(status_of(model, "ranks=8") == fail);
  const Check logs = check_of(model, "logs");
  CHECK(logs.status == unknown);
  CHECK(logs.detail == "1 of 4 ranks in this input; nothing is known of ranks 1-3");
  CHECK(status_of(job(4, 1), "logs") == pass);
}

TEST_CASE("expectations: groups of ranks that share processes are one job") {
  // No communicator of all four: two of tensor parallelism, two of data parallelism.
  Model model = job(2, 2);
  const Communicator world = model.communicators[0];
  const auto group = [&](int a, int b) {
    Communicator comm = world;
    comm.comm_id = static_cast<std::uint64_t>(10 * a + b);
    comm.nranks = 2;
    comm.ranks = {world.ranks[static_cast<std::size_t>(a)], world.ranks[static_cast<std::size_t>(b)]};
    return comm;
  };
  model.communicators = {group(0, 1), group(2, 3), group(0, 2), group(1, 3)};
  CHECK(status_of(model, "ranks=4") == pass);
  CHECK(status_of(model, "ranks=8") == fail);
  CHECK(status_of(model, "logs") == pass);

  // Of the other host nothing is there: its ranks may lead further.
  model.communicators = {group(0, 1), group(0, 2), group(1, 3)};
  model.communicators[1].ranks.pop_back();
  model.communicators[2].ranks.pop_back();
  CHECK(status_of(model, "ranks=8") == unknown);
  CHECK(status_of(model, "logs") == unknown);

  // Two worlds of their own are not one of four.
  model.communicators = {group(0, 1), group(2, 3)};
  CHECK(status_of(model, "ranks=4") == fail);
  CHECK(status_of(model, "ranks=2") == pass);
}

TEST_CASE("expectations: processes") {
  Model model = job(2, 2);
  CHECK(status_of(model, "version>=2.21") == pass);
  CHECK(status_of(model, "version=2.27") == pass);
  CHECK(status_of(model, "version=2.2") == fail);
  CHECK(status_of(model, "version<2.27") == fail);
  CHECK(status_of(model, "version<=2.27") == pass);
  CHECK(status_of(model, "driver=12.8") == pass);
  CHECK(status_of(model, "network=ib") == pass);
  CHECK(status_of(model, "network=EFA") == fail);
  CHECK(status_of(model, "network!=Socket") == pass);
  CHECK(status_of(model, "one-version") == pass);
  CHECK(status_of(model, "platform=p5.48xlarge") == unknown);
  for (Process& process : model.processes) process.platform = "P4d";
  CHECK(status_of(model, "platform=p4d.24xlarge") == pass);
  CHECK(status_of(model, "platform=p4de.24xlarge") == fail);
  for (Process& process : model.processes) process.platform = "p4d.24xlarge";
  CHECK(status_of(model, "platform=p4d.24xlarge") == pass);
  CHECK(status_of(model, "platform=p4d.48xlarge") == fail);
  model.processes[3].network = "Socket";
  const Check network = check_of(model, "network=IB");
  CHECK(network.status == fail);
  CHECK(network.detail == "Socket on 1 of 4 processes (node-1); IB on 3 of 4 processes");
  CHECK(status_of(model, "one-network") == fail);
  model.processes[3].network = "";
  CHECK(check_of(model, "network=IB").detail ==
        "no line says which network NCCL uses on 1 of 4 processes (node-1); IB on 3 of 4 processes");
  CHECK(status_of(model, "one-network") == unknown);
  model.processes[2].version = "2.26.2";
  CHECK(status_of(model, "one-version") == fail);
  model.processes[2].version = "";
  CHECK(status_of(model, "version>=2.21") == unknown);
}

TEST_CASE("expectations: a network by the names that users know") {
  Model model = job(1, 1);
  model.processes[0].network = "Libfabric";
  CHECK(status_of(model, "network=EFA") == pass);
  CHECK(status_of(model, "network=AWS Libfabric") == fail);
  model.processes[0].plugins.emplace_back().version = "aws-ofi-nccl 1.9.2, provider tcp;ofi_rxm";
  CHECK(status_of(model, "network=EFA") == fail);
  CHECK(status_of(model, "network=Libfabric") == pass);
  model.processes[0].network = "IBext_v8";
  CHECK(status_of(model, "network=IB|EFA") == pass);
  model.processes[0].network = "";
  model.communicators[0].transports = {"SHM", "NET/FasTrak"};
  CHECK(status_of(model, "network=TCPXO") == pass);
}

TEST_CASE("expectations: NICs, as far as the log shows them") {
  Model model = job(2, 8);
  CHECK(status_of(model, "nics=4") == unknown);
  for (Host& host : model.hosts)
    for (int i = 0; i < 4; ++i) {
      HostNic& nic = host.nics.emplace_back();
      nic.network = "IB";
      nic.index = i;
    }
  // Connections tell these; there may be more.
  CHECK(status_of(model, "nics>=4") == pass);
  CHECK(status_of(model, "nics=8") == unknown);
  CHECK(status_of(model, "nics=2") == fail);
  CHECK(status_of(model, "nics<=2") == fail);
  for (Process& process : model.processes) process.ib_devices = "[0]mlx5_0:1/IB";
  CHECK(status_of(model, "nics=4") == pass);
  CHECK(status_of(model, "nics=8|32") == fail);
  CHECK(status_of(model, "nics-used=4") == unknown);
  for (Rank& rank : model.communicators[0].ranks) rank.nics = rank.rank < 8 ? 0xF : 0x7;
  const Check used = check_of(model, "nics-used=4");
  CHECK(used.status == fail);
  CHECK(used.detail == "3 NICs on 1 of 2 hosts (node-1); 4 NICs on 1 of 2 hosts");
  CHECK(check_of(model, "nics-used").detail == "3 of 4 NICs on 1 of 2 hosts (node-1); 4 of 4 NICs on 1 of 2 hosts");
  CHECK(status_of(model, "nics-used>=3") == pass);
  model.communicators[0].ranks[9].connected = 0;  // its connections may still come
  CHECK(status_of(model, "nics-used=4") == unknown);
  CHECK(status_of(model, "nics-used") == unknown);
  CHECK(status_of(model, "nic-speed>=400") == unknown);
  for (Host& host : model.hosts)
    for (HostNic& nic : host.nics) nic.speed = 400000;
  CHECK(status_of(model, "nic-speed>=400") == pass);
  model.hosts[1].nics[2].speed = 100000;
  CHECK(check_of(model, "nic-speed>=400").detail ==
        "100 to 400 Gbit/s on 1 of 2 hosts (node-1); 400 Gbit/s on 1 of 2 hosts");
}

TEST_CASE("expectations: GPUDirect RDMA and NVLink") {
  Model model = job(2, 2);
  CHECK(status_of(model, "gdr") == unknown);
  for (Host& host : model.hosts) host.network_ends = host.gdr_ends = 8;
  CHECK(status_of(model, "gdr") == pass);
  model.hosts[1].gdr_ends = 7;
  CHECK(status_of(model, "gdr") == fail);
  CHECK(status_of(model, "nvlink") == unknown);
  model.hosts[0].nvlink = model.hosts[1].nvlink = Nvlink::switched;
  CHECK(status_of(model, "nvlink") == pass);
  model.communicators[0].transports = {"SHM"};
  ConnectionGroup shm;
  shm.from = 2;
  shm.to = 3;
  shm.channels = 1;
  for (Rank& rank : model.communicators[0].ranks) rank.node = rank.rank / 2;
  model.communicators[0].nodes.resize(2);
  model.communicators[0].connections = ConnectionList({shm});
  CHECK(check_of(model, "nvlink").detail ==
        "NVLink over NVSwitch, SHM between its GPUs on 1 of 2 hosts (node-1); NVLink over NVSwitch on 1 of 2 hosts");
  model.communicators[0].nodes[1].inferred = true;  // then who shares a node is no fact
  CHECK(status_of(model, "nvlink") == pass);
  model.hosts[0].nvlink = Nvlink::none;
  CHECK(status_of(model, "nvlink") == fail);
}

TEST_CASE("expectations: NVLS and channels") {
  Model model = job(1, 8);
  CHECK(status_of(model, "nvls") == unknown);
  model.communicators[0].nvls_channels = 16;
  CHECK(status_of(model, "nvls") == pass);
  CHECK(status_of(model, "nvlink") == pass);
  model.processes[0].version = "2.20.5";  // prints channels that it does not use
  CHECK(status_of(model, "nvls") == unknown);
  model.processes[0].version = "2.21.5";
  model.communicators[0].nvls_channels = 0;
  CHECK(status_of(model, "nvls") == fail);
  CHECK(status_of(model, "channels>=16") == unknown);
  model.communicators[0].channel_counts = {{16, line(1)}};
  CHECK(status_of(model, "channels>=16") == pass);
  model.communicators[0].channel_counts = {{2, line(1)}, {16, line(2)}};
  CHECK(status_of(model, "channels>=16") == fail);
}

TEST_CASE("expectations: no warning") {
  Model model = job(1, 2);
  CHECK(status_of(model, "no-warning") == pass);
  CHECK(status_of(Model{}, "no-warning") == unknown);
  Incident incident;
  incident.kind = IncidentKind::other_warning;
  incident.evidence.add(line(7));
  model.incidents = {incident};
  Report open;
  open.unexplained_warnings = {0};
  CHECK(checks_of(model, "no-warning", open)[0].status == fail);
  CHECK(status_of(model, "no-warning") == pass);
  Report report;
  report.findings.push_back({.rule = &find_rule("late-rank")->info});
  CHECK(checks_of(model, "no-warning", report)[0].detail == "NCA203 late-rank");
}

TEST_CASE("expectations: findings name who fails, and unknown is said once") {
  Model model = job(2, 2);
  model.processes[3].network = "Socket";
  Report report;
  const auto expected = parse_expectations("network=IB,ranks=4,nvlink,gdr").expectations;
  check_expectations(model, expected, all_rules(), report);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0].rule->id == "NCA801");
  CHECK(report.findings[0].processes == std::vector<Index>{3});
  CHECK(report.findings[0].ranks == std::vector<int>{3});
  CHECK(report.findings[0].evidence.lines == std::vector{line(4)});
  CHECK(report.findings[1].rule->id == "NCA802");
  CHECK(says(report.findings[1].message, "2 of 4 expectations could not be judged: nvlink and gdr"));
  CHECK(report.findings[1].evidence.count > 0);

  Report unjudged;
  check_expectations(model, expected, {}, unjudged);
  CHECK(unjudged.findings.empty());
  CHECK(unjudged.checks.size() == 4);

  Report empty;  // nothing to point at
  check_expectations(Model{}, expected, all_rules(), empty);
  CHECK(empty.findings.empty());
  CHECK(std::ranges::all_of(empty.checks, [](const Check& check) { return check.status == unknown; }));
}

TEST_CASE("expectations: made by hand, they may be nonsense") {
  Report report;
  const std::vector<Expectation> odd{{"x", "no-such-key", Comparison::equal, {}},
                                     {"ranks", "ranks", Comparison::equal, {}},
                                     {"ranks", "ranks", Comparison::less, {"many"}}};
  check_expectations(job(1, 2), odd, all_rules(), report);
  REQUIRE(report.checks.size() == 3);
  CHECK(report.checks[0].status == unknown);
  CHECK(report.checks[1].status == fail);
}

TEST_CASE("profiles: every one is understood, and written as it is read") {
  const std::vector<Profile> profiles = builtin_profiles();
  CHECK(profiles.size() > 10);
  CHECK(std::ranges::is_sorted(profiles, {}, &Profile::name));
  for (const Profile& profile : profiles) {
    INFO(profile.name);
    CHECK(profile.expectations.size() > 5);
    CHECK(std::ranges::count(profile.expectations, "no-warning", &Expectation::key) == 1);
  }
}

TEST_CASE("profiles: a file's mistakes have a line") {
  const auto error = [](std::string_view text) { return parse_profile("my.json", text).error; };
  const ParsedProfile good = parse_profile("my.json", R"({"name": "a", "expect": ["gdr", "nics=4,gpus=8"]})");
  CHECK(good.error == "");
  CHECK(good.profile.name == "a");
  CHECK(good.profile.expectations.size() == 3);
  CHECK(error("{\n\"expect\": [\n\"gdr\",\n\"nic=4\"\n]\n}").starts_with("my.json:4: nothing is called \"nic\""));
  CHECK(error("{\n\"expcet\": []\n}").starts_with("my.json:2: a profile has no \"expcet\""));
  CHECK(error("{\n\n\"expect\": 4}").starts_with("my.json:3: \"expect\" is an array, not a number"));
  CHECK(error("{\"expect\": []}").starts_with("my.json:1: \"expect\" is empty"));
  CHECK(error("{\"name\": \"x\"}").starts_with("my.json:1: \"expect\" is missing"));
  CHECK(error("{\n\"expect\": [\"gdr\"\n").starts_with("my.json:3: this is no JSON"));
  CHECK(error("[]").starts_with("my.json:1: a profile is an object, not an array"));
  CHECK(error("").starts_with("my.json:1: this is no JSON"));
  CHECK(error("\xff\xfe{").starts_with("my.json:1: this is no JSON"));
  CHECK(error("{\"name\": \"a\", \"name\": \"b\"}").starts_with("my.json:1: \"name\" is there twice"));
  CHECK(error(std::string(100000, '[')).starts_with("my.json:1: this is nested too deep"));
  CHECK(error(std::string(2U << 20U, ' ')).starts_with("my.json:1: the file is larger than 1 MiB"));
}

TEST_CASE("profiles: what is said on the spot replaces their words") {
  const auto said = parse_expectations("gpus=4,version>=2.20,version<2.28").expectations;
  const auto profile = parse_expectations("gpus=8,gdr,version>=2.10").expectations;
  const auto all = override_expectations(said, profile);
  REQUIRE(all.size() == 4);
  CHECK(all[0].word == "gpus=4");
  CHECK(all[3].word == "gdr");
}

}  // namespace nccl_analyze
