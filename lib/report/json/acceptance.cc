// Writes the matrix of nodes and checks as JSON. Every node has its own entry, so that programs need not expand lists.

#include "report/json/acceptance.h"

#include "report/sentences/acceptance_matrix.h"

namespace nccl_analyze {
namespace {

void write_column(JsonWriter& json, const AcceptanceColumn& column) {
  json.begin_object(Layout::line);
  json.member("check", column.check);
  json.member("key", column.key);
  json.member("wanted", known(column.wanted));
  json.end();
}

void write_node(JsonWriter& json, const Acceptance& acceptance, const AcceptanceNode& node) {
  json.begin_object(Layout::line);
  json.member("name", known(node.name));
  json.member("pod", known(node.pod));
  json.member("container", known(node.container));
  json.member("has_log", node.has_log);
  json.member("status", to_string(node.status));
  json.begin_array("cells", Layout::line);
  for (std::size_t i = 0; i < acceptance.columns.size(); ++i) {
    const AcceptanceCell cell = cell_of(node, acceptance, i);
    json.begin_object(Layout::line);
    json.member("status", to_string(cell.status));
    json.member("seen", known(cell.seen));
    json.member("amount", known(cell.amount));
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace

void write_check(JsonWriter& json, const Check& check) {
  json.begin_object(Layout::line);
  json.member("check", check.check);
  json.member("status", to_string(check.status));
  json.member("detail", check.detail);
  json.end();
}

void write_acceptance(JsonWriter& json, const Acceptance& acceptance) {
  json.begin_object("acceptance");
  json.member("profile", known(acceptance.profile));
  json.member("source", known(acceptance.source));
  json.begin_array("columns");
  for (const AcceptanceColumn& column : acceptance.columns) write_column(json, column);
  json.end();
  json.begin_array("nodes");
  for (const AcceptanceNode& node : acceptance.nodes) write_node(json, acceptance, node);
  json.end();
  json.member("unlogged_nodes", acceptance.unlogged_nodes);
  json.begin_array("job");
  for (const Check& check : acceptance.job) write_check(json, check);
  json.end();
  json.end();
}

}  // namespace nccl_analyze
