#include <memory>
#include <utility>

#include "model/build/builder.h"
#include "model/resolve/resolve.h"
#include "nccl_analyze/model.h"

namespace nccl_analyze {

ModelBuilder::ModelBuilder(ModelLimits limits) : impl_(new Impl(limits)) {}
ModelBuilder::ModelBuilder(const ModelBuilder& other) : impl_(new Impl(*other.impl_)) {}
ModelBuilder& ModelBuilder::operator=(const ModelBuilder& other) { return *this = ModelBuilder(other); }
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;
ModelBuilder::~ModelBuilder() = default;

void ModelBuilder::add(const Record& record) { impl_->add(record); }

void ModelBuilder::leave_out(std::uint64_t facts) { impl_->leave_out(facts); }

void ModelBuilder::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  impl_->add_source(source, name, stats);
}

Model ModelBuilder::build() && {
  builder::BuilderState state = impl_->finish();
  impl_.reset();  // frees lookup tables that resolve() does not need
  return builder::resolve(std::move(state));
}

}  // namespace nccl_analyze
