#pragma once
/// The pictures of the page that Graphviz draws.

#include <ostream>

#include "nccl_analyze/report.h"

namespace nccl_analyze {

/// Writes the picture of the communicators, and that of the machines if a document or the log shows their PCIe tree.
/// Writes nothing without HtmlOptions::draw, and nothing for a job on more than eight hosts, whose picture would not be
/// legible.
void write_pictures(std::ostream& out, const Model& model, const Report& report, const HtmlOptions& options);

}  // namespace nccl_analyze
