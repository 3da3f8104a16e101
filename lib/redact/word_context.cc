#include "redact/word_context.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "redact/bytes.h"
#include "redact/forms.h"
#include "redact/name_places.h"
#include "redact/names.h"

namespace nccl_analyze::redact {

namespace {

/// The values of these keys are secrets.
constexpr std::string_view secret_keys[] = {
    "token",       "secret",   "password", "passwd",    "pwd",        "pass",    "apikey",     "api_key",
    "access_key",  "bearer",   "auth",     "cookie",    "credential", "session", "passphrase", "pw",
    "pin",         "otp",      "sid",      "sig",       "key",        "jwt",     "lat",        "lon",
    "phone",       "tel",      "zip",      "signature", "login",      "nonce",   "salt",       "private",
    "credentials", "passcode", "psk",      "pin_code",  "otp_code"};

/// Sentences use these secret keys as plain words, too.
constexpr std::string_view secret_words[] = {"key", "session", "pass", "private", "auth", "lon", "lat", "sig"};

/// The values of these keys are names of persons, of machines, or of what they work on.
constexpr std::string_view keys_of_names[] = {
    "user",     "username",     "logname",   "owner",       "author",   "account",    "acct",      "host",
    "hosts",    "hostname",     "hostlist",  "node",        "nodename", "nodelist",   "cluster",   "clustername",
    "project",  "partition",    "queue",     "namespace",   "pod",      "container",  "entity",    "team",
    "org",      "organization", "tenant",    "domain",      "model",    "dataset",    "bucket",    "image",
    "repo",     "repository",   "addr",      "endpoint",    "server",   "email",      "mail",      "database",
    "cpuset",   "workdir",      "nodeset",   "reservation", "qos",      "comment",    "wckey",     "cluster_name",
    "job_name", "user_name",    "host_name", "run_name",    "run-name", "model_name", "node_name", "job-name"};

/// The values of these keys are names after `=`. After a colon, as in `name: value`, the value may be anything.
constexpr std::array<std::string_view, 4> name_keys_with_sign = {"name", "comm", "task", "jobname"};

/// The values of these options of launchers and shells are names or secrets.
constexpr std::array<std::string_view, 5> name_options = {"-H", "-w", "-u", "-A", "-J"};

/// A number after these words is that of a job, a person or a machine.
constexpr std::string_view id_keys[] = {
    "job",     "jobid",    "job_id",       "uid",      "gid",     "user",    "userid",    "user_id",
    "account", "hostid",   "stepid",       "serial",   "ticket",  "invoice", "order",     "chassis",
    "asset",   "owner",    "project",      "login",    "groups",  "uuid",    "badge",     "employee",
    "staff",   "customer", "student",      "contract", "license", "licence", "extension", "mobile",
    "fax",     "contact",  "subscription", "incident", "groupid", "scancel"};

/// After these words, a sentence may name a person or a machine without `=` or `:`: `connect to host spark port 22`.
constexpr std::string_view keys_in_sentences[] = {"user",     "username", "login",  "owner",     "account", "host",
                                                  "hostname", "node",     "server", "partition", "cluster", "project"};

/// These words may follow the keys in sentences and are no names: words of grammar, what programs report, parts of
/// compound nouns.
constexpr std::string_view no_names_in_sentences =
    " a aborted account added addr address addresses after again agent algo algorithm algorithms all alloc allocated "
    "allocation allocations already also an and annotation annotations any api appear appears application are "
    "argument arguments as ask asked asks at be because been before belong belongs between both bridge buffer buffers "
    "but by call callback calls came can canceled cancelled cannot cause caused causes certificate change changed "
    "changes check checks client closed cluster code codes come comes communicator communicators config configuration "
    "connected consistent container containers could count cpu cpus crashed credentials daemon data dead defined "
    "device devices did died differ differs directory disconnected dma do does down driver drop dropped drops during "
    "each email environment errno error errors event events every exception exceptions exited failed failing fails "
    "failure failures fall falls fell file files find finds folder for found from function gave get gets gid given "
    "gives global go goes gone got gpu gpus group groups guid guide had hangs has hash hashes have health held hit "
    "hits hold holds home host hostname hosts hung id identity ids if in info input interface interfaces interrupt "
    "interrupted into ipc is it item items its itself job jobs joined keep keeps kernel key keys killed label labels "
    "leader left level limit limits list local log login logs lose loses loss losses lost make makes mapped master "
    "match matches may mem memory message messages might mix mixes mode must name named names namespace namespaces "
    "need needed needs network networks never nic nics no node nodes none nor not numa number of offer offers offset "
    "on once only option options or os out over page_size parameter parameters part pass password path per permission "
    "permissions pinned plugin plugins pointer policy pool port ports printed prints process processes program prompt "
    "provided queue queues quota rank ranks read reads ready rebooted receive received receives record refused "
    "registered registration removed report reported reports request requested requests resource resources responded "
    "responding returned rma root run running runs saw say says script see sees selector send sends sent server "
    "service session sessions set sets setting settings setup shall share shares sharing shell should show shown "
    "shows side since size so socket sockets space specified started state status still stopped stream supplied table "
    "take takes task tasks terminated test tests than that the their then there these this thread threads threshold "
    "through time timeout timeouts to token took topology traceback tried tries try type types uid unavailable under "
    "unknown unreachable unresponsive until up use used user username users uses using variable variables version via "
    "wait waited waits was went were when which while who whose will with within without work worker workers would "
    "writes wrote yet ";

/// These words may stand between one of `id_keys` and its number: `job id 8817263`, `asset tag 441277`.
constexpr std::array<std::string_view, 9> links = {"id",  "ids",        "number", "no", "nr",
                                                   "num", "allocation", "array",  "tag"};

/// These words may stand between a secret key and its number: `password is 441277`, `pin code 441277`.
constexpr std::array<std::string_view, 3> links_of_secrets = {"is", "was", "code"};

/// A number after these words is an address in a fabric or a network.
constexpr std::array<std::string_view, 6> fabric_keys = {"lid", "lids", "sm_lid", "port_lid", "vlan", "pkey"};

/// A long number after these words is a count or a time.
constexpr std::string_view count_keys[] = {"numelin", "numelout", "count", "bytes",     "size", "nbytes", "ms",
                                           "nanos",   "time",     "ts",    "timestamp", "ns",   "us",     "at"};

/// Before the name of a NIC in a topology file. A log that stays beside it has the same names.
constexpr std::string_view nic_of_topology = "<net name=\"";

constexpr std::array<std::string_view, 3> settings_with_names = {"NCCL_COMM_ID", "NCCL_HOSTID", "NCCL_RAS_ADDR"};

std::string_view last_part(std::string_view word) {
  const std::size_t at = word.find_last_of("._-");
  return at == std::string_view::npos ? word : word.substr(at + 1);
}

/// Returns the last two parts of a word: `JOB_ID` of `SLURM_JOB_ID`.
std::string_view last_two_parts(std::string_view word) {
  const std::size_t last = word.find_last_of("._-");
  if (last == std::string_view::npos || last == 0) return word;
  const std::size_t at = word.find_last_of("._-", last - 1);
  return at == std::string_view::npos ? word : word.substr(at + 1);
}

/// Which of the lists above contain a key. Most words are in none of them.
struct KeyKinds {
  bool is_secret = false, is_in_sentences = false, is_name = false, is_id = false, is_count = false;
  bool may_be_named = false, is_of_fabric = false;
};

KeyKinds kinds_of(std::string_view key) {
  static const std::unordered_map<std::string_view, KeyKinds> all = [] {
    std::unordered_map<std::string_view, KeyKinds> made;
    for (const std::string_view word : secret_keys) made[word].is_secret = true;
    for (const std::string_view word : secret_words) made[word].is_in_sentences = true;
    for (const std::string_view word : keys_of_names) made[word].is_name = true;
    for (const std::string_view word : id_keys) made[word].is_id = true;
    for (const std::string_view word : count_keys) made[word].is_count = true;
    for (const std::string_view word : keys_in_sentences) made[word].may_be_named = true;
    for (const std::string_view word : fabric_keys) made[word].is_of_fabric = true;
    return made;
  }();
  const auto found = all.find(key);
  return found == all.end() ? KeyKinds{} : found->second;
}

/// Returns the kinds of the last part of a word and of its last two, such as `job_id` of `SLURM_JOB_ID`.
KeyKinds kinds_of_word(std::string_view word) {
  const std::string key = lowered(last_two_parts(word));
  const std::string_view last = last_part(key);
  KeyKinds kinds = kinds_of(last);
  if (last.size() == key.size()) return kinds;
  const KeyKinds longer = kinds_of(key);
  kinds.is_secret = kinds.is_secret || longer.is_secret;
  kinds.is_name = kinds.is_name || longer.is_name;
  kinds.is_id = kinds.is_id || longer.is_id;
  return kinds;
}

/// Whether a word after a key such as `host` or `user` in a sentence is a name.
bool is_name_in_sentence(std::string_view word) {
  return no_names_in_sentences.find(' ' + lowered(word) + ' ') == std::string_view::npos && !tells_nothing(word);
}

bool is_quote(char c) { return c == '"' || c == '\'' || c == '\\'; }

/// How a value follows its key.
enum class Sign : unsigned char { none, equals, colon, glued, blank };

/// Returns equals for `key=1` and `"key": 1`; colon for `key: 1` and `key   : 1`, which a sentence may have; glued for
/// `key:1`; blank for `key 1`.
Sign sign_of(std::string_view behind) {
  if (behind.starts_with('#')) behind.remove_prefix(1);  // `Serial#: 16545220`
  const std::size_t quotes = end_of(behind, 0, is_quote);
  const std::size_t at = quotes == 0 ? end_of(behind, 0, [](char c) { return c == ' '; }) : quotes;
  if (at >= behind.size()) return Sign::none;
  if (behind[at] == '=') return quotes == at ? Sign::equals : Sign::none;
  if (behind[at] == ':' && quotes > 0) return Sign::equals;
  if (behind[at] == ':' && behind.substr(at + 1).starts_with(' ')) return Sign::colon;
  if (behind[at] == ':' && at == 0 && behind.size() > 1 && is_digit(behind[1])) return Sign::glued;
  return quotes == 0 && at == 1 ? Sign::blank : Sign::none;
}

/// Whether one word follows the colon, and then nothing or another key: `user: ray, host: page`.
bool is_single_value(std::string_view behind) {
  constexpr std::string_view ends = " ,;)}]\"'";
  const std::size_t begin = end_of(behind, 0, [](char c) { return c == ' ' || c == ':' || is_quote(c); });
  const std::size_t end = std::min(behind.find_first_of(ends, begin), behind.size());
  return end == behind.size() || behind[end] != ' ' || behind.find_first_not_of(' ', end) == behind.npos;
}

/// Whether a word looks like the name of a setting, as `NCCL_DEBUG` does.
bool is_name_of_setting(std::string_view word) {
  return word.find('_') != std::string_view::npos &&
         std::ranges::all_of(word, [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
}

}  // namespace

bool is_key_of_secret(std::string_view word) { return kinds_of(lowered(word)).is_secret; }

bool is_setting_with_name(std::string_view setting) { return is_among(settings_with_names, setting); }

bool WordContext::expect(Value value, bool ends_at_blank) {
  value_ = value;
  has_begun_ = false;
  ends_at_blank_ = ends_at_blank;
  return true;
}

void WordContext::read_before(std::string_view word, std::string_view behind) { expect_behind(word, behind); }

void WordContext::begin_word(std::string_view behind) {
  if (has_begun_ && is_behind_comma_ && behind.starts_with('=')) value_ = Value::plain;
}

bool WordContext::hides(std::string_view word, std::string_view before) const {
  constexpr std::size_t fewest_of_id = 3, longest_port = 5, longest_index = 2;
  const std::size_t digits = digits_in(word);
  const bool is_number = digits == word.size();
  if (hides_all_ || value_ == Value::hidden) return !tells_nothing(word);
  switch (value_) {
    case Value::name:
      if (before.ends_with(nic_of_topology) && is_interface(lowered(word))) return false;
      if (!is_number) return !is_word_of_prefix(lowered(word)) && !tells_nothing(word);
      return word.size() > (before.ends_with(':') ? longest_port : longest_index);
    case Value::numbers:
      return digits > 0;
    case Value::id:
      return digits >= fewest_of_id;
    case Value::person:
      return digits >= fewest_of_id || (!is_number && (digits > 0 || is_name_in_sentence(word)));
    case Value::machine:
      return !is_number && (digits > 0 || is_name_in_sentence(word));
    case Value::fabric:
      return digits > 0 && word.find_first_not_of("0xX") != word.npos;
    case Value::mixed:
      return digits > 0 && !is_number;
    default:
      return false;
  }
}

void WordContext::read_name(std::string_view behind) {
  // The number of a user may follow the name in brackets: `user alice(12034)`.
  const bool has_number = behind.starts_with('(') && behind.substr(end_of(behind, 1, is_digit)).starts_with(')');
  if (ends_at_blank_ && value_ != Value::name && !has_number) value_ = Value::plain;
  if (behind.starts_with('=')) expect(Value::hidden, true);
  has_begun_ = true;
  is_first_ = false;
}

/// Notes what the value after a key may be. Returns whether the word is such a key.
bool WordContext::expect_behind(std::string_view word, std::string_view behind) {
  const Sign sign = sign_of(behind);
  if (sign == Sign::none) return false;
  // `S/N 16545220` and `SN: 16545220`, but not `coll_sn`, which counts operations.
  constexpr std::array<std::string_view, 3> serials = {"SN", "sn", "Sn"};
  const bool is_serial = is_behind_s_ ? word == "N" || word == "n" : word.size() == 2 && is_among(serials, word);
  const KeyKinds key = kinds_of_word(is_serial ? "serial" : word);
  is_secret_ = key.is_secret;
  if (sign == Sign::glued)
    return (word == "UID" && expect(Value::numbers, true)) || (key.is_of_fabric && expect(Value::fabric, true));
  const bool is_option = sign == Sign::blank && word.starts_with('-') && behind.substr(1, 1) != "-";
  const bool has_sign = sign == Sign::equals || is_option;
  if (key.is_secret) {
    if (sign == Sign::blank && !is_option && key.is_in_sentences) return false;
    return expect(sign == Sign::blank && !is_option ? Value::id : Value::hidden, sign != Sign::colon);
  }
  const bool has_name = (key.is_name && has_sign) || (is_option && is_among(name_options, word)) ||
                        (sign == Sign::blank && word == "commName");
  if (has_name || (behind.starts_with('=') && is_among(name_keys_with_sign, word))) return expect(Value::name, true);
  if (key.is_name && sign == Sign::colon && is_single_value(behind)) return expect(Value::name, false);
  if (key.is_of_fabric || (word == "ip" && behind.starts_with('='))) return expect(Value::fabric, true);
  if (key.may_be_named && sign == Sign::blank && !is_behind_pcie_ && end_of(word, 0, is_letter) == word.size())
    return expect(key.is_id ? Value::person : Value::machine, true);
  if (key.is_id || word == "STEP") return expect(sign == Sign::blank ? Value::id : Value::numbers, true);
  if (key.is_name && sign == Sign::blank) return expect(Value::mixed, true);
  return key.is_count && sign != Sign::blank && expect(Value::count, true);
}

/// Whether the number of the last key may follow this word.
bool WordContext::is_link(std::string_view word) const {
  while (word.ends_with('.')) word.remove_suffix(1);
  const std::string link = lowered(word);
  return is_among(links, link) || (is_secret_ && is_among(links_of_secrets, link));
}

void WordContext::read_word(std::string_view word, std::string_view behind, bool is_masked) {
  const Sign sign = sign_of(behind);
  while (!word.empty() && is_other_letter(word.front())) word.remove_prefix(1);
  const bool was_value = value_ != Value::plain && value_ != Value::count;
  const bool has_number =
      value_ == Value::id || value_ == Value::person || value_ == Value::numbers || value_ == Value::fabric;
  if (has_number && !has_begun_ && is_link(word)) return;
  has_begun_ = true;
  if (has_setting_ && word == "to" && behind.starts_with(' ')) return void(expect(Value::hidden, true));
  const bool ends_before = sign == Sign::equals || ((sign == Sign::blank || sign == Sign::colon) && ends_at_blank_);
  const bool is_key = value_ != Value::hidden || ends_before;
  const bool is_known = is_key && expect_behind(word, behind);
  if (!is_known && is_masked && sign == Sign::equals) expect(Value::hidden, true);
  if (!is_known && is_masked && !was_value && sign == Sign::colon && is_first_) expect(Value::numbers, true);
  has_setting_ = has_setting_ || (is_masked && is_name_of_setting(word)) || is_setting_with_name(word);
  is_first_ = false;
  is_behind_pcie_ = word == "PCIe";
  is_s_ = word == "S" || word == "s";
  is_behind_s_ = false;
}

void WordContext::read_sign(char sign) {
  constexpr std::string_view ends = ";&)}]\"'";
  is_behind_comma_ = sign == ',';
  is_behind_s_ = std::exchange(is_s_, false) && sign == '/';
  const bool ends_list = is_behind_comma_ && (!ends_at_blank_ || value_ == Value::count);
  const bool ends_value = ends.find(sign) != std::string_view::npos || (sign == ' ' && ends_at_blank_) || ends_list;
  if (has_begun_ && ends_value) value_ = Value::plain;
}

}  // namespace nccl_analyze::redact
