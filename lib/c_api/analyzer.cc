// The functions of nccl_analyze.h that take an analyzer.

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c_api/border.h"
#include "c_api/report.h"
#include "nccl_analyze/model.h"

using nccl_analyze::guarded;
using nccl_analyze::Session;

namespace {

bool are_set(const char* const* paths, std::size_t count) {
  bool set = paths != nullptr && count > 0;
  for (std::size_t i = 0; set && i < count; ++i) set = paths[i] != nullptr;
  return set;
}

}  // namespace

int nccl_analyze_api_version(void) { return NCCL_ANALYZE_API_VERSION; }

const char* nccl_analyze_version(void) { return nccl_analyze::version().data(); }

nccl_analyze_analyzer* nccl_analyze_new(void) {
  try {
    return new nccl_analyze_analyzer;
  } catch (...) {
    return nullptr;
  }
}

void nccl_analyze_free(nccl_analyze_analyzer** analyzer) {
  if (analyzer != nullptr) delete std::exchange(*analyzer, nullptr);
}

nccl_analyze_status nccl_analyze_set(nccl_analyze_analyzer* analyzer, const char* option, const char* value) {
  return guarded(analyzer, option != nullptr && value != nullptr, [&](Session& session) {
    session.set(option, value);
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_feed(nccl_analyze_analyzer* analyzer, const char* source, const void* bytes,
                                      size_t size) {
  return guarded(analyzer, source != nullptr && (bytes != nullptr || size == 0), [&](Session& session) {
    session.feed(source, {static_cast<const char*>(bytes), size});
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_end(nccl_analyze_analyzer* analyzer, const char* source) {
  return guarded(analyzer, source != nullptr, [&](Session& session) {
    session.end(source);
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_read(nccl_analyze_analyzer* analyzer, const char* const* paths, size_t count) {
  return guarded(analyzer, are_set(paths, count), [&](Session& session) {
    return session.read({paths, paths + count}) ? NCCL_ANALYZE_OK : NCCL_ANALYZE_STOPPED;
  });
}

nccl_analyze_status nccl_analyze_merge(nccl_analyze_analyzer* analyzer, const char* const* paths, size_t count) {
  return guarded(analyzer, are_set(paths, count), [&](Session& session) {
    return session.merge({paths, paths + count}) ? NCCL_ANALYZE_OK : NCCL_ANALYZE_STOPPED;
  });
}

nccl_analyze_status nccl_analyze_merge_bytes(nccl_analyze_analyzer* analyzer, const char* name, const void* bytes,
                                             size_t size) {
  return guarded(analyzer, name != nullptr && (bytes != nullptr || size == 0), [&](Session& session) {
    session.merge(name, {static_cast<const char*>(bytes), size});
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_summary(nccl_analyze_analyzer* analyzer, char** text, size_t* size) {
  if (text != nullptr) *text = nullptr;
  return guarded(analyzer, text != nullptr, [&](Session& session) {
    nccl_analyze::give_text(session.summary(), text, size);
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_list(nccl_analyze_analyzer* analyzer, const char* const* paths, size_t count,
                                      char** text, size_t* size) {
  if (text != nullptr) *text = nullptr;
  return guarded(analyzer, text != nullptr && size != nullptr && are_set(paths, count), [&](Session& session) {
    nccl_analyze::give_text(session.list({paths, paths + count}), text, size);
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_diff(nccl_analyze_analyzer* analyzer, const char* old_run, const char* new_run,
                                      nccl_analyze_report** report) {
  if (report != nullptr) *report = nullptr;
  return guarded(analyzer, old_run != nullptr && new_run != nullptr && report != nullptr, [&](Session& session) {
    std::optional<nccl_analyze::Judged> compared = session.diff(old_run, new_run);
    if (!compared) return NCCL_ANALYZE_STOPPED;
    *report = nccl_analyze::new_report(std::move(*compared)).release();
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_explain(nccl_analyze_analyzer* analyzer, const char* what, const char* format,
                                         char** text, size_t* size) {
  if (text != nullptr) *text = nullptr;
  return guarded(analyzer, what != nullptr && format != nullptr && text != nullptr, [&](Session& session) {
    const std::optional<std::string> explained = session.explain(what, format);
    if (!explained) return nccl_analyze::store_misuse(*analyzer, "there is no such format");
    nccl_analyze::give_text(*explained, text, size);
    return NCCL_ANALYZE_OK;
  });
}

void nccl_analyze_stop(nccl_analyze_analyzer* analyzer) {
  if (analyzer != nullptr) analyzer->session.stop();
}

nccl_analyze_status nccl_analyze_look(nccl_analyze_analyzer* analyzer, nccl_analyze_report** report) {
  if (report != nullptr) *report = nullptr;
  return guarded(analyzer, report != nullptr, [&](Session& session) {
    *report = nccl_analyze::new_report(session.look()).release();
    return NCCL_ANALYZE_OK;
  });
}

nccl_analyze_status nccl_analyze_finish(nccl_analyze_analyzer* analyzer, nccl_analyze_report** report) {
  if (report != nullptr) *report = nullptr;
  return guarded(analyzer, report != nullptr, [&](Session& session) {
    *report = nccl_analyze::new_report(session.finish()).release();
    return NCCL_ANALYZE_OK;
  });
}

const char* nccl_analyze_notice_so_far(const nccl_analyze_analyzer* analyzer, size_t index) {
  if (analyzer == nullptr) return nullptr;
  const std::lock_guard turn(analyzer->turn);
  const std::vector<std::string>& notices = analyzer->session.notices();
  return index < notices.size() ? notices[index].c_str() : nullptr;
}

const char* nccl_analyze_error(const nccl_analyze_analyzer* analyzer) {
  if (analyzer == nullptr) return "";
  const std::lock_guard turn(analyzer->turn);
  return analyzer->error.c_str();
}
