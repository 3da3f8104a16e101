#pragma once
// What most files of the library read. With NCCL_ANALYZE_UNITY it is compiled once for each target and comes before
// every file. No file includes it, and each file names what it needs, as builds without NCCL_ANALYZE_UNITY show.

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "nccl_analyze/model.h"
#include "nccl_analyze/parser.h"
#include "nccl_analyze/rule.h"
