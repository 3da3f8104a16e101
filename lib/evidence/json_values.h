#pragma once
// Members of JSON objects, with a default where a member is missing or of another type.

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace nccl_analyze::evidence {

using Json = nlohmann::json;

/// An empty object if the member is no object. The result lives as long as `of`.
const Json& object(const Json& of, const char* key);
/// An empty list if the member is no list.
const Json& list(const Json& of, const char* key);
/// Empty if the member is no string.
std::string_view text(const Json& of, const char* key);
/// -1 if the member is no number, or a number that 64 bits cannot represent.
std::int64_t integer(const Json& of, const char* key);
/// -1 if the member is no number, or a number that 32 bits cannot represent.
int int32_of(const Json& of, const char* key);
/// 0 if the member is no number, or a number that cannot be a measured value.
double real_of(const Json& of, const char* key);
/// False if the member is not `true`.
bool flag(const Json& of, const char* key);

/// The key of the member that the parser adds to every object that has members. Its value is the position after the
/// object's opening brace.
inline constexpr const char* offset_key = "\nplace";
/// The position after the opening brace of an object, in bytes of the text; 0 if the object has no members.
std::size_t place_of(const Json& object);

}  // namespace nccl_analyze::evidence
