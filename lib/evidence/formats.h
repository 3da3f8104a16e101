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
std::unique_ptr<Document> begin_ibv_devinfo(std::string_view line);
std::unique_ptr<Document> begin_ibstatus(std::string_view line);
std::unique_ptr<Document> begin_rdma_link(std::string_view line);
std::unique_ptr<Document> begin_gid_table(std::string_view line);
std::unique_ptr<Document> begin_memlock(std::string_view line);
std::unique_ptr<Document> begin_df(std::string_view line);
std::unique_ptr<Document> begin_ray(std::string_view line);
std::unique_ptr<Document> begin_lsmod(std::string_view line);
std::unique_ptr<Document> begin_nvidia_smi(std::string_view line);
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
std::size_t start_of_rdma_link(std::string_view line, std::size_t sign);
std::size_t start_of_gid_table(std::string_view line, std::size_t sign);
/// Returns the position of `mlx5_0` in a row of show_gids that has the sign in its GID; npos if it is no such row.
std::size_t start_of_gid_row(std::string_view line, std::size_t sign);
/// Returns the position after the decoration, where blanks before the sign begin.
std::size_t start_of_indented(std::string_view line, std::size_t sign);
std::size_t start_of_df_row(std::string_view line, std::size_t sign);
/// Returns 0: the line is of a program that prints more before the sign.
std::size_t start_of_line(std::string_view line, std::size_t sign);
/// Returns the position of `max locked memory`, of which the sign lacks the first letter; npos if it has another one.
std::size_t start_of_limit_row(std::string_view line, std::size_t sign);
/// Returns 0 if the command stands behind a shell's prompt, which need not name the host; otherwise npos.
std::size_t start_of_limit_command(std::string_view line, std::size_t sign);
std::size_t start_of_module_search(std::string_view line, std::size_t sign);
std::size_t start_of_lspci(std::string_view line, std::size_t sign);
/// Returns 0 if the line begins with a shell's prompt that names the host; otherwise npos.
std::size_t start_of_prompt(std::string_view line, std::size_t sign);
void read_nccl_tests_json(const nlohmann::json& document, JsonText& text, Facts& facts);
void read_ras_json(const nlohmann::json& document, JsonText& text, Facts& facts);
void read_flight_recorder(const nlohmann::json& document, JsonText& text, Facts& facts);

std::unique_ptr<Document> begin_pod_manifest(std::string_view line);
void read_pod_manifest_json(const nlohmann::json& document, JsonText& text, Facts& facts);

}  // namespace nccl_analyze::evidence
