#pragma once
/// Finds the work that a rank does while the others wait for it, by the progress bar that it prints.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "nccl_analyze/model.h"
#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// A progress bar of tqdm that is not at its end.
struct ProgressBar {
  std::string work;      ///< `Running tokenizer on dataset`; empty if the bar has no name.
  std::string percent;   ///< `9`
  std::string left;      ///< `4:48:08`
  double seconds = 0;    ///< Time from the start of the bar to its expected end.
  bool of_data = false;  ///< Whether it counts examples of a dataset or bytes of a download, which no training does.
};

/// Reads the last bar of the text; nullopt if there is none, if it is at 100 %, or if it shows no expected time.
std::optional<ProgressBar> read_progress_bar(std::string_view text);

/// Returns a sentence about the progress bar that a rank prints while these ranks wait in a barrier, number `first` of
/// their group; empty if there is none. Sets the finding's value `wait` for a barrier, and `hours` and `seconds` to the
/// timeout that the work needs.
std::string phase_text(const Model& model, std::span<const WatchdogTimeout* const> ranks, std::int64_t first,
                       Finding& finding);

}  // namespace nccl_analyze
