// Turns exceptions into statuses.

#include "c_api/border.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>

#include "input/failure.h"
#include "input/logging.h"

namespace nccl_analyze {
namespace {

/// Sets the error of an object to `sentence`, in printable form; to an empty text if there is not enough memory.
void set_error(Handle& handle, const char* sentence) noexcept {
  try {
    handle.error = printable(sentence);
  } catch (const std::bad_alloc&) {
    handle.error.clear();
  }
}

}  // namespace

nccl_analyze_status store_exception(Handle& handle) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    set_error(handle, failure.what());
    return NCCL_ANALYZE_FAILED;
  } catch (const std::bad_alloc&) {
    handle.broken = NCCL_ANALYZE_NO_MEMORY;
    set_error(handle, "out of memory");
  } catch (const std::exception& other) {
    handle.broken = NCCL_ANALYZE_FAILED;
    set_error(handle, other.what());
  } catch (...) {
    handle.broken = NCCL_ANALYZE_FAILED;
    set_error(handle, "an unknown error");
  }
  return *handle.broken;
}

nccl_analyze_status store_misuse(Handle& handle, const char* sentence) noexcept {
  set_error(handle, sentence);
  return NCCL_ANALYZE_MISUSE;
}

void give_text(std::string_view bytes, char** text, std::size_t* size) {
  char* const copy = static_cast<char*>(std::malloc(bytes.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::ranges::copy(bytes, copy);
  copy[bytes.size()] = '\0';
  *text = copy;
  if (size != nullptr) *size = bytes.size();
}

}  // namespace nccl_analyze
