#include <memory>
#include <utility>

#include "model/build/builder.h"
#include "model/resolve/resolve.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

struct ModelBuilder::Impl {
  builder::Builder builder;
};

ModelBuilder::ModelBuilder(ModelLimits limits) : impl_(new Impl{builder::Builder{limits}}) {}
ModelBuilder::ModelBuilder(const ModelBuilder& other) : impl_(new Impl(*other.impl_)) {}
ModelBuilder& ModelBuilder::operator=(const ModelBuilder& other) { return *this = ModelBuilder(other); }
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;
ModelBuilder::~ModelBuilder() = default;

void ModelBuilder::add(const Record& record) { impl_->builder.add(record); }

void ModelBuilder::add(const Record& record, const builder::ReplayedRecord& replayed) {
  impl_->builder.add(record, replayed);
}

void ModelBuilder::leave_out(std::uint64_t facts) { impl_->builder.leave_out(facts); }

void ModelBuilder::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  impl_->builder.add_source(source, name, stats);
}

Model ModelBuilder::build() && {
  builder::BuilderState state = impl_->builder.finish();
  impl_.reset();  // frees lookup tables that resolve() does not need
  return builder::resolve(std::move(state));
}

}  // namespace nccl_analyze
