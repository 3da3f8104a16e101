// The command line of `nccl-analyze diff`.

#include "cli/options_parts.h"
#include "nccl_analyze/compare.h"

namespace nccl_analyze {
namespace {

constexpr Words<Format, 4> diff_formats{
    {{"text", Format::text}, {"markdown", Format::markdown}, {"html", Format::html}, {"json", Format::json}}};

}  // namespace

void add_diff(CLI::App& app, Options& options) {
  CLI::App* diff = app.add_subcommand("diff", "Compare two runs: what changed, likeliest to matter first");
  const std::string what = " run: log, folder of logs, archive, summary or JSON report; \"-\": standard input";
  diff->add_option("OLD", options.old_run, "The old" + what)->required()->type_name("PATH");
  diff->add_option("NEW", options.new_run, "The new" + what)->required()->type_name("PATH");
  add_choice(*diff, "-f,--format", options.format, diff_formats, "What to write (text)");
  diff->add_option("-o,--output", options.output, "Write to FILE, whole or not at all (standard output)")
      ->type_name("FILE");
  std::vector<std::string> words;
  for (std::size_t topic = 0; topic < topics; ++topic) words.emplace_back(to_string(static_cast<Topic>(topic)));
  const auto ignore = [&options](const std::vector<std::string>& chosen) {
    for (const std::string& word : chosen)
      if (const auto topic = find_topic(word)) options.ignored_topics.push_back(*topic);
  };
  diff->add_option_function<std::vector<std::string>>("--ignore", ignore, "Leave this topic out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(words))
      ->type_name(CLI::detail::join(words, "|") + "[,...]");
  add_choice(*diff, "--color", options.color, colors, "Colour the text (auto)");
  diff->add_flag_callback(
      "-q,--quiet", [&options] { options.verbosity = Verbosity::quiet; }, "Only the exit status");
  diff->add_flag_callback(
      "-v,--verbose", [&options] { options.verbosity = Verbosity::verbose; }, "Every row, with the lines that show it");
  diff->footer("Exit status: 0 no difference, 1 differences, 2 the work could not be done.");
  diff->callback([&options] { options.command = Command::diff; });
}

}  // namespace nccl_analyze
