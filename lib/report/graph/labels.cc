// Writes the labels of a picture's arrows, their tooltips, and the legend.

#include "report/graph/labels.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/escape.h"
#include "text/phrases.h"

namespace nccl_analyze {
namespace {

constexpr std::size_t max_transport_columns = 64;  // width of a transport's name

std::string channels_of(const Link& link) { return link.channels.none() ? "" : "ch " + channel_list(link.channels); }

/// Returns the number of channels whose transport no line shows. For Counted::connections, returns the number of ring
/// or tree edges if no transport of the arrow is known, else 0.
std::uint64_t count_unknown(const Arrow& arrow) {
  if (arrow.counted == Counted::channels) return unknown_channels(arrow.link).count();
  return arrow.counted == Counted::connections && arrow.link.uses.empty() ? arrow.link.listed : 0;
}

/// Formats the label of an arrow: its transports and, in the view of rings, its channels.
std::string label_of(const Arrow& arrow, DotView view, Brevity brevity) {
  const Link& link = arrow.link;
  std::vector<std::string> lines = describe_lines(link.uses, arrow.counted, brevity);
  if (const std::uint64_t unknown = count_unknown(arrow); unknown > 0)
    lines.push_back((brevity == Brevity::brief ? "? \u00d7" : "transport not shown \u00d7") + std::to_string(unknown));
  if (view == DotView::rings) lines.push_back(channels_of(link));
  std::string label;
  for (const std::string& line : lines) append_item(label, dot_text(line), "\\n");
  return label;
}

/// Formats the tooltip of an arrow: `rank 0 → rank 1: P2P/CUMEM ×8`.
std::string about(const Arrow& arrow, const Picture& picture) {
  const auto name = [&picture](int box) { return picture.boxes[box].name; };
  std::string text = name(arrow.from) + (arrow.both ? " \u2194 " : " \u2192 ") + name(arrow.to) + ":";
  for (const std::string& line : describe_lines(arrow.link.uses, arrow.counted))
    text.append(" ").append(line).append(",");
  if (arrow.link.uses.empty() || count_unknown(arrow) > 0) {
    text.append(" transport not shown");
    if (!arrow.link.uses.empty()) text.append(" \u00d7").append(std::to_string(count_unknown(arrow)));
    text.append(",");
  }
  if (const std::string channels = channels_of(arrow.link); !channels.empty()) return text + " " + channels;
  text.pop_back();
  return text;
}

}  // namespace

void word_labels(Picture& picture, DotView view) {
  std::map<char, std::set<std::string_view>> names;
  for (const Arrow& arrow : picture.arrows)
    for (const auto& [way, use] : arrow.link.uses) names[style_of(way).letter].insert(way.transport);
  bool counts = false, by_host = false, devices = false, proxies = false;
  for (Arrow& arrow : picture.arrows) {
    if (arrow.headless) continue;
    const bool is_named = std::all_of(arrow.link.uses.begin(), arrow.link.uses.end(),
                                      [&](const auto& use) { return names[style_of(use.first).letter].size() == 1; });
    arrow.label = label_of(arrow, view, is_named ? Brevity::brief : Brevity::full);
    arrow.about = about(arrow, picture);
    by_host = by_host || arrow.counted == Counted::connections;
    counts = counts || arrow.label.find("\u00d7") != std::string::npos;
    for (const auto& [way, use] : arrow.link.uses) {
      devices = devices || (is_named && !use.devices.empty());
      proxies = proxies || !use.proxies.empty();
    }
  }
  for (const auto& [letter, of_letter] : names)
    if (of_letter.size() == 1)
      picture.transports[letter] = truncated(std::string{*of_letter.begin()}, max_transport_columns);
  std::string key;
  if (devices) append_item(key, "behind a letter: the numbers of its NICs", "; ");
  if (proxies) append_item(key, "PXN, via: the rank that passes it on", "; ");
  if (counts)
    append_item(key, by_host ? "\u00d7: connections of ranks, summed over channels" : "\u00d7: channels", "; ");
  if (!key.empty()) picture.legend.push_back(std::move(key));
}

}  // namespace nccl_analyze
