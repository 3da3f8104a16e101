// Tables of the markup that web pages, editors and people leave in pasted logs, and functions that remove it.

#include "text/markup.h"

#include <algorithm>
#include <iterator>

#include "text/blanks.h"

namespace nccl_analyze {

namespace {

struct Replacement {
  std::string_view from, to;
};
constexpr Replacement replacements[] = {
    {"&gt;", ">"},          {"&lt;", "<"},   {"&amp;", "&"},  {"&quot;", "\""},  {"&#39;", "'"},
    {"&nbsp;", " "},        {"&apos;", "'"}, {"&#x27;", "'"}, {"&#34;", "\""},   {"&#x22;", "\""},
    {"&#47;", "/"},         {"&#x2F;", "/"}, {"&#x3D;", "="}, {"&#60;", "<"},    {"&#62;", ">"},
    {"<br>", ""},           {"<br/>", ""},   {"<br />", ""},  {"</p>", ""},      {"</span>", ""},
    {"</code>", ""},        {"</pre>", ""},  {"</div>", ""},  {"</td>", ""},     {"\\[", "["},
    {"\\]", "]"},           {"\\_", "_"},    {"\\*", "*"},    {"\xc2\xa0", " "}, {"\xe2\x86\x92", "->"},
    {"\xe2\x80\x93>", "->"}};

constexpr std::string_view link_target = "](http";
constexpr std::string_view bold = "**";

/// Returns the length of a Markdown link `[text](http://target)` at the start of `line`, and stores the link's text in
/// `text`. Returns 0 if there is no link.
std::size_t link_length(std::string_view line, std::string_view& text) {
  constexpr std::size_t max_link = 512;
  line = line.substr(0, max_link);
  if (!line.starts_with('[')) return 0;
  const std::size_t close = line.find(']');
  if (close == std::string_view::npos || !line.substr(close).starts_with(link_target)) return 0;
  const std::size_t end = line.find(')', close);
  if (end == std::string_view::npos) return 0;
  text = line.substr(1, close - 1);
  return end + 1;
}

/// Whether `**` between `before` and `after` is Markdown for bold: there is a blank or an end of the line on at least
/// one side. In a C++ signature, `f(void**)`, there is neither.
bool is_bold(std::string_view before, std::string_view after) {
  return before.empty() || after.empty() || is_blank(before.back()) || is_blank(after.front());
}

/// Whether `text` is not empty and contains only characters of `allowed`.
bool consists_of(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace

bool has_markup(std::string_view line) {
  return line.find(link_target) != std::string_view::npos || line.find(bold) != std::string_view::npos ||
         std::any_of(std::begin(replacements), std::end(replacements),
                     [line](const Replacement& one) { return line.find(one.from) != std::string_view::npos; });
}

std::string without_markup(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    std::string_view text;
    const auto* const found = std::find_if(std::begin(replacements), std::end(replacements),
                                           [line](const Replacement& one) { return line.starts_with(one.from); });
    if (found != std::end(replacements)) {
      out.append(found->to);
      line.remove_prefix(found->from.size());
    } else if (const std::size_t link = link_length(line, text); link != 0) {
      out.append(text);
      line.remove_prefix(link);
    } else if (const std::size_t stars = std::min(line.find_first_not_of('*'), line.size()); stars != 0) {
      const std::string_view after = line.substr(stars);
      if (stars != bold.size() || !is_bold(out, after)) out.append(stars, '*');
      line = after;
    } else {
      out.push_back(line.front());
      line.remove_prefix(1);
    }
  }
  return out;
}

std::string_view without_closing_tags(std::string_view line) {
  constexpr std::string_view tags[] = {"<br>",    "<br/>",   "<br />", "</p>",  "</li>", "</div>",
                                       "</span>", "</code>", "</pre>", "</td>", "&nbsp;"};
  for (std::string_view text = trimmed_end(line); text.ends_with('>') || text.ends_with("p;");) {
    const auto* const tag = std::ranges::find_if(tags, [&](std::string_view one) { return text.ends_with(one); });
    if (tag == std::end(tags)) break;
    line = text = trimmed_end(text.substr(0, text.size() - tag->size()));
  }
  return line;
}

std::string_view without_notes(std::string_view line) {
  line = without_closing_tags(line);
  constexpr std::string_view arrows[] = {"\xe2\x86\x90", "\xe2\xac\x85"};
  constexpr std::string_view borders[] = {"\xe2\x94\x82", "\xe2\x94\x83", "\xe2\x95\x91"};
  constexpr char first_byte = '\xe2';  // of all arrows and borders
  if (line.find(first_byte) == std::string_view::npos) return line;
  for (const std::string_view arrow : arrows) {
    const std::size_t at = line.find(arrow);
    if (at == std::string_view::npos) continue;
    line = trimmed_end(line.substr(0, at));
    const std::size_t last = line.find_last_not_of("#/<");
    if (last != std::string_view::npos && is_blank(line[last])) line = trimmed_end(line.substr(0, last));
  }
  const std::string_view closed = trimmed_end(line);
  for (const std::string_view border : borders)
    if (closed.ends_with(border)) return trimmed_end(closed.substr(0, closed.size() - border.size()));
  return line;
}

std::string_view without_cut_mark(std::string_view message) {
  constexpr std::string_view marks[] = {"[...]", "...", "\xe2\x80\xa6", "$"};
  for (const std::string_view mark : marks)
    if (message.ends_with(mark)) return trimmed_end(message.substr(0, message.size() - mark.size()));
  return message;
}

std::string_view without_tag(std::string_view message) {
  constexpr std::string_view names[] = {"<stdout>:", "<stderr>:"};
  for (const std::string_view name : names) {
    if (!message.ends_with(name)) continue;
    const std::string_view rest = message.substr(0, message.size() - name.size());
    const std::size_t open = rest.rfind('[');
    if (open == std::string_view::npos || !rest.ends_with(']')) continue;
    if (consists_of(rest.substr(open + 1, rest.size() - open - 2), "0123456789,"))
      return trimmed_end(rest.substr(0, open));
  }
  return message;
}

std::array<std::string_view, 5> without_trailing_text(std::string_view message) {
  constexpr std::array<std::string_view, 3> comments = {" #", " //", " <-"};
  std::array<std::string_view, 5> found;
  const auto before = [message](std::size_t at) {
    return at == std::string_view::npos ? std::string_view{} : trimmed_end(message.substr(0, at));
  };
  for (std::size_t i = 0; i < comments.size(); ++i) found.at(i) = before(message.find(comments.at(i)));
  const std::size_t worker = message.rfind(" (");  // Ray and vLLM: `(Worker_TP0 pid=17)`
  if (worker != std::string_view::npos && message.find(" pid=", worker) != std::string_view::npos)
    found[comments.size()] = before(worker);
  const std::string_view untagged = without_tag(message);
  if (untagged.size() < message.size()) found.back() = untagged;
  return found;
}

}  // namespace nccl_analyze
