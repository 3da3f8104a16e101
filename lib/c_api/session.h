#pragma once
/// The work of an analyzer of the C interface, in C++: options, sources that are fed, paths that are read, reports.

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/reading.h"
#include "cli/logging.h"
#include "cli/options.h"
#include "cli/selection.h"
#include "cli/user_requirements.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/requirements.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// The requirements and rules that the options name. Reports share them, because findings point to the texts of a
/// site's rules.
struct Setup {
  UserRequirements requirements;
  Selection selection;
};

/// A judged log.
struct Judged {
  std::shared_ptr<const Setup> setup;
  Model model;
  Report report;
  std::vector<std::string> notices;  ///< What could not be read or was left out.
};

/// The functions throw Failure. After any other exception, the session must not be used.
class Session {
 public:
  Session();

  void set(std::string_view option, std::string_view value);
  void feed(std::string_view source, std::string_view bytes);
  void end(std::string_view source);
  /// Returns false if stop() ended the reading.
  bool read(const std::vector<std::string>& paths);
  Judged look();
  Judged finish();

  /// Ends read() and keeps later calls from reading. Any thread may call it at any time.
  void stop() { stopped_ = true; }
  bool finished() const { return finished_; }

 private:
  /// A source that is fed and has not ended.
  struct Open {
    SourceId source;
    Parser parser;
  };

  /// The objects that depend on the options; created when the first bytes arrive.
  struct Judging {
    std::shared_ptr<const Setup> setup;
    SiteMatcher matcher;
  };

  Judging& judging();
  void add(const Record& record);
  Open& open_source(std::string_view name);
  void end_source(std::string_view name, Open& ended);
  bool wait(int descriptor) const;
  void require_sources(const ReadCounts& counts, std::size_t notices_before);
  Judged judged(ModelBuilder builder);

  Options options_;
  std::optional<Judging> judging_;
  std::vector<std::string> notices_;
  std::vector<UnreadableInput> unreadable_;
  Log log_;  ///< Writes to notices_.
  ModelBuilder builder_;
  std::map<std::string, Open, std::less<>> open_;
  std::uint32_t sources_ = 0;
  std::atomic<bool> stopped_ = false;
  bool finished_ = false;
};

}  // namespace nccl_analyze
