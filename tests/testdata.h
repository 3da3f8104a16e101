#pragma once
/// The folders under testdata/ and the files that tests compare with.

#include <filesystem>
#include <string>
#include <vector>

namespace nccl_analyze {

/// A folder with logs and what must come out of them.
struct Case {
  std::filesystem::path folder;
  std::string name;                         ///< Path below testdata/.
  std::vector<std::filesystem::path> logs;  ///< `*.log`, sorted.
};

/// Every case below testdata/`kind`, sorted.
const std::vector<Case>& cases(const std::string& kind);

std::string read_file(const std::filesystem::path& path);

/// True when NCCL_ANALYZE_ACCEPT=1: tests write what they would compare.
bool accepting();

/// Fails with the first line that differs, not with both texts.
void check_same(const std::string& actual, const std::string& expected);

/// Fails unless the file holds `actual`; when accepting, writes it.
void check_file(const std::filesystem::path& path, const std::string& actual);

}  // namespace nccl_analyze
