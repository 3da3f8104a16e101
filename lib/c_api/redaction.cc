// The functions of nccl_analyze.h that take a redaction.

#include "redact/redaction.h"

#include <cstddef>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c_api/border.h"
#include "input/stand_in_table.h"
#include "nccl_analyze.h"

/// A redaction, and the progress of its caller through the two passes.
struct nccl_analyze_redaction : nccl_analyze::Handle {
  explicit nccl_analyze_redaction(bool keep_other) : redaction(keep_other) {}

  nccl_analyze::redact::Redaction redaction;
  std::vector<std::string> sources = {};  ///< The sources of the first pass, in order.
  std::size_t rewritten = 0;              ///< Number of sources that the second pass has begun.
  bool is_open = false;                   ///< Whether a source has begun and has not ended.
  bool is_second = false;                 ///< Whether the second pass has begun.

  void begin_second() {
    if (!is_second) redaction.choose();
    is_second = true;
  }
};

namespace {

using nccl_analyze::store_misuse;

template <class Work>
nccl_analyze_status guarded(nccl_analyze_redaction* redaction, bool valid, const Work& work) noexcept {
  if (redaction == nullptr) return NCCL_ANALYZE_MISUSE;
  return nccl_analyze::guarded_call(*redaction, valid, [&] { return work(*redaction); });
}

/// Begins a source of the second pass, unless it has begun. Returns what is wrong with the call; null on success.
const char* begin_rewriting(nccl_analyze_redaction& passes, std::string_view source) {
  if (!passes.is_second && passes.is_open) return "the first pass has a source that has not ended";
  if (passes.is_open) return source == passes.sources[passes.rewritten - 1] ? nullptr : "another source has not ended";
  if (passes.rewritten == passes.sources.size() || source != passes.sources[passes.rewritten])
    return "the second pass takes the sources of the first one, in the same order";
  passes.begin_second();
  passes.redaction.begin_rewriting();
  ++passes.rewritten;
  passes.is_open = true;
  return nullptr;
}

}  // namespace

nccl_analyze_redaction* nccl_analyze_redaction_new(int keep_other) {
  try {
    return new nccl_analyze_redaction(keep_other != 0);
  } catch (...) {
    return nullptr;
  }
}

void nccl_analyze_redaction_free(nccl_analyze_redaction** redaction) {
  if (redaction != nullptr) delete std::exchange(*redaction, nullptr);
}

nccl_analyze_status nccl_analyze_redaction_use(nccl_analyze_redaction* redaction, const char* table) {
  return guarded(redaction, table != nullptr, [&](nccl_analyze_redaction& passes) {
    if (passes.is_second) return store_misuse(passes, "the second pass has begun");
    if (nccl_analyze::read_stand_ins(table, passes.redaction)) return NCCL_ANALYZE_OK;
    passes.error = "the text is no table of stand-ins";
    return NCCL_ANALYZE_FAILED;
  });
}

nccl_analyze_status nccl_analyze_redaction_survey(nccl_analyze_redaction* redaction, const char* source,
                                                  const void* bytes, size_t size) {
  const bool valid = source != nullptr && (bytes != nullptr || size == 0);
  return guarded(redaction, valid, [&](nccl_analyze_redaction& passes) {
    if (passes.is_second) return store_misuse(passes, "the second pass has begun");
    if (passes.is_open && passes.sources.back() != source) return store_misuse(passes, "another source has not ended");
    if (!passes.is_open) {
      passes.redaction.begin(source);
      passes.sources.emplace_back(source);
      passes.is_open = true;
    }
    passes.redaction.survey({static_cast<const char*>(bytes), size});
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_redaction_rewrite(nccl_analyze_redaction* redaction, const char* source,
                                                   const void* bytes, size_t size, char** text, size_t* text_size) {
  if (text != nullptr) *text = nullptr;
  const bool valid = source != nullptr && (bytes != nullptr || size == 0) && text != nullptr && text_size != nullptr;
  return guarded(redaction, valid, [&](nccl_analyze_redaction& passes) {
    if (const char* const wrong = begin_rewriting(passes, source)) return store_misuse(passes, wrong);
    std::string made;
    passes.redaction.rewrite({static_cast<const char*>(bytes), size}, [&](std::string_view part) { made += part; });
    nccl_analyze::give_text(made, text, text_size);
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_redaction_end(nccl_analyze_redaction* redaction, char** text, size_t* text_size) {
  if (text != nullptr) *text = nullptr;
  const bool valid = text != nullptr && text_size != nullptr;
  return guarded(redaction, valid, [&](nccl_analyze_redaction& passes) {
    if (!passes.is_open) return store_misuse(passes, "no source has begun");
    std::string made;
    if (passes.is_second)
      passes.redaction.end_rewriting([&](std::string_view part) { made += part; });
    else
      passes.redaction.end();
    passes.is_open = false;
    nccl_analyze::give_text(made, text, text_size);
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_redaction_name(nccl_analyze_redaction* redaction, const char* source, char** text) {
  if (text != nullptr) *text = nullptr;
  return guarded(redaction, source != nullptr && text != nullptr, [&](nccl_analyze_redaction& passes) {
    if (!passes.is_second && passes.is_open) return store_misuse(passes, "a source has not ended");
    passes.begin_second();
    nccl_analyze::give_text(passes.redaction.rewritten_name(source), text, nullptr);
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_redaction_table(nccl_analyze_redaction* redaction, char** text, size_t* text_size) {
  if (text != nullptr) *text = nullptr;
  return guarded(redaction, text != nullptr, [&](nccl_analyze_redaction& passes) {
    if (!passes.is_second) return store_misuse(passes, "the second pass has not begun");
    nccl_analyze::give_text(nccl_analyze::table_of_stand_ins(passes.redaction), text, text_size);
    return NCCL_ANALYZE_OK;
  });
}

const char* nccl_analyze_redaction_error(const nccl_analyze_redaction* redaction) {
  if (redaction == nullptr) return "";
  const std::lock_guard turn(redaction->turn);
  return redaction->error.c_str();
}
