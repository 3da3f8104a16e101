// A kept event outlives its line, and is what it was.

#include "nccl_analyze/kept_event.h"

#include <string>
#include <variant>

#include "catch.h"
#include "messages/matcher.h"
#include "messages/views.h"
#include "nccl_analyze/event.h"
#include "row_example.h"

namespace nccl_analyze {
namespace {

/// The members of an event in words.
template <class E>
std::string members_of(const E& event) {
  std::string text;
  for (const Field& field : fields_of<E>) {
    field.visit(static_cast<const void*>(&event), [&](const auto& member) {
      text += std::string(field.name) + "=" + std::string(view_of(member));
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(member)>>) text += std::to_string(member);
      if constexpr (std::is_same_v<std::decay_t<decltype(member)>, Hex>) text += std::to_string(member.value);
      text += '\n';
    });
  }
  return text;
}

}  // namespace

TEST_CASE("kept event: every event is what it was when its line is gone") {
  std::size_t kept_events = 0;
  for (const Family& family : fact_families()) {
    for (const Row& row : family.rows) {
      std::string line = examples_of(row).front();
      Event event;
      if (standard_matcher().match(line, event) == nullptr) continue;
      std::visit(
          [&](const auto& made) {
            using E = std::decay_t<decltype(made)>;
            const std::string before = members_of(made);
            const KeptEvent kept(made);
            const KeptEvent copy = kept;
            line.assign(line.size(), '#');
            INFO(row.example);
            CHECK(members_of(copy.as<E>()) == before);
            CHECK(&copy.as<E>() == &kept.as<E>());
            ++kept_events;
          },
          event);
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
