// Draws the time line of the HTML page as SVG: a row for each process, with initialisations and failures.

#include "report/html/timeline.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nccl_analyze/rule_parts.h"
#include "queries/benchmarks.h"
#include "report/html/parts.h"
#include "report/sentences/words.h"
#include "report/timeline/timeline_rows.h"
#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_marks = 512, max_joins = 32;
constexpr double label_width = 250, plot_width = 800, row_height = 16, top = 22;
constexpr std::size_t label_columns = 32;
constexpr std::array<std::string_view, 8> phases{"kernels", "alloc",  "bootstrap",   "allgathers",
                                                 "topo",    "graphs", "connections", "rest"};

std::string tenths(double value) { return decimals(value, 1); }

/// Formats a time as `2025-12-28 16:04:25`, or without the date unless the clock counts from 1970.
std::string time_text(const Timeline& line, std::int64_t microseconds) {
  const std::chrono::sys_time<std::chrono::microseconds> time{std::chrono::microseconds{microseconds}};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  std::array<char, 64> text{};
  const auto number = [](auto count) { return static_cast<int>(count); };
  if (line.clock == Timeline::Clock::since_1970)
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), number(clock.hours().count()),
                  number(clock.minutes().count()), number(clock.seconds().count()));
  else
    std::snprintf(text.data(), text.size(), "%02d:%02d:%02d", number(clock.hours().count()),
                  number(clock.minutes().count()), number(clock.seconds().count()));
  return text.data();
}

class TimelineWriter {
 public:
  TimelineWriter(std::ostream& out, const Model& model, const Report& report, const Timeline& line)
      : out_(out), model_(model), report_(report), line_(line), rows_(rows_of(model, line)) {}

  void write() {
    if (rows_.names.empty()) return;
    write_remark(out_, about());
    write_legend();
    write_picture();
    write_rest(out_, rows_.left_out, 0, "other row", "other rows",
               (rows_.failing_left_out > 0 ? ", " + std::to_string(rows_.failing_left_out) + " of them with a failure"
                                           : ", which took less and had no failure") +
                   ": --format trace holds all");
    write_rest(out_, rows_.spans_left_out, 0, "other initialisation", "other initialisations",
               " of these rows: --format trace holds all");
    write_twin();
  }

 private:
  /// Converts a time into seconds since the start of the time line.
  double seconds(std::int64_t time) const { return static_cast<double>(time - line_.from) / 1e6; }
  double x_of(std::int64_t time) const {
    const double all = std::max(seconds(line_.to), 1e-6);
    return label_width + plot_width * std::clamp(seconds(time) / all, 0.0, 1.0);
  }
  static double y_of(std::size_t row) { return top + row_height * static_cast<double>(row); }

  const Incident& incident_of(const Mark& mark) const { return model_.incidents[mark.incident]; }

  std::string about() const {
    std::string text;
    if (line_.clock == Timeline::Clock::none)
      text = "no initialisation has a time: each begins at 0, seconds";
    else
      text = "seconds from " + time_text(line_, line_.from) +
             (line_.collected ? ", by the clock of whoever collected the lines"
                              : ", by the clocks of the hosts, which may differ");
    if (line_.spans_left_out > 0)
      text += "; " + count_text(line_.spans_left_out, "initialisation") + " without such a time";
    if (line_.clock == Timeline::Clock::of_day) text += "; the lines have no date, and are taken for those of one day";
    if (line_.marks_left_out > 0)
      text += "; " + count_text(line_.marks_left_out, "failure") +
              (line_.clock == Timeline::Clock::none ? " not shown here" : " without such a time");
    return text;
  }

  /// Returns the first row of the incident's process; null if no row shows the process.
  const std::size_t* row_of(const Mark& mark) const {
    const auto found = rows_.of_process.find(incident_of(mark).process);
    return found == rows_.of_process.end() ? nullptr : &found->second;
  }

  void write_picture() {
    const double height = top + row_height * static_cast<double>(rows_.names.size()) + 4;
    open_scroll(out_, "Time line");
    out_ << "<svg class=\"timeline\" role=\"img\" aria-label=\"Time line of initialisations and failures\" viewBox=\"0 "
            "0 "
         << tenths(label_width + plot_width + 10) << ' ' << tenths(height) << "\">\n";
    write_axis(height);
    for (const TimelineRows::Span& drawn : rows_.spans) write_span(*drawn.span, drawn.row);
    write_marks();
    write_joins();
    for (std::size_t row = 0; row < rows_.names.size(); ++row)
      out_ << "<text x=\"" << tenths(label_width - 6) << "\" y=\"" << tenths(y_of(row) + 12) << "\" class=\"row\">"
           << html_text(truncated(visible(rows_.names[row]), label_columns)) << "</text>\n";
    out_ << "</svg>\n</div>\n";
  }

  void write_legend() {
    std::set<std::string_view> used;
    for (const InitSpan& span : line_.spans)
      for (const auto& [name, length] : span.phases) used.insert(name);
    out_ << "<ul class=\"phases\">\n";
    for (std::size_t i = 0; i < phases.size(); ++i)
      if (used.contains(phases[i]))
        out_ << "<li><span class=\"way h" << i << "\">" << i + 1 << "</span> " << phases[i] << "</li>\n";
    if (!line_.marks.empty()) out_ << "<li><span class=\"way t7\">\u00d7</span> a failure</li>\n";
    out_ << "</ul>\n";
  }

  /// Draws grid lines at round numbers of seconds, mostly five to ten of them.
  void write_axis(double height) {
    const double all = std::max(seconds(line_.to), 1e-6);
    double step = std::pow(10.0, std::floor(std::log10(all)));
    if (all / step < 2) step /= 5;
    if (all / step < 5) step /= 2;
    for (int i = 0; i * step <= all && i <= 20; ++i) {
      const double x = label_width + plot_width * (i * step / all);
      out_ << "<line x1=\"" << tenths(x) << "\" x2=\"" << tenths(x) << "\" y1=\"" << tenths(top - 4) << "\" y2=\""
           << tenths(height) << "\"/><text x=\"" << tenths(x) << "\" y=\"14\">" << significant(i * step, 6)
           << "</text>\n";
    }
  }

  void write_bar(std::string_view kind, double from, double to, double y, double height, const std::string& title) {
    out_ << "<rect class=\"" << kind << "\" x=\"" << tenths(from) << "\" y=\"" << tenths(y) << "\" width=\""
         << tenths(std::max(to - from, 0.5)) << "\" height=\"" << tenths(height) << "\"><title>" << html_text(title)
         << "</title></rect>\n";
  }

  void write_span(const InitSpan& span, std::size_t row) {
    const double y = y_of(row) + 1;
    std::string title = "rank " + std::to_string(span.rank) + " of communicator " +
                        communicator_name(model_, span.communicator) + ": " +
                        decimals(static_cast<double>(span.to - span.from) / 1e6, 3) + " s" +
                        (span.open ? " and not completed" : "");
    if (span.at.line > 0) title += ", " + place_of(model_, span.at);
    write_bar(span.open ? "span open" : "span", x_of(span.from), x_of(span.to), y, row_height - 2, title);
    std::int64_t from = span.from;
    for (const auto& [name, length] : span.phases) {
      const auto to = std::min(span.to, from + static_cast<std::int64_t>(std::min(length, 1e9) * 1e6));
      const auto kind = static_cast<std::size_t>(std::find(phases.begin(), phases.end(), name) - phases.begin());
      write_bar("h" + std::to_string(kind), x_of(from), x_of(to), y + 1, row_height - 4,
                std::string{name} + " " + decimals(length, 3) + " s; " + title);
      if (x_of(to) - x_of(from) >= 12)
        out_ << "<text class=\"in\" x=\"" << tenths((x_of(from) + x_of(to)) / 2) << "\" y=\"" << tenths(y + 11) << "\">"
             << kind + 1 << "</text>\n";
      from = to;
    }
  }

  bool place_of_mark(const Mark& mark, double& x, double& y) const {
    const std::size_t* const row = row_of(mark);
    if (row == nullptr) return false;
    x = x_of(mark.at);
    y = y_of(*row) + row_height / 2;
    return true;
  }

  void write_marks() {
    std::size_t count = 0;
    for (const Mark& mark : line_.marks) {
      double x = 0, y = 0;
      if (!place_of_mark(mark, x, y) || ++count > max_marks) continue;
      const Incident& incident = incident_of(mark);
      std::string title = truncated(visible(incident.message), 200);
      if (!incident.evidence.lines.empty()) title += ", " + place_of(model_, incident.evidence.lines.front());
      out_ << "<path class=\"mark\" d=\"M" << tenths(x - 4) << ' ' << tenths(y - 4) << "l8 8m0 -8l-8 8\"><title>"
           << html_text(title) << "</title></path>\n";
    }
  }

  /// Draws a line from the first failure of each finding to the first failure of each of its consequences, up to
  /// `max_joins` lines.
  void write_joins() {
    std::map<Index, const Mark*> marks;
    for (const Mark& mark : line_.marks) marks.emplace(mark.incident, &mark);
    const auto first_of = [&](const Finding& finding) -> const Mark* {
      for (const Index incident : finding.incidents)
        if (const auto found = marks.find(incident); found != marks.end()) return found->second;
      return nullptr;
    };
    std::size_t count = 0;
    for (const Finding& finding : report_.findings) {
      const Mark* const cause = first_of(finding);
      double x = 0, y = 0;
      if (cause == nullptr || !place_of_mark(*cause, x, y)) continue;
      for (const Finding& consequence : finding.consequences) {
        const Mark* const symptom = first_of(consequence);
        double to_x = 0, to_y = 0;
        if (symptom == nullptr || !place_of_mark(*symptom, to_x, to_y) || ++count > max_joins) continue;
        out_ << "<path class=\"join\" d=\"M" << tenths(x) << ' ' << tenths(y) << 'L' << tenths(to_x) << ' '
             << tenths(to_y) << "\"><title>"
             << html_text(std::string{finding.rule->id} + " leads to " + std::string{consequence.rule->id})
             << "</title></path>\n";
      }
    }
  }

  void write_twin() {
    TableBlock table{{"where", "communicator", "rank", "from (s)", "seconds", "what"}, {}};
    for (const auto& [span, row] : rows_.spans) {
      std::string parts;
      for (const auto& [name, length] : span->phases)
        append_item(parts, std::string{name}.append(" ").append(decimals(length, 3)));
      table.rows.push_back(
          {rows_.names[row], communicator_name(model_, span->communicator), std::to_string(span->rank),
           decimals(seconds(span->from), 3),
           decimals(static_cast<double>(span->to - span->from) / 1e6, 3) + (span->open ? ", not completed" : ""),
           std::move(parts)});
    }
    std::size_t marks = 0;
    for (const Mark& mark : line_.marks) {
      if (row_of(mark) == nullptr || ++marks > max_marks) continue;
      const Incident& incident = incident_of(mark);
      table.rows.push_back({rows_.names[*row_of(mark)], "", "", decimals(seconds(mark.at), 3), "",
                            truncated(visible(incident.message), 200)});
    }
    out_ << "<details><summary>The time line as a table</summary>\n";
    write_table(out_, table);
    out_ << "</details>\n";
  }

  std::ostream& out_;
  const Model& model_;
  const Report& report_;
  const Timeline& line_;
  const TimelineRows rows_;
};

}  // namespace

void write_timeline(std::ostream& out, const Model& model, const Report& report, const Timeline& timeline) {
  TimelineWriter(out, model, report, timeline).write();
}

std::string time_range_text(const Timeline& timeline) {
  if (timeline.clock != Timeline::Clock::since_1970) return {};
  const std::string from = time_text(timeline, timeline.from), to = time_text(timeline, timeline.to);
  const std::string day = from.substr(0, from.find(' ') + 1);
  const std::string end = to.starts_with(day) ? to.substr(day.size()) : to;
  return from == to ? from : from + " to " + end;
}

}  // namespace nccl_analyze
