#pragma once
/// Gives each finding its title and the steps that its log does not exclude.

#include <string>
#include <string_view>
#include <vector>

#include "nccl_analyze/rule.h"

namespace nccl_analyze {

/// Sets Finding::title and Finding::steps of findings and their consequences. A title that the rule has set is kept. A
/// finding that has steps is left as it is, so that a report can be passed again after findings were added to it.
void advise(const Model& model, std::vector<Finding>& findings);

/// Returns the items of a Markdown list as steps. Text before the first item, or without items, is one step.
std::vector<Step> steps_in(std::string_view markdown);

/// Whether the step has an example in place of a value that the log does not show.
bool shows_example(const Step& step);

/// Returns at most `most` steps as a numbered Markdown list; a single step gets no number.
std::string steps_as_markdown(const std::vector<Step>& steps, std::size_t most = static_cast<std::size_t>(-1));

}  // namespace nccl_analyze
