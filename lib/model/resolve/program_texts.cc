// Removes failures that are quoted in programs and documents among the logs, for example in a docstring, a page of
// advice or a string in a script. These lines look like lines of a log, but no job printed them.

#include <algorithm>
#include <vector>

#include "model/resolve/passes.h"
#include "text/program_text.h"

namespace nccl_analyze::builder {

namespace {

/// Returns a flag for each source: whether it is a program or document. All flags are false if no source is a log.
std::vector<bool> texts_beside_logs(const Model& model) {
  const auto is_log = [](const Source& source) { return source.stats.nccl_lines > 0; };
  std::vector<bool> texts(model.sources.size());
  // If no source is a log, someone may have pasted a log into a document.
  if (std::ranges::none_of(model.sources, is_log)) return texts;
  for (std::size_t i = 0; i < model.sources.size(); ++i) {
    const Source& source = model.sources[i];
    texts[i] = !is_log(source) && (source.stats.program_texts > 0 || is_name_of_program_text(source.name));
  }
  return texts;
}

/// Removes the evidence lines in the sources that `texts` flags, and marks these sources. Returns false if this removed
/// all lines.
bool keep_lines_of_logs(Model& model, const std::vector<bool>& texts, Evidence& evidence) {
  const std::size_t removed = std::erase_if(evidence.lines, [&](LineRef at) {
    const auto source = static_cast<std::size_t>(at.source);
    if (source >= texts.size() || !texts[source]) return false;
    model.sources[source].set_aside = true;
    return true;
  });
  evidence.count -= std::min<std::uint64_t>(evidence.count, removed);
  return removed == 0 || !evidence.lines.empty();
}

}  // namespace

void drop_program_texts(Model& model) {
  const std::vector<bool> texts = texts_beside_logs(model);
  if (std::ranges::find(texts, true) == texts.end()) return;
  const auto is_of_text = [&](auto& one) { return !keep_lines_of_logs(model, texts, one.evidence); };
  std::erase_if(model.incidents, is_of_text);
  std::erase_if(model.stuck, is_of_text);
}

}  // namespace nccl_analyze::builder
