// Fuzzes the redaction of logs. No name or address of the table and no planted secret may remain in the output, the
// lines stay as many, and a second redaction brings no dropped line back.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz.h"
#include "redact/bytes.h"
#include "redact/forms.h"
#include "redact/redaction.h"
#include "redact/vocabulary.h"
#include "text/training_steps.h"

namespace nccl_analyze {
namespace {

using redact::Redaction;

std::string redacted(Redaction& redaction, std::string_view log) {
  std::string text;
  const auto out = [&](std::string_view bytes) { text += bytes; };
  redaction.begin("fuzz.log");
  redaction.survey(log);
  redaction.end();
  redaction.choose();
  redaction.begin_rewriting();
  redaction.rewrite(log, out);
  redaction.end_rewriting(out);
  return text;
}

/// Whether `text` holds a name as a word.
bool holds(std::string_view text, std::string_view name) {
  const auto continues = [&](std::size_t at) { return at < text.size() && redact::is_name_byte(text[at]); };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
    if ((at == 0 || !continues(at - 1)) && !continues(at + name.size())) return true;
  return false;
}

/// A kept line without its content: what takes the place of other lines, and blank lines, stay what they are.
std::string structure(std::string_view text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    lines += line == "#" || line.starts_with(dropped_line) ? '#' : 'x';
    at = end;
  }
  return lines;
}

/// Secrets, and what of them may not remain, in lower case. Numbers with points are none of them: after `version` they
/// stay.
struct Secret {
  std::string_view text, needle;
};
constexpr std::array<Secret, 13> secrets{{
    {"zqxjkvb-417.wqzvk.internal", "zqxjkvb"},
    {" /fsx/zqxjkvb/run.py ", "zqxjkvb"},
    {"host='zqxjkvb'", "zqxjkvb"},
    {"ZQXJKVB", "zqxjkvb"},
    {" 2a01:7e01:1f2b:9c3d::55 ", "7e01:1f2b"},
    {" b8:ce:f6:12:34:56 ", "ce:f6:12"},
    {" b8ce.f612.3456 ", "f612.3456"},
    {"hf_qVzxkWjQpLmYtRsQwZv", "qvzxkwjqplmytrsqwzv"},
    {"Bearer zyJhbGciOiJIUzI1NiJ9.zyJzdWIiOiJ4In0", "zyjhbgcioijiuzi1nij9"},
    {"AWS_SECRET_ACCESS_KEY=zQalrXUtnFzMI/K7MDzNG", "zqalrxutnfzmi"},
    {"\"zassword\": \"zunterq2\"", "zunterq2"},
    {" GPU-7e01f2b9-c3d5-5a6b-8c9d-0e1f2a3b4c5d", "7e01f2b9-c3d5"},
    {"zqxjkvb.errors.ZqxjkvbError: ", "zqxjkvb"},
}};

/// Returns `place`, or if it is inside a path below the packages of Python, all of which stays, the place behind the
/// path.
std::size_t outside_of_packages(std::string_view log, std::size_t place) {
  constexpr std::string_view blanks = " \n\r\t", folder = "-packages/";
  const std::size_t end = std::min(log.find_first_of(blanks, place), log.size());
  const std::size_t before = log.find_last_of(blanks, place == 0 ? 0 : place - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before;
  return log.substr(begin, end - begin).find(folder) == std::string_view::npos ? place : std::min(end + 1, log.size());
}

/// Plants a secret that `choice` says near the place that it says.
const Secret& plant(std::string& log, unsigned choice) {
  const Secret& secret = secrets[choice % secrets.size()];
  log.insert(outside_of_packages(log, choice / secrets.size() * 31 % (log.size() + 1)), secret.text);
  return secret;
}

}  // namespace
}  // namespace nccl_analyze

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nccl_analyze;
  if (size < 2) return 0;
  std::string log(fuzz::view_of(data + 2, size - 2));
  const bool is_known = redact::lowered(log).find("zqxjkvb") != std::string::npos;  // mutated into something else
  const Secret& secret = plant(log, data[0] / 2U + data[1] * 128U);
  Redaction redaction(data[0] % 2 == 1);
  const std::string text = redacted(redaction, log);
  const std::vector<std::string> common = redaction.common_words();
  const std::string lower = redact::lowered(text);
  if (!is_known && lower.find(secret.needle) != std::string::npos) std::abort();
  for (const redact::StandIn& row : redaction.stand_ins()) {
    if (row.text.size() != row.original.size()) std::abort();
    if (row.kind == "guid" || row.kind == "prefix" || row.kind == "file" || row.kind == "word" ||
        row.text == row.original)
      continue;
    // A host that is called like a version or a word of NCCL stays where NCCL prints such.
    // So does the end of a version into which a host has run whose name is harmless: `2.20.5+cuda12.4gpu2`.
    const bool is_end_of_version =
        row.original.starts_with("cuda") && row.original.size() > 4 && redact::is_digit(row.original[4]);
    // And a host that is called like a hexadecimal number stays where NCCL prints numbers: `seq adf/adf`.
    const bool is_number = std::ranges::all_of(row.original, redact::is_hex);
    const bool is_harmless = is_end_of_version || is_number || redact::is_harmless_word(row.original) ||
                             redact::form_of(row.original) != redact::Form::unknown;
    if (!is_harmless && std::ranges::find(common, row.original) == common.end() && holds(lower, row.original))
      std::abort();
  }
  Redaction again(data[0] % 2 == 1);
  const std::string once = structure(text), twice = structure(redacted(again, text));
  for (std::size_t i = 0; i < once.size(); ++i)
    if (once.size() != twice.size() || (once[i] == '#' && twice[i] != '#')) std::abort();
  return 0;
}
