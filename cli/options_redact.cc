// The command line of `nccl-analyze redact`.

#include "cli/options_parts.h"

namespace nccl_analyze {

void add_redact(CLI::App& app, Options& options) {
  CLI::App* redact =
      app.add_subcommand("redact", "Write logs again, fit to be posted: masked but for what is known to be harmless");
  redact->add_option("PATH", options.paths, "Log, folder of logs, archive or pattern; none or \"-\": standard input")
      ->type_name("");
  redact->add_option("-o,--output", options.output, "Write each log to this folder (one log: standard output)")
      ->type_name("DIR");
  redact
      ->add_option("--map", options.map,
                   "Keep the table of stand-ins in FILE, and use the one that is there; do not share it")
      ->type_name("FILE");
  redact->add_flag("--keep-other", options.keep_other, "Keep lines of other programs, masked in the same way");
  redact->add_flag_callback(
      "-q,--quiet", [&options] { options.verbosity = Verbosity::quiet; }, "Only errors on standard error");
  redact->footer(
      "NCCL's own text, numbers of up to eight digits, and words of a fixed vocabulary stay. A name that is such a "
      "word "
      "stays too: look the result over before you share it.");
  redact->callback([&options] { options.command = Command::redact; });
}

}  // namespace nccl_analyze
