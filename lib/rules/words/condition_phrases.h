#pragma once
/// Puts the conditions of a rule's steps into words, for readers who look up the rule without a log.

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace nccl_analyze {

/// A term of a condition (lib/rules/advice/conditions.cc) in words; `{}` stands for its argument.
struct ConditionPhrase {
  std::string_view name, words;
};
constexpr std::array condition_phrases = {
    ConditionPhrase{"anywhere", "a line of the log says {}"},
    ConditionPhrase{"aspect", "the form of the fault is {}"},
    ConditionPhrase{"aws", "on AWS"},
    ConditionPhrase{"bridge", "where the peer has the address of a bridge of Docker"},
    ConditionPhrase{"call", "{} failed"},
    ConditionPhrase{"case", "{}"},
    ConditionPhrase{"container", "in a container"},
    ConditionPhrase{"cuda", "with CUDA error {}"},
    ConditionPhrase{"driver", "with a driver {}"},
    ConditionPhrase{"efa", "over EFA"},
    ConditionPhrase{"errno", "with errno {}"},
    ConditionPhrase{"google", "on Google Cloud"},
    ConditionPhrase{"gpu", "with a {}"},
    ConditionPhrase{"handle", "with memory handles of {}"},
    ConditionPhrase{"infiniband", "with InfiniBand"},
    ConditionPhrase{"instance", "on an instance {}"},
    ConditionPhrase{"ipv4-gid", "the GID holds an IPv4 address"},
    ConditionPhrase{"ipv6", "over IPv6"},
    ConditionPhrase{"kind", "the kind of the fault is {}"},
    ConditionPhrase{"known", "{} is known"},
    ConditionPhrase{"kubernetes", "on Kubernetes"},
    ConditionPhrase{"lacks", "the pod does not ask for {}"},
    ConditionPhrase{"library", "with {}"},
    ConditionPhrase{"link-local", "the GID is link-local"},
    ConditionPhrase{"message", "the message says {}"},
    ConditionPhrase{"mnnvl", "where NVLink spans hosts (MNNVL)"},
    ConditionPhrase{"network", "over the network {}"},
    ConditionPhrase{"nvlink", "with NVLink"},
    ConditionPhrase{"one-host", "on one host"},
    ConditionPhrase{"past-bootstrap", "after the bootstrap"},
    ConditionPhrase{"peer", "the peer's address begins with {}"},
    ConditionPhrase{"place", "the message comes from {}"},
    ConditionPhrase{"plugin", "with the plugin {}"},
    ConditionPhrase{"provider", "with libfabric's provider {}"},
    ConditionPhrase{"raised", "where a program raised it as an exception"},
    ConditionPhrase{"result", "with result {}"},
    ConditionPhrase{"roce", "with RoCE"},
    ConditionPhrase{"setting", "with {}"},
    ConditionPhrase{"several-hosts", "on several hosts"},
    ConditionPhrase{"slurm", "under Slurm"},
    ConditionPhrase{"sm", "with GPUs of sm {}"},
    ConditionPhrase{"sockets", "over TCP sockets"},
    ConditionPhrase{"status", "with status {}"},
    ConditionPhrase{"survived", "the job went on"},
    ConditionPhrase{"toolkit", "with a library built for CUDA {}"},
    ConditionPhrase{"version", "with a version {}"},
    ConditionPhrase{"xid", "with Xid {}"},
};

/// Returns the argument of the term `name` in words: `phase is bootstrap` for `phase=bootstrap` after `case`, and
/// capitals for the placeholder after `known`.
inline std::string argument_in_words(std::string_view name, std::string_view argument) {
  std::string text(argument);
  if (name == "known")
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (name != "case") return text;
  const std::size_t equals = text.find('=');
  return equals == std::string::npos ? text + " is known" : text.replace(equals, 1, " is ");
}

inline std::string term_in_words(std::string_view term) {
  const bool is_negated = term.starts_with("not ");
  if (is_negated) term.remove_prefix(4);
  const std::string_view name = term.substr(0, term.find(' '));
  const std::string_view argument = name.size() == term.size() ? std::string_view{} : term.substr(name.size() + 1);
  std::string text(term);
  for (const ConditionPhrase& phrase : condition_phrases)
    if (phrase.name == name) text = phrase.words;
  if (const std::size_t hole = text.find("{}"); hole != std::string::npos)
    text.replace(hole, 2, argument_in_words(name, argument));
  return is_negated ? "not " + text : text;
}

/// Turns `errno 110 and not kubernetes or roce` into `with errno 110 and not on Kubernetes, or with RoCE`. Keeps terms
/// that have no phrase.
inline std::string condition_in_words(std::string_view condition) {
  std::string text;
  while (!condition.empty()) {
    const std::size_t any = condition.find(" or "), all = condition.find(" and ");
    const std::size_t end = std::min({any, all, condition.size()});
    text += term_in_words(condition.substr(0, end));
    if (end == condition.size()) break;
    text += end == any ? ", or " : " and ";
    condition.remove_prefix(end + (end == any ? 4 : 5));
  }
  return text;
}

}  // namespace nccl_analyze
