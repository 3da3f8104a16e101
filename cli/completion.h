#pragma once
/// The words that may continue a command line, for the completion of shells. The scripts in cli/shell/ run
/// `nccl-analyze __complete WORD...` on each Tab, so that they need no own list of options.

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "cli/option_table.h"

namespace nccl_analyze {

struct Candidate {
  std::string word;   ///< Replaces the whole last word: `--format=json`, `NCA301,NCA302`.
  std::string about;  ///< A description in one line.
};

struct Completion {
  std::vector<Candidate> candidates;
  bool files = false;  ///< Whether the name of a file may come next too; shells complete file names themselves.
};

/// Completes the last of `words`, the words after the name of the program. The last word may be empty.
Completion complete(const CommandTable& program, std::span<const std::string> words);

/// Writes a line for each candidate, `WORD<tab>ABOUT`, then `:files` if the name of a file may come next.
void write_completion(std::ostream& out, const Completion& completion);

}  // namespace nccl_analyze
