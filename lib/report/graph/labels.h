#pragma once
/// The labels and tooltips of a picture's arrows.

#include "nccl_analyze/report.h"
#include "report/graph/picture.h"

namespace nccl_analyze {

/// Sets the labels and tooltips of all arrows with heads, Picture::transports, and the line of the legend that explains
/// the labels. A label names a transport by its letter, or in full if the letter stands for several transports.
void word_labels(Picture& picture, DotView view);

}  // namespace nccl_analyze
