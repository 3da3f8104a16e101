// The difference of two runs as JSON, `nccl-analyze.diff` version 1, with all keys of diff.v1.schema.json.

#include <optional>
#include <ostream>
#include <string>

#include "nccl_analyze/compare.h"
#include "report/diff/words.h"
#include "text/json_writer.h"

namespace nccl_analyze {
namespace {

void write_change(JsonWriter& json, const Change& change) {
  json.begin_object(Layout::line);
  json.member("topic", to_string(change.topic));
  json.member("what", change.what);
  json.member("old", change.old_value);
  json.member("new", change.new_value);
  json.member("ranks", known(rank_set(change.ranks)));
  json.member("every_rank", change.every_rank);
  json.member("outside", change.outside);
  json.begin_array("hosts");
  for (const std::string& host : change.hosts) json.value(host);
  json.end();
  json.member("old_line", known(change.old_place));
  json.member("new_line", known(change.new_place));
  json.end();
}

void write_not_compared(JsonWriter& json, const NotCompared& one) {
  json.begin_object(Layout::line);
  json.member("topic", to_string(one.topic));
  json.member("lacks", one.old_lacks ? "old" : "new");
  json.begin_array("what");
  for (const std::string& what : one.what) json.value(what);
  json.end();
  json.member("whole_topic", one.whole_topic);
  json.member("shown_by", one.shown_by);
  json.end();
}

}  // namespace

void write_diff_json(std::ostream& out, const RunDiff& diff) {
  JsonWriter json{out};
  json.begin_object();
  json.member("schema", "nccl-analyze.diff");
  json.member("version", 1);
  json.begin_object("tool", Layout::line);
  json.member("name", "nccl-analyze");
  json.member("version", version());
  json.end();
  json.member("old", diff.old_name);
  json.member("new", diff.new_name);
  json.member("same", diff.same());
  json.member("headline", describe_diff(diff));
  json.begin_array("shared");
  for (const SharedFact& fact : diff.shared) {
    json.begin_object(Layout::line);
    json.member("topic", to_string(fact.topic));
    json.member("what", fact.what);
    json.member("value", fact.value);
    json.end();
  }
  json.end();
  json.begin_array("changes");
  for (const Change& change : diff.changes) write_change(json, change);
  json.end();
  json.begin_object("equal", Layout::line);
  for (std::size_t topic = 0; topic < topics; ++topic)
    json.member(to_string(static_cast<Topic>(topic)), diff.equal[topic]);
  json.end();
  json.begin_array("not_compared");
  for (const NotCompared& one : diff.not_compared) write_not_compared(json, one);
  json.end();
  json.end();
  json.finish();
}

}  // namespace nccl_analyze
