// Tests that pickles are read as data: what PyTorch and Python write, and nothing that names code or never ends.

#include "evidence/pickle.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/evidence_models.h"
#include "testdata.h"

namespace nccl_analyze::evidence {
namespace {

using namespace std::string_literals;

const std::string protocol_2 = "\x80\x02"s;

std::string short_text(const std::string& content) {
  return "\x8c"s + static_cast<char>(content.size()) + content;  // SHORT_BINUNICODE
}

/// A pickle of a dictionary with one member `a`, whose value these opcodes make.
std::string with_value(const std::string& opcodes) { return protocol_2 + "}(" + short_text("a") + opcodes + "u."; }

std::string json_of_value(const std::string& opcodes) {
  const PickledJson read = json_of_pickle(with_value(opcodes));
  return read.wrong.empty() ? read.json.substr(6, read.json.size() - 8) : read.wrong;
}

std::string wrong_of(const std::string& bytes) {
  const PickledJson read = json_of_pickle(bytes);
  CHECK(read.json.empty() == !read.wrong.empty());
  return read.wrong;
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += part;
  return all;
}

std::vector<NamedText> torch_dumps() {
  std::vector<NamedText> dumps;
  for (const char* const rank : {"0", "1", "2", "3"}) {
    const std::string name = "nccl_trace_rank_"s + rank;
    dumps.push_back({name, read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "pickles/straggler" / name)});
  }
  return dumps;
}

}  // namespace

TEST_CASE("pickle: each opcode of data becomes its JSON") {
  CHECK(json_of_pickle(with_value("N")).json == "{\"a\": null}\n");
  const std::vector<std::pair<std::string, std::string>> values{
      {"\x88", "true"},
      {"\x89", "false"},
      {"K\xff", "255"},
      {"M\x01\x02"s, "513"},
      {"J\xff\xff\xff\xff", "-1"},
      {"\x8a\x00"s, "0"},
      {"\x8a\x01\x80", "-128"},
      {"\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80"s, "-9223372036854775808"},
      {"\x8b\x02\x00\x00\x00\x00\x01"s, "256"},
      {"G\x3f\xe0\x00\x00\x00\x00\x00\x00"s, "0.5"},
      {"G\x7f\xf0\x00\x00\x00\x00\x00\x00"s, "null"},  // JSON has no infinity
      {"X\x02\x00\x00\x00xy"s, "\"xy\""},
      {"\x8d\x01\x00\x00\x00\x00\x00\x00\x00x"s, "\"x\""},
      {"\x8c\x03\"\n\xff", "\"\\\"\\n\xEF\xBF\xBD\""},
      {"]", "[]"},
      {")", "[]"},
      {"}", "{}"},
      {"K\x01\x85", "[\n1]"},
      {"K\x01K\x02\x86", "[\n1,\n2]"},
      {"K\x01K\x02K\x03\x87", "[\n1,\n2,\n3]"},
      {"(K\x01K\x02K\x03K\x04t", "[\n1,\n2,\n3,\n4]"},
      {"]K\x01"s + "a", "[\n1]"},
      {"](K\x01K\x02"s + "e", "[\n1,\n2]"},
      {"](](K\x01K\x02"s + "ee", "[\n[1, 2]]"},
      {"}K\x05K\x06s", "{\"5\": 6}"},
      {"}(" + short_text("b") + "K\x06" + short_text("c") + "Nu", "{\"b\": 6, \"c\": null}"},
      {"](K\x07q\x00h\x00"s + "e", "[\n7,\n7]"},
      {"](K\x07r\x00\x00\x00\x00j\x00\x00\x00\x00"s + "e", "[\n7,\n7]"},
      {"](K\x07\x94K\x08\x94h\x01h\x00"s + "e", "[\n7,\n8,\n8,\n7]"},
      {"\x95\x02\x00\x00\x00\x00\x00\x00\x00K\x01"s, "1"},
  };
  for (const auto& [opcodes, json] : values) CHECK(json_of_value(opcodes) == json);
}

TEST_CASE("pickle: members begin lines, and members that no reader reads are left out") {
  const std::string pickle = protocol_2 + "}(" + short_text("version") + short_text("2.10") + short_text("frames") +
                             "]" + short_text("entries") + "](}" + short_text("state") + short_text("started") + "s}(" +
                             short_text("frames") + "]" + short_text("op_id") + "K\x02ueu.";
  CHECK(json_of_pickle(pickle).json ==
        "{\"version\": \"2.10\",\n\"entries\": [\n{\"state\": \"started\"},\n{\"op_id\": 2}]}\n");
}

TEST_CASE("pickle: members that are left out do not count, and texts in them may stand elsewhere, too") {
  const auto with_frames = [](const std::string& frames) {
    return json_of_pickle(protocol_2 + "}(" + short_text("frames") + "](" + frames + "e" + short_text("a") +
                          "h\x00u."s);
  };
  const std::string frame = "}(" + short_text("name") + "\x94K\x01K\x02K\x03\x86\x94" + "u";
  CHECK(with_frames(frame).json == "{\"a\": \"name\"}\n");
  CHECK(with_frames(frame + "\x94" + frame + "]K\x01" + "ah\x00(K\x01K\x02t}K\x01Ns"s).json == "{\"a\": \"name\"}\n");
  const PickledJson many = with_frames(frame + repeated("}(K\x01K\x02u", std::size_t{1} << 20));
  CHECK(many.json == "{\"a\": \"name\"}\n");
  CHECK(with_frames("}(" + short_text("name") + "\x94" + repeated("](", 17))
            .wrong.starts_with("its pickle has values in values of more than 16 levels"));
  CHECK(with_frames(frame + "e").wrong.starts_with("its pickle is damaged"));
  CHECK(with_frames(repeated("N\x94", std::size_t{1} << 22)).is_too_large);
  CHECK_FALSE(with_frames("N").is_too_large);
}

TEST_CASE("pickle: what PyTorch's pickler wrote gives the facts of the JSON") {
  std::vector<NamedText> pickles = torch_dumps(), documents = pickles;
  for (NamedText& one : pickles) {
    const PickledJson read = json_of_pickle(one.text);
    CHECK(read.wrong.empty());
    CHECK(read.size == one.text.size());
    CHECK(read.json.find("train.py") == std::string::npos);
    one.text = read.json;
  }
  for (NamedText& one : documents)
    one.text = read_file(std::filesystem::path(NCCL_ANALYZE_TESTDATA) / "rules/straggler/fires_flight_recorder" /
                         (one.name + ".log"));
  const Model model = model_of(pickles), same = model_of(documents);
  REQUIRE(model.flight_records.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const FlightRecord &one = model.flight_records[i], &other = same.flight_records[i];
    CHECK(one.global_rank == other.global_rank);
    CHECK(one.rank == other.rank);
    CHECK(one.members == other.members);
    CHECK(one.enqueued == other.enqueued);
    CHECK(one.completed == other.completed);
    CHECK(one.sequence == other.sequence);
    CHECK(one.operation == other.operation);
    CHECK(one.elements_in == other.elements_in);
    CHECK(one.elements_out == other.elements_out);
    CHECK(one.started == other.started);
  }
  CHECK(model.flight_records[0].at.line == 10);  // the fifth entry, behind five other lines
  CHECK(findings_of(model, "straggler").front().message == findings_of(same, "straggler").front().message);
  check_same_report(pickles);
}

TEST_CASE("pickle: every other opcode is refused by its name") {
  const std::vector<std::pair<unsigned char, std::string>> refused{{'c', "GLOBAL"},
                                                                   {0x93, "STACK_GLOBAL"},
                                                                   {'R', "REDUCE"},
                                                                   {'b', "BUILD"},
                                                                   {'i', "INST"},
                                                                   {'o', "OBJ"},
                                                                   {0x81, "NEWOBJ"},
                                                                   {0x92, "NEWOBJ_EX"},
                                                                   {0x82, "EXT1"},
                                                                   {0x83, "EXT2"},
                                                                   {0x84, "EXT4"},
                                                                   {'P', "PERSID"},
                                                                   {'Q', "BINPERSID"},
                                                                   {0x97, "NEXT_BUFFER"},
                                                                   {'I', "INT"},
                                                                   {0x98, "READONLY_BUFFER"},
                                                                   {'L', "LONG"},
                                                                   {'F', "FLOAT"},
                                                                   {'S', "STRING"},
                                                                   {'T', "BINSTRING"},
                                                                   {'U', "SHORT_BINSTRING"},
                                                                   {'V', "UNICODE"},
                                                                   {'g', "GET"},
                                                                   {'p', "PUT"},
                                                                   {'d', "DICT"},
                                                                   {'l', "LIST"},
                                                                   {'B', "BINBYTES"},
                                                                   {'C', "SHORT_BINBYTES"},
                                                                   {0x8e, "BINBYTES8"},
                                                                   {0x96, "BYTEARRAY8"},
                                                                   {'0', "POP"},
                                                                   {0x8f, "EMPTY_SET"},
                                                                   {0x90, "ADDITEMS"},
                                                                   {0x91, "FROZENSET"},
                                                                   {'1', "POP_MARK"},
                                                                   {'2', "DUP"}};
  for (const auto& [code, name] : refused)
    CHECK(wrong_of(protocol_2 + static_cast<char>(code)).starts_with("its pickle has " + name + " at byte 2, which "));
  CHECK(wrong_of(protocol_2 + "cos\nsystem\n(X\x02\x00\x00\x00idtR."s) ==
        "its pickle has GLOBAL at byte 2, which names or calls code of Python, and only data is read");
  CHECK(wrong_of(protocol_2 + "\xff") == "its pickle has 0xff at byte 2, which is no opcode");
  CHECK(wrong_of("\x80\x07") == "its pickle has protocol 7 at byte 0");
}

TEST_CASE("pickle: a pickle that is cut off anywhere, or damaged, is no pickle") {
  const std::string dump = torch_dumps().front().text;
  for (std::size_t size = 0; size < dump.size(); size += size < 400 ? 1 : 5)
    CHECK(wrong_of(dump.substr(0, size)) == "its pickle is cut off");
  for (std::size_t at = 2; at < dump.size(); at += at < 400 ? 1 : 5) {
    std::string damaged = dump;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
    wrong_of(damaged);  // no fault is found by the sanitizers
  }
  const std::vector<std::string> damaged_values{
      "K\x01K\x02"s, "K\x01"s + "a", "]K\x01K\x02s", "}K\x01"s + "a", "}(K\x01u"s, "(\x85",
      "h\x00"s,      "q\x01"s,       "e"s,           "K\x01t"s,       "("s};
  for (const std::string& opcodes : damaged_values)
    CHECK(json_of_value(opcodes).starts_with("its pickle is damaged at byte "));
  CHECK(wrong_of(protocol_2 + ".").starts_with("its pickle is damaged"));
  CHECK(wrong_of(protocol_2 + "q\x00"s).starts_with("its pickle is damaged"));
  CHECK(wrong_of(protocol_2 + "].") == "its pickle is no dictionary");
  CHECK(json_of_value("}](K\x01"s + "eNs") == "its pickle has a key that is neither a text nor a number");
  CHECK(json_of_pickle(with_value("N") + "more").size == with_value("N").size());
}

TEST_CASE("pickle: hostile pickles end at limits") {
  CHECK(json_of_value("X\xff\xff\xff\xff" + "x"s).starts_with("its pickle has a text of more than 1 MiB"));
  CHECK(json_of_value("\x8d\xff\xff\xff\xff\xff\xff\xff\xff").starts_with("its pickle has a text of more than 1 MiB"));
  CHECK(json_of_value("\x8c\xff" + "x"s) == "its pickle is cut off");
  CHECK(json_of_value("\x8a\x09" + repeated("\x01", 9)).starts_with("its pickle has a number of more than 64 bits"));
  CHECK(json_of_value("\x8b\xff\xff\xff\xff").starts_with("its pickle has a number of more than 64 bits"));
  CHECK(json_of_value("r\xff\xff\xff\xff").starts_with("its pickle is damaged"));
  const std::string deep = "its pickle has values in values of more than 16 levels";
  CHECK(json_of_value(repeated("](", 15) + repeated("e", 15)) == "[\n" + repeated("[", 14) + repeated("]", 15));
  CHECK(json_of_value(repeated("](", 17) + repeated("e", 17)) == deep);
  CHECK(json_of_value("]q\x00h\x00"s + "a") == deep);  // a list in itself
  const std::string many = "its pickle stands for more than 4 million values, or 64 MiB of JSON";
  std::string bomb = "]\x94";
  for (char i = 0; i < 8; ++i) bomb += "](" + repeated("h"s + i, 100) + "e\x94";
  CHECK(json_of_value("(" + bomb + "t") == many);
  std::string skipped = "}(" + repeated(short_text("frames") + "N", 10000) + "u\x94";
  CHECK(json_of_value("](" + skipped + repeated("h\x00"s, 10000) + "e") == many);
  const std::string long_text = "X\xff\xff\x0f\x00"s + std::string(0xfffff, 'x') + "\x94";
  CHECK(json_of_value("](" + long_text + repeated("h\x00"s, 100) + "e") == many);
  for (const std::string& part : {"("s, "N\x94"s})
    CHECK(wrong_of(protocol_2 + repeated(part, (std::size_t{1} << 22) / part.size() + 1))
              .starts_with("its pickle has more than 4 million values"));
  CHECK(wrong_of(protocol_2 + std::string(max_pickle_size, 'N')) == "it is a pickle of more than 64 MiB");
}

TEST_CASE("pickle: dumps of the flight recorder are told from other pickles and from text") {
  CHECK(is_flight_recorder_pickle(torch_dumps().front().text));
  CHECK(is_flight_recorder_pickle("\x80\x05\x95 collective_seq_id"));
  CHECK_FALSE(is_flight_recorder_pickle("\x80\x06 pg_config"));
  CHECK_FALSE(is_flight_recorder_pickle("\x80\x02 weights"));
  CHECK_FALSE(is_flight_recorder_pickle(protocol_2 + std::string(pickle_head_size, ' ') + "pg_config"));
  CHECK_FALSE(is_flight_recorder_pickle("{\"pg_config\""));
  CHECK(may_be_pickle("\x80"));
  CHECK_FALSE(may_be_pickle(""));
}

}  // namespace nccl_analyze::evidence
