// Lists all built-in rules, in id order. A new rule adds one word to the list.

#include <algorithm>
#include <array>

#include "nccl_analyze/rule.h"

// clang-format off
#define NCCL_ANALYZE_EACH_RULE(use) \
  use(nca101) use(nca102) use(nca103) use(nca104) \
  use(nca201) use(nca202) use(nca203) use(nca204) use(nca205) use(nca206) use(nca207) use(nca208) \
  use(nca209) use(nca210) use(nca211) use(nca212) use(nca213) use(nca214) use(nca215) use(nca216) \
  use(nca301) use(nca302) use(nca303) use(nca304) use(nca305) use(nca306) use(nca307) use(nca308) \
  use(nca309) use(nca310) use(nca311) use(nca312) use(nca313) use(nca314) use(nca315) use(nca316) \
  use(nca317) use(nca318) use(nca319) use(nca321) use(nca322) \
  use(nca401) use(nca402) use(nca403) use(nca404) use(nca405) use(nca406) use(nca407) use(nca408) \
  use(nca409) use(nca410) use(nca411) use(nca412) \
  use(nca501) use(nca502) use(nca503) use(nca504) use(nca505) use(nca506) use(nca507) use(nca508) \
  use(nca509) use(nca510) use(nca511) use(nca512) use(nca513) use(nca514) \
  use(nca601) use(nca602) use(nca603) use(nca604) use(nca605) use(nca606) use(nca607) use(nca608) \
  use(nca609) \
  use(nca701) use(nca702) use(nca703) use(nca704) \
  use(nca801) use(nca802) use(nca803) \
  use(nca901)

#define NCCL_ANALYZE_DECLARE(id) namespace id { extern const Rule rule; }
#define NCCL_ANALYZE_ADDRESS(id) &id::rule,
// clang-format on

namespace nccl_analyze {

NCCL_ANALYZE_EACH_RULE(NCCL_ANALYZE_DECLARE)

namespace {

constexpr auto built_in_rules = std::to_array<const Rule*>({NCCL_ANALYZE_EACH_RULE(NCCL_ANALYZE_ADDRESS)});

}  // namespace

std::span<const Rule* const> all_rules() { return built_in_rules; }

const Rule* find_rule(std::string_view id_or_name) {
  const auto found = std::find_if(built_in_rules.begin(), built_in_rules.end(), [&](const Rule* rule) {
    return rule->info.id == id_or_name || rule->info.name == id_or_name;
  });
  return found == built_in_rules.end() ? nullptr : *found;
}

}  // namespace nccl_analyze
