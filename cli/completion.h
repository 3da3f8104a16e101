#pragma once
/// The words with which a command line can go on, for the completion of shells. Their scripts in cli/shell/ ask
/// `nccl-analyze __complete WORD...` on each Tab, so that they never differ from the program.

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
  bool files = false;  ///< Whether a file may stand there too; shells know best how to complete these.
};

/// Completes the last of `words`, which follow the name of the program; it may be empty.
Completion complete(const CommandTable& program, std::span<const std::string> words);

/// Writes a line for each candidate, `WORD<tab>ABOUT`, then `:files` if a file may stand there.
void write_completion(std::ostream& out, const Completion& completion);

}  // namespace nccl_analyze
