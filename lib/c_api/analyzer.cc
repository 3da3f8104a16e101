// The functions of nccl_analyze.h that take an analyzer.

#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "c_api/border.h"
#include "c_api/report.h"
#include "nccl_analyze/model.h"

using nccl_analyze::guarded;
using nccl_analyze::Session;

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
  bool valid = paths != nullptr && count > 0;
  for (size_t i = 0; valid && i < count; ++i) valid = paths[i] != nullptr;
  return guarded(analyzer, valid, [&](Session& session) {
    return session.read({paths, paths + count}) ? NCCL_ANALYZE_OK : NCCL_ANALYZE_STOPPED;
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

const char* nccl_analyze_error(const nccl_analyze_analyzer* analyzer) {
  if (analyzer == nullptr) return "";
  const std::lock_guard turn(analyzer->turn);
  return analyzer->error.c_str();
}
