// Tests the precedence of option, environment and terminal for colours.

#include "cli/color.h"

#include <map>
#include <string>

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("color: the option, then NO_COLOR over CLICOLOR_FORCE over CLICOLOR, then the terminal") {
  struct Row {
    ColorChoice choice;
    bool terminal;
    std::map<std::string, const char*> environment;
    bool colored;
  };
  const Row row = GENERATE(Row{ColorChoice::automatic, true, {}, true}, Row{ColorChoice::automatic, false, {}, false},
                           Row{ColorChoice::automatic, true, {{"NO_COLOR", "1"}}, false},
                           Row{ColorChoice::automatic, true, {{"NO_COLOR", ""}}, true},
                           Row{ColorChoice::automatic, true, {{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}}, false},
                           Row{ColorChoice::automatic, false, {{"CLICOLOR_FORCE", "1"}, {"CLICOLOR", "0"}}, true},
                           Row{ColorChoice::automatic, false, {{"CLICOLOR_FORCE", "0"}}, false},
                           Row{ColorChoice::automatic, true, {{"CLICOLOR", "0"}}, false},
                           Row{ColorChoice::automatic, true, {{"TERM", "dumb"}}, false},
                           Row{ColorChoice::always, false, {{"NO_COLOR", "1"}}, true},
                           Row{ColorChoice::never, true, {{"CLICOLOR_FORCE", "1"}}, false});
  const auto environment = [&](const char* name) {
    const auto found = row.environment.find(name);
    return found == row.environment.end() ? nullptr : found->second;
  };
  CHECK(use_color(row.choice, row.terminal, environment) == row.colored);
}

}  // namespace nccl_analyze
