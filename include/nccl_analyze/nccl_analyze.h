#pragma once
/// Everything. Parse a log, build the job, judge it, write the report:
///
///     ModelBuilder builder;
///     Parser parser{SourceId{0}, [&](const Record& record) { builder.add(record); }};
///     while (const std::string_view chunk = read_some(); !chunk.empty()) parser.feed(chunk);
///     parser.finish();
///     builder.add_source(SourceId{0}, "worker-0.log", parser.stats());
///     const Model model = std::move(builder).build();
///     write_json(std::cout, model, analyze(model));

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
