// Tests that a kept event outlives its line and has equal members.

#include "nccl_analyze/events/kept_event.h"

#include <span>
#include <string>
#include <variant>

#include "catch.h"
#include "messages/matcher.h"
#include "messages/views.h"
#include "nccl_analyze/event.h"
#include "row_example.h"

namespace nccl_analyze {
namespace {

/// Returns the members of an event as text. This is no template, because there are over a hundred types of events.
std::string members_of(std::span<const Field> fields, const void* event) {
  std::string text;
  for (const Field& field : fields) {
    field.visit(event, [&](const auto& member) {
      text += std::string(field.name) + "=" + std::string(view_of(member));
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(member)>>) text += std::to_string(member);
      if constexpr (std::is_same_v<std::decay_t<decltype(member)>, Hex>) text += std::to_string(member.value);
      text += '\n';
    });
  }
  return text;
}

void check_same(const std::string& before, const std::string& after) { CHECK(after == before); }
void check_same(const void* first, const void* second) { CHECK(first == second); }

/// Checks that a kept event is unchanged after its line is overwritten.
template <class E>
void check_kept(const E& made, std::string& line) {
  const std::string before = members_of(fields_of<E>, &made);
  const KeptEvent kept(made);
  const KeptEvent copy = kept;
  line.assign(line.size(), '#');
  const E& after = copy.as<E>();
  check_same(before, members_of(fields_of<E>, &after));
  check_same(&kept.as<E>(), &after);
}

}  // namespace

TEST_CASE("kept event: every event is what it was when its line is gone") {
  std::size_t kept_events = 0;
  for (const Family& family : fact_families()) {
    for (const Row& row : family.rows) {
      std::string line = examples_of(row).front();
      Event event;
      if (standard_matcher().match(line, event) == nullptr) continue;
      INFO(row.example);
      std::visit(
          [&](const auto& made) {
            CHECK(address_of(event) == &made);
            check_kept(made, line);
          },
          event);
      ++kept_events;
    }
  }
  CHECK(kept_events > 250);
}

TEST_CASE("kept event: long texts are cut, for thousands are kept") {
  const std::string text(5000, 'x');
  SocketFailed event;
  event.error = text;
  event.peer = "10.0.0.1<1>";
  const KeptEvent kept(event);
  CHECK(kept.as<SocketFailed>().error == text.substr(0, KeptEvent::max_text));
  CHECK(kept.as<SocketFailed>().peer == event.peer);
}

TEST_CASE("kept event: of another type, or of none, no member is set") {
  CallFailed call;
  call.code = 12;
  const KeptEvent kept(call);
  CHECK(kept.as<CallFailed>().code == 12);
  CHECK(kept.as<CudaFailed>().code == -1);
  CHECK(kept.as<IbAsyncEvent>().device.empty());
  CHECK(KeptEvent().as<CallFailed>().call.empty());
}

}  // namespace nccl_analyze
