#pragma once
/// Everything. analyzer.h is the door, and has the guide.

#include "nccl_analyze/analyzer.h"
#include "nccl_analyze/event.h"
#include "nccl_analyze/expectation.h"
#include "nccl_analyze/export.h"
#include "nccl_analyze/field.h"
#include "nccl_analyze/kept_event.h"
#include "nccl_analyze/line.h"
#include "nccl_analyze/lists.h"
#include "nccl_analyze/model.h"
#include "nccl_analyze/model_builder.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/rule.h"
#include "nccl_analyze/site_rules.h"
#include "nccl_analyze/summary.h"
