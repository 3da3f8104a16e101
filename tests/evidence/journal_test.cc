// Tests entries of systemd's journal: the message is taken from every form that journalctl prints, other fields are
// never taken for it, and a failure belongs to the process that printed it.

#include "evidence/journal.h"

#include "evidence_models.h"

namespace nccl_analyze {
namespace {

using evidence::read_journal_entry;

constexpr std::string_view started = "node-0:101:109 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.2<0>";

/// A value of MESSAGE as a list of bytes.
std::string bytes_of(std::string_view text) {
  std::string list = "[";
  for (const char c : text)
    list += (list.size() > 1 ? "," : "") + std::to_string(static_cast<unsigned>(static_cast<unsigned char>(c)));
  return list + "]";
}

/// An entry whose command line holds the words of a record and of a failure.
std::string entry_of(std::string_view message, std::string_view pid = "101", std::string_view more = {}) {
  return R"({"_CMDLINE":"grep other:7:7 [0] NCCL WARN CUDA out of memory","_HOSTNAME":"node-0.example.org",)"
         R"("__CURSOR":"s=1","MESSAGE":)" +
         std::string(message) + R"(,"_PID":")" + std::string(pid) + R"(","__REALTIME_TIMESTAMP":"1772368496789123")" +
         std::string(more) + "}\n";
}
std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string message_of(std::string_view value) {
  const auto entry = read_journal_entry(entry_of(value));
  return entry ? entry->message : "none";
}

}  // namespace

TEST_CASE("evidence: the message of an entry is a string, bytes, or several of these") {
  CHECK(message_of(R"("a \"b\"\t\u00e9")") == "a \"b\"\t\xc3\xa9");
  CHECK(message_of(bytes_of("\x1b[31mred\xff")) == "\x1b[31mred\xff");
  CHECK(message_of(R"(["a",[98,99],"d"])") == "a\nbc\nd");
  CHECK(message_of("[]").empty());
  for (const char* value :
       {"null", "7", "[256]", "[-1]", "[1,\"a\"]", "[1.5]", "[[[98]]]", "{\"a\":1}", "[{}]", "true"})
    CHECK(message_of(value) == "none");
}

TEST_CASE("evidence: host, process and time of an entry") {
  const auto entry = read_journal_entry(entry_of("\"x\"", "101", R"(,"CONTAINER_NAME":"train")"));
  REQUIRE(entry);
  CHECK(entry->host == "node-0");
  CHECK(entry->pid == 101);
  CHECK(entry->container == "train");
  CHECK(entry->time == "1772368496789123");
  CHECK(read_journal_entry(entry_of("\"x\"", "1x"))->pid == -1);
  CHECK(read_journal_entry(entry_of("\"x\"", "-5"))->pid == -1);
  CHECK(read_journal_entry(entry_of("\"x\"", "", R"(,"_TRANSPORT":"kernel")"))->pid == 0);
}

TEST_CASE("evidence: what is no whole entry is read as any other line") {
  CHECK_FALSE(read_journal_entry(""));
  CHECK_FALSE(read_journal_entry(R"({"MESSAGE":"x"})"));
  CHECK_FALSE(read_journal_entry(R"(["MESSAGE","__REALTIME_TIMESTAMP"])"));
  CHECK_FALSE(read_journal_entry(R"({"a":"\"MESSAGE\"","__REALTIME_TIMESTAMP":"1"})"));
  const std::string whole = entry_of(quoted(started));
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) CHECK_FALSE(read_journal_entry(whole.substr(0, size)));
}

TEST_CASE("evidence: records of the journal are those of the log") {
  std::string log(started);
  log.append(
      "\nnode-0:101:109 [0] NCCL INFO Using network Socket\n"
      "node-0:101:109 [0] NCCL INFO ncclCommInitRankConfig comm 0x5 rank 0 nranks 2 cudaDev 0 nvmlDev 0 "
      "busId 1000 commId 0x5eed - Init START\n");
  std::string journal;
  std::size_t number = 0;
  for (std::size_t at = 0; at < log.size(); ++number) {
    const std::size_t end = log.find('\n', at);
    const std::string line = log.substr(at, end - at);
    journal += entry_of(number == 1 ? bytes_of("\x1b[32m" + line + "\x1b[0m") : quoted(line));
    at = end + 1;
  }
  const Model expected = model_of_text(log), model = model_of_text(journal);
  REQUIRE(model.processes.size() == 1);
  CHECK(model.processes[0].host == "node-0");
  CHECK(model.processes[0].pid == 101);
  CHECK(model.processes[0].network == expected.processes[0].network);
  CHECK(model.communicators.size() == 1);
  CHECK(model.sources[0].stats.nccl_lines == 3);
  REQUIRE(model.quotes.size() == expected.quotes.size());
  for (std::size_t i = 0; i < model.quotes.size(); ++i) CHECK(model.quotes[i].text == expected.quotes[i].text);
  check_same_report(journal);
}

TEST_CASE("evidence: a failure in the journal is of the process that printed it") {
  const std::string failure = R"("CUDA out of memory. Tried to allocate 2.00 GiB")";
  const auto process_of = [&](const std::string& journal) {
    const Model model = model_of_text(journal);
    REQUIRE(model.processes.size() == 2);
    REQUIRE(model.incidents.size() == 1);
    check_same_report(journal);
    return model.incidents[0].process;
  };
  const std::string second = "node-0:102:110 [1] NCCL INFO Bootstrap: Using eth0:10.0.0.2<0>";
  const std::string both = entry_of(quoted(started)) + entry_of(quoted(second), "102");
  CHECK(process_of(both + entry_of(failure, "102")) == 1);
  CHECK(process_of(both + entry_of(failure, "101")) == 0);
  CHECK(process_of(both + entry_of(failure, "103")) == -1);
  CHECK(process_of(both + entry_of(failure, "")) == -1);
}

TEST_CASE("evidence: a failure of another process or of the kernel is not of the only process of the journal") {
  const auto process_of = [](const std::string& entry) {
    const Model model = model_of_text(entry_of(quoted(started)) + entry);
    REQUIRE(model.incidents.size() == 1);
    return model.incidents[0].process;
  };
  const std::string failure = R"("CUDA out of memory. Tried to allocate 2.00 GiB")";
  CHECK(process_of(entry_of(failure)) == 0);
  CHECK(process_of(entry_of(failure, "7")) == -1);
  CHECK(process_of(entry_of(R"("NVRM: Xid (PCI:0000:4b:00): 79, GPU has fallen off the bus.")", "",
                            R"(,"_TRANSPORT":"kernel")")) == -1);
}

}  // namespace nccl_analyze
