// Tests that pieces of lines are literal, bounded, and marked where the line goes on.

#include "text/literal.h"

#include "catch.h"

namespace nccl_analyze {

TEST_CASE("literal: a short line is quoted whole, without the blanks at its ends") {
  CHECK(literal_line("  GPU0\t X \r", 20) == "GPU0  X");
  CHECK(literal_piece("  {\"a\": 1}", 3, 5, 20) == "{\"a\": 1}");
  CHECK(literal_line("", 20).empty());
  CHECK(literal_line(" \t", 20).empty());
}

TEST_CASE("literal: of a long line a piece is quoted, with a mark at each end where the line goes on") {
  const std::string line = "  {\"first\": 1, \"second\": 22, \"third\": 3}";
  CHECK(literal_piece(line, 15, 27, 20) == "…\"second\": 22…");
  CHECK(literal_piece(line, 3, 13, 20) == "…\"first\": 1…");
  CHECK(literal_piece(line, 0, 12, 20) == "{\"first\":…");
  CHECK(literal_piece(line, 29, 1000, 20) == "…\"third\": 3}");
  CHECK(literal_piece(line, 15, 1000, 12) == "…\"second\": 22…");
  CHECK(literal_piece(line, 1000, 2000, 20) == "…");
  CHECK(without_cut_marks("…\"second\": 22…") == "\"second\": 22");
  CHECK(without_cut_marks("whole") == "whole");
  CHECK(without_cut_marks("…").empty());
}

TEST_CASE("literal: no code point is cut") {
  CHECK(literal_line("aé", 2) == "a…");
  CHECK(literal_line("aéb", 3) == "aé…");
  CHECK(literal_line("\x80\x80\x80\x80\x80\x80", 5) == "\x80…");
}

}  // namespace nccl_analyze
