#pragma once
/// Parts of one input parsed at the same time: each by a parser of its own, out of turn.
///
/// The first part is fed to a Parser. What it has learned of who speaks (Parser::knowledge) is enough to parse most
/// parts further on without those between. In turn, Parser::pass() then says of each part whether its records are those
/// that the Parser would have given; if not, the part is fed to it after all. So the records are always the same.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/parser.h"

namespace nccl_analyze {

/// A part that was parsed out of turn.
struct ParsedPart {
  /// Somebody of whom too little was known spoke, and was taken for `meant`.
  struct Speaker {
    std::int64_t pid = -1;
    std::string host, meant;
  };

  ParseStats stats;
  std::vector<Speaker> speakers;                     ///< In the order of their lines.
  std::shared_ptr<const ParserKnowledge> knowledge;  ///< What it was parsed with.
  bool needs_same = false;                           ///< More knowledge might have told other hosts.
};

/// Parses parts of one input. Distinct ones may run on distinct threads.
class PartParser {
 public:
  /// `number`, not 0: differs from that of every other PartParser made for this input, those that are gone included.
  PartParser(SourceId source, Parser::Sink sink, std::uint16_t number, ParserLimits limits = {});
  PartParser(PartParser&&) noexcept;
  PartParser& operator=(PartParser&&) noexcept;
  ~PartParser();

  /// Parses whole lines; in their records they are numbered from 1. `knowledge`, not null, comes from somewhere before
  /// them. Returns nothing as soon as it sees that lines before them matter: what the sink got is void then.
  std::optional<ParsedPart> parse(std::string_view lines, std::shared_ptr<const ParserKnowledge> knowledge);

 private:
  std::unique_ptr<Parser::Impl> impl_;
};

}  // namespace nccl_analyze
