#pragma once
// The formats of other tools that are read. Each format has a file in this folder and a row in formats.cc.

#include <memory>
#include <span>
#include <string_view>

#include "evidence/evidence.h"
#include "evidence/json_document.h"

namespace nccl_analyze::evidence {

std::span<const Format> line_formats();
std::span<const JsonFormat> json_formats();

std::unique_ptr<Document> begin_nccl_tests_table(std::string_view line);
/// The document begins at a row of the table, of which the names of the columns are missing.
std::unique_ptr<Document> begin_nccl_tests_rows(std::string_view line);
std::unique_ptr<Document> begin_inspector(std::string_view line);
std::unique_ptr<Document> begin_topo_matrix(std::string_view line);
std::unique_ptr<Document> begin_topology_xml(std::string_view line);
std::unique_ptr<Document> begin_graph_xml(std::string_view line);
std::unique_ptr<Document> begin_ibstat(std::string_view line);
std::unique_ptr<Document> begin_ibdev2netdev(std::string_view line);
std::unique_ptr<Document> begin_lspci(std::string_view line);
std::unique_ptr<Document> begin_torchrun_failure(std::string_view line);
std::unique_ptr<Document> begin_json_block(std::string_view line);
/// Returns the position of the `#` before the names of the columns, `#       size         count      type`; npos if the
/// line has none.
std::size_t start_of_nccl_tests_columns(std::string_view line, std::size_t sign);
/// Returns the position of the blanks before the size in `1048576 262144 float sum -1 163.84 6.40 12.00 0 163.19 6.43
/// 12.05 0`; npos if the line is no such row.
std::size_t start_of_nccl_tests_row(std::string_view line, std::size_t sign);
/// Returns the position of the blanks before `GPU0`; they belong to the document.
std::size_t start_of_topo_matrix(std::string_view line, std::size_t sign);
std::size_t start_of_ibdev2netdev(std::string_view line, std::size_t sign);
/// Returns the position after the decoration. The blanks before the first key are not decoration, because the last
/// brace is indented less.
std::size_t start_of_json_block(std::string_view line, std::size_t sign);
std::size_t start_of_lspci(std::string_view line, std::size_t sign);
/// Returns 0 if the line begins with a shell's prompt that names the host; otherwise npos.
std::size_t start_of_prompt(std::string_view line, std::size_t sign);
void read_nccl_tests_json(const nlohmann::json& document, JsonText& text, Facts& facts);
void read_ras_json(const nlohmann::json& document, JsonText& text, Facts& facts);
void read_flight_recorder(const nlohmann::json& document, JsonText& text, Facts& facts);

std::unique_ptr<Document> begin_pod_manifest(std::string_view line);
void read_pod_manifest_json(const nlohmann::json& document, JsonText& text, Facts& facts);

}  // namespace nccl_analyze::evidence
