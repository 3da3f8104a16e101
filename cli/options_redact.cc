// The command line of `nccl-analyze redact`.

#include "cli/options_parts.h"

namespace nccl_analyze {

void add_redact(CLI::App& app, Options& options) {
  CLI::App* redact = app.add_subcommand("redact", "Write logs again, fit to be posted: names and addresses replaced");
  redact->add_option("PATH", options.paths, "Log, folder of logs, archive or pattern; none or \"-\": standard input")
      ->type_name("");
  redact->add_option("-o,--output", options.output, "Write each log to this folder (one log: standard output)")
      ->type_name("DIR");
  redact->add_option("--map", options.map, "Keep the table of names and stand-ins in FILE; do not share it")
      ->type_name("FILE");
  redact->add_flag("--keep-other", options.keep_other,
                   "Keep lines of other programs; known names are replaced in them");
  redact->add_flag_callback(
      "-q,--quiet", [&options] { options.verbosity = Verbosity::quiet; }, "Only errors on standard error");
  redact->footer("Look the result over before you share it.");
  redact->callback([&options] { options.command = Command::redact; });
}

}  // namespace nccl_analyze
