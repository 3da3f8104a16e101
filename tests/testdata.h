#pragma once
/// Cases under testdata/, and the comparison of texts with expected files.

#include <filesystem>
#include <string>
#include <vector>

namespace nccl_analyze {

/// A folder with logs and the expected results.
struct Case {
  std::filesystem::path folder;
  std::string name;                         ///< Path below testdata/.
  std::vector<std::filesystem::path> logs;  ///< `*.log`, sorted.
};

/// Returns all cases below testdata/`kind`, sorted.
const std::vector<Case>& cases(const std::string& kind);

/// The root of the sources.
std::filesystem::path source_folder();

std::string read_file(const std::filesystem::path& path);

/// Whether NCCL_ANALYZE_ACCEPT=1: tests then write the expected files instead of comparing with them.
bool accepting();

/// Fails if the texts differ. The message has the first line that differs, not both texts.
void check_same(const std::string& actual, const std::string& expected);

/// Fails unless the file has the content `actual`. If accepting(), writes the file instead.
void check_file(const std::filesystem::path& path, const std::string& actual);

}  // namespace nccl_analyze
