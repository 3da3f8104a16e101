#include "evidence/fact.h"

#include <algorithm>
#include <string_view>

#include "messages/views.h"
#include "text/literal.h"

namespace nccl_analyze::evidence {

void add_piece(SourceQuote& shown, const SourceQuote& piece) {
  constexpr std::uint64_t near = 12;  // in lines
  constexpr std::size_t most = 550;   // in bytes
  const std::string_view literal = without_cut_marks(piece.text);
  if (literal.empty() || piece.line < shown.line || piece.line > shown.line + near) return;
  if (shown.text.size() + piece.text.size() > most || shown.text.find(literal) != std::string::npos) return;
  if (shown.text.ends_with(cut_mark)) shown.text.resize(shown.text.size() - cut_mark.size());
  shown.text.append(piece_border)
      .append(piece.text.starts_with(cut_mark) ? piece.text.substr(cut_mark.size()) : piece.text);
}

void Fact::own_texts() {
  std::size_t size = 0;
  for (const Field& field : fields_in(event))
    field.visit(address_of(std::as_const(event)),
                [&](const auto& member) { size += std::min(view_of(member).size(), max_text); });
  if (size == 0) return;
  texts_ = std::make_unique<char[]>(size);
  char* end = texts_.get();
  replace_views(address_of(event), fields_in(event), [&end](std::string_view text) {
    char* const begin = end;
    end = std::ranges::replace_copy_if(
              text.substr(0, max_text), end, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
              ' ')
              .out;
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  });
}

}  // namespace nccl_analyze::evidence
