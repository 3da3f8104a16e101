#pragma once
// Members of JSON objects, with a default where a member is missing or of another type.

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

namespace nccl_analyze::evidence {

using Json = nlohmann::json;

/// Returns a member that is an object; an empty object if it is missing or no object. Valid as long as `of`.
const Json& object(const Json& of, const char* key);
/// Returns a member that is a list; an empty list if it is missing or no list. Valid as long as `of`.
const Json& list(const Json& of, const char* key);
/// Returns a member that is a string; empty if it is missing or no string. Valid as long as `of`.
std::string_view text(const Json& of, const char* key);
/// Returns a number without its fraction; -1 if the member is no number, or if 64 bits cannot represent it.
std::int64_t integer(const Json& of, const char* key);
/// Returns a number without its fraction; -1 if the member is no number, or if 32 bits cannot represent it.
int int32_of(const Json& of, const char* key);
/// Returns a number; 0 if the member is no number, or a number that cannot be a measured value.
double real_of(const Json& of, const char* key);
/// Returns whether the member is `true`.
bool flag(const Json& of, const char* key);

/// The key of the member that the parser adds to every object that has members. Its value is the position after the
/// object's opening brace.
inline constexpr const char* offset_key = "\nplace";
/// Returns the position after the opening brace of an object, in bytes of the text; 0 if the object has no members.
std::size_t place_of(const Json& object);

}  // namespace nccl_analyze::evidence
