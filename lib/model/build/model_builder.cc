// The public builder: a handle on Folding.

#include <memory>
#include <utility>

#include "model/build/builder.h"

namespace nccl_analyze {

struct ModelBuilder::Impl {
  draft::Folding folding;
};

ModelBuilder::ModelBuilder(ModelLimits limits) : impl_(new Impl{draft::Folding{limits}}) {}
ModelBuilder::ModelBuilder(const ModelBuilder& other) : impl_(new Impl(*other.impl_)) {}
ModelBuilder& ModelBuilder::operator=(const ModelBuilder& other) { return *this = ModelBuilder(other); }
ModelBuilder::ModelBuilder(ModelBuilder&&) noexcept = default;
ModelBuilder& ModelBuilder::operator=(ModelBuilder&&) noexcept = default;
ModelBuilder::~ModelBuilder() = default;

void ModelBuilder::add(const Record& record) { impl_->folding.add(record); }

void ModelBuilder::leave_out(std::uint64_t facts) { impl_->folding.leave_out(facts); }

void ModelBuilder::add_source(SourceId source, std::string_view name, const ParseStats& stats) {
  impl_->folding.add_source(source, name, stats);
}

Model ModelBuilder::build() && {
  Model model = impl_->folding.build();
  impl_.reset();
  return model;
}

}  // namespace nccl_analyze
