// Turns exceptions into statuses.

#include "c_api/border.h"

#include <exception>
#include <new>

#include "cli/failure.h"
#include "cli/logging.h"

namespace nccl_analyze {
namespace {

/// Sets the error of an analyzer; the error is empty if there is not enough memory for the text.
void set_error(nccl_analyze_analyzer& analyzer, const char* sentence) noexcept {
  try {
    analyzer.error = printable(sentence);
  } catch (const std::bad_alloc&) {
    analyzer.error.clear();
  }
}

}  // namespace

nccl_analyze_status store_exception(nccl_analyze_analyzer& analyzer) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    set_error(analyzer, failure.what());
    return NCCL_ANALYZE_FAILED;
  } catch (const std::bad_alloc&) {
    analyzer.broken = NCCL_ANALYZE_NO_MEMORY;
    set_error(analyzer, "out of memory");
  } catch (const std::exception& other) {
    analyzer.broken = NCCL_ANALYZE_FAILED;
    set_error(analyzer, other.what());
  } catch (...) {
    analyzer.broken = NCCL_ANALYZE_FAILED;
    set_error(analyzer, "an unknown error");
  }
  return *analyzer.broken;
}

nccl_analyze_status store_misuse(nccl_analyze_analyzer& analyzer, const char* sentence) noexcept {
  set_error(analyzer, sentence);
  return NCCL_ANALYZE_MISUSE;
}

}  // namespace nccl_analyze
