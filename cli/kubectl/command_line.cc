// Parses the command line. Names and meanings of options are those of kubectl and stern.

#include "cli/kubectl/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string_view>

#include "nccl_analyze/report.h"
#include "text/escape.h"
#include "text/shell_words.h"
#include "text/wrap.h"

namespace nccl_analyze::kubectl {

namespace {

constexpr unsigned most_log_requests = 1024;

int refuse(std::string message) {
  std::ranges::replace(message, '\n', ' ');
  std::cerr << "kubectl nccl-analyze: error: " << visible(message)
            << " (kubectl nccl-analyze --help lists the options)\n";
  return 2;
}

void add_options(CLI::App& app, CommandLine& line) {
  app.add_option(
         "QUERY", line.query,
         "Pods: a regular expression on their names, pod/NAME, or KIND/NAME of the workload that they belong to: "
         "job/NAME, jobset/NAME, deployment/NAME, lws/NAME, rayjob/NAME, any kind that kubectl knows")
      ->type_name("");
  app.add_option("-n,--namespace", line.name_space, "Namespace of the pods (that of the context)")->type_name("NAME");
  app.add_flag("-A,--all-namespaces", line.all_namespaces, "Pods of every namespace");
  app.add_option("-l,--selector", line.selector, "Only pods with these labels")->type_name("LABELS");
  app.add_option("-c,--container", line.container, "Only containers whose names match (.*)")->type_name("REGEX");
  for (const std::string option : {"--context", "--kubeconfig"})
    app.add_option_function<std::string>(
           option,
           [&line, option](const std::string& value) { line.cluster.push_back(std::string(option) + "=" + value); },
           "As for kubectl")
        ->type_name(option == "--context" ? "NAME" : "FILE");
  app.add_option("--since", line.since, "Only lines newer than this: 30s, 10m, 2h")->type_name("TIME");
  app.add_flag("-p,--previous", line.previous,
               "Only logs from before the last restart (otherwise they are read beside the present ones)");
  app.add_flag("-f,--follow", line.follow,
               "Read on while the job runs, new pods too; the report comes at the end or on Ctrl-C");
  app.add_option("--max-log-requests", line.max_log_requests, "Most containers that are followed at the same time")
      ->check(CLI::Range(1U, 1U << 20U))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--save", line.save, "Keep the logs, pods and events in this folder, which must be new or empty")
      ->type_name("DIR");
}

/// Lays out the help as that of nccl-analyze: names and values on the left, descriptions on the right.
class Layout : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    constexpr std::size_t column = 28;
    std::string text = "  " + option->get_name(is_positional, true);
    if (const std::size_t comma = text.find(','); comma != std::string::npos) text.insert(comma + 1, " ");
    const std::string value = option->get_type_name();  // CLI11 adds the range behind a colon
    if (!value.empty()) text += " " + value.substr(0, value.find(':'));
    if (text.size() + 2 > column) text += "\n";
    text.append(column - (text.ends_with('\n') ? 0 : text.size()), ' ');
    return text + wrap(option->get_description(), column, column) + "\n";
  }
};

/// Returns what is wrong with words that no option takes. `-f` is --follow here, as for kubectl, and --format there.
std::string describe_extras(const CLI::App& app, const CommandLine& line) {
  const std::string word = app.remaining().empty() ? "a word" : app.remaining().front();
  if (line.follow)
    return word + " is one word too many: -f is --follow here; the format stands behind --: -- -f " + word;
  return word + " is one word too many; what stands behind -- goes to nccl-analyze";
}

std::string contradiction_in(const CommandLine& line) {
  if (line.query.empty() && line.selector.empty())
    return "name the pods: job/NAME, pod/NAME, a regular expression or -l LABELS";
  if (line.all_namespaces && !line.name_space.empty()) return "-A and -n do not go together";
  if (line.follow && line.previous) return "--follow and --previous do not go together";
  if (line.save && line.save->empty()) return "--save needs the name of a folder";
  return {};
}

}  // namespace

std::variant<CommandLine, int> parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  line.max_log_requests = most_log_requests;
  line.typed = shown_command("kubectl nccl-analyze", {argv + std::min(argc, 1), argv + argc});
  CLI::App app("Collects the logs of a job's pods with kubectl and reports on them with nccl-analyze.",
               "kubectl nccl-analyze");
  app.formatter(std::make_shared<Layout>());
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("-V,--version", "kubectl-nccl_analyze " + std::string(version()), "Print the version");
  app.footer(
      "What stands behind -- goes to nccl-analyze.\n"
      "Examples:\n"
      "  kubectl nccl-analyze job/llama                        # the report on a job\n"
      "  kubectl nccl-analyze 'llama-worker-.*' -n ml --save logs/\n"
      "  kubectl nccl-analyze lws/llama --follow               # while it runs\n"
      "  kubectl nccl-analyze job/llama -- -f html -o report.html\n"
      "Exit status: that of nccl-analyze; 2 if no log could be collected.");
  add_options(app, line);
  const char* const* const end = argv + argc;
  const char* const* const border = std::find(argv, end, std::string_view{"--"});
  if (border != end) line.analysis.assign(border + 1, end);
  try {
    app.parse(static_cast<int>(border - argv), argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer, std::cout, std::cerr);
  } catch (const CLI::ExtrasError&) {
    return refuse(describe_extras(app, line));
  } catch (const CLI::ParseError& error) {
    return refuse(error.what());
  }
  if (const std::string wrong = contradiction_in(line); !wrong.empty()) return refuse(wrong);
  return line;
}

}  // namespace nccl_analyze::kubectl
