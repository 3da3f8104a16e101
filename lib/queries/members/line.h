#pragma once
/// What the report shows of lines, and of the sources that hold them.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "queries/members/context.h"
#include "queries/members/member.h"

namespace nccl_analyze::members {

template <>
inline constexpr auto members_of<LineRef> = std::tuple{
    in_line("place"),
    member("source", plain, [](LineRef at) { return at.source; }),
    member("line", Line{}, std::identity{}),
};

/// The share of recognised lines of a type that counts both.
template <class Counts>
inline constexpr auto coverage = member(
    "coverage", Share{}, "Recognised part of the NCCL lines; null when there is none.", [](const Counts& counts) {
      return counts.nccl_lines == 0 ? std::nullopt
                                    : std::optional{static_cast<double>(counts.nccl_lines - counts.unrecognized) /
                                                    static_cast<double>(counts.nccl_lines)};
    });

template <Damage Kind>
inline constexpr auto damage = [](const ParseStats& stats) { return stats.damage(Kind); };

template <>
inline constexpr auto members_of<ParseStats> = std::tuple{
    in_block("counts"),
    member("bytes", plain, &ParseStats::bytes),
    member("lines", plain, &ParseStats::lines),
    member("nccl_lines", plain, &ParseStats::nccl_lines),
    member("unrecognized", plain, &ParseStats::unrecognized),
    coverage<ParseStats>,
    member("malformed", plain, "NCCL lines without a readable prefix.", &ParseStats::malformed),
    member("truncated", plain, "Lines too long to be read whole.", &ParseStats::truncated),
    sometimes("order", OneOf{"newest first|newest first, read from the end"},
              "Only of a source whose times run backwards. One that was read in this order cannot be judged.",
              [](const ParseStats& stats) -> std::optional<std::string_view> {
                if (stats.reversed > 0) return "newest first, read from the end";
                return stats.newest_first > 0 ? std::optional{"newest first"} : std::nullopt;
              }),
    sometimes("form", OneOf{"pickle, read as JSON"},
              "Only of a pickle of PyTorch's flight recorder. Its bytes and lines are those of its content as "
              "JSON, in which "
              "each member of the outermost object and each entry has a line of its own; frames are left out.",
              [](const ParseStats& stats) {
                return stats.pickles > 0 ? std::optional{std::string_view("pickle, read as JSON")} : std::nullopt;
              }),
    member("ends_early", plain, "The end of the source is missing: it is cut off or damaged, or could not be read on.",
           [](const ParseStats& stats) { return stats.ends_early > 0; }),
    group("damage", Layout::line,
          "Damaged NCCL lines. Glued and joined ones were read; cut and torn ones were not, but for the whole "
          "items of a cut list.",
          std::tuple{
              member("glued", plain, "Behind another on one line.", damage<Damage::glued>),
              member("joined", plain, "Put together from several lines.", damage<Damage::joined>),
              member("cut", plain, "Their end is missing.", damage<Damage::cut>),
              member("torn", plain, "Another process wrote into them.", damage<Damage::torn>),
          }),
};

template <>
inline constexpr auto members_of<Source> = std::tuple{
    in_block("source"),
    member("name", plain, &Source::name),
    flat(&Source::stats),
};

template <>
inline constexpr auto members_of<UnreadableInput> = std::tuple{
    in_line("unreadable"),
    member("name", plain, &UnreadableInput::name),
    member("reason", plain, &UnreadableInput::reason),
};

template <>
inline constexpr auto members_of<VersionLines> = std::tuple{
    in_line("version_lines"),
    member("library", known, "NCCL or RCCL.", &VersionLines::library),
    member("version", known, &VersionLines::version),
    member("nccl_lines", at_least(1), &VersionLines::nccl_lines),
    member("unrecognized", plain, &VersionLines::unrecognized),
    coverage<VersionLines>,
};

template <>
inline constexpr auto members_of<Sample> = std::tuple{
    in_line("sample"),
    member("text", plain, &Sample::text),
    member("count", at_least(1), &Sample::count),
    flat(&Sample::at),
};

/// A damaged line of a source, one of those that are kept.
struct DamagedLine {
  Damage damage;
  LineRef at;
};
template <>
inline constexpr auto members_of<DamagedLine> = std::tuple{
    in_line("damaged_line"),
    member("damage", OneOf{"glued|joined|cut|torn"}, &DamagedLine::damage),
    member("text", plain, [](const DamagedLine& line, const Context& context) { return context.model.quote(line.at); }),
    flat(&DamagedLine::at),
};

/// Counts over all sources.
struct Totals {
  std::uint64_t nccl_lines = 0, unrecognized = 0;
};
inline Totals totals_of(const Model& model) {
  Totals totals;
  for (const Source& source : model.sources) {
    totals.nccl_lines += source.stats.nccl_lines;
    totals.unrecognized += source.stats.unrecognized;
  }
  return totals;
}
template <>
inline constexpr auto members_of<Totals> = std::tuple{
    in_block("totals"),
    member("nccl_lines", plain, &Totals::nccl_lines),
    member("unrecognized", plain, &Totals::unrecognized),
    coverage<Totals>,
};

/// The member `input` of the report.
template <>
inline constexpr auto members_of<Model> = std::tuple{
    in_block("input", "What was read."),
    member("sources", objects, "In the order in which they were given; `source` below is an index into it.",
           &Model::sources),
    member("unreadable", objects, "What was named and could not be read, or not to its end.", &Model::unreadable),
    flat(totals_of),
    member("versions", each<VersionLines>,
           "NCCL lines by the version that the printing process reported; sorted by version, unknown last.",
           [](const Model& model, const Context&, const auto& write) {
             // A version that a framework printed may be that of no line.
             for (const VersionLines& lines : model.versions)
               if (lines.nccl_lines > 0) write(lines);
           }),
    member("dropped", plain, "Facts not kept because a limit was reached.", &Model::dropped),
    member("unrecognized_samples", objects, "Most frequent first.", &Model::unrecognized),
    member("damaged_samples", each<DamagedLine>, "The first damaged lines of each source and kind.",
           [](const Model& model, const Context&, const auto& write) {
             for (const Source& source : model.sources)
               for (std::size_t kind = 0; kind < damage_kinds; ++kind)
                 for (const LineRef line : source.damaged[kind].lines)
                   write(DamagedLine{static_cast<Damage>(kind), line});
           }),
};

}  // namespace nccl_analyze::members
