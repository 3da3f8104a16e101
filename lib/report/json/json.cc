// Writes the JSON report, `nccl-analyze.report` version 1, by the tables of members.

#include "report/json/members.h"
#include "report/json/report_members.h"

namespace nccl_analyze {

void write_json(std::ostream& out, const Model& model, const Report& report) {
  JsonWriter json{out};
  const members::Document document{model, report, find_call_progress(model)};
  members::write_object(json, document, members::Context{model, members::host_uses(model)});
  json.finish();
}

}  // namespace nccl_analyze
