#pragma once
#include <vector>

#include "nccl_analyze/model.h"
namespace nccl_analyze {
template <class T>
class Table : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  Table() = default;
  Table(std::vector<T> items) : std::vector<T>(std::move(items)) {}
  using std::vector<T>::operator[];
  typename std::vector<T>::reference operator[](Index index) { return (*this)[static_cast<std::size_t>(index)]; }
  typename std::vector<T>::const_reference operator[](Index index) const {
    return (*this)[static_cast<std::size_t>(index)];
  }
};
}  // namespace nccl_analyze
