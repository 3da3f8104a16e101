// Prints the list of profiles, and a profile as a file that users can edit.

#include <algorithm>
#include <ostream>
#include <string>

#include "nccl_analyze/report.h"
#include "text/json_writer.h"

namespace nccl_analyze {

void write_profiles(std::ostream& out, std::span<const Profile> profiles) {
  std::size_t width = 0;
  for (const Profile& profile : profiles) width = std::max(width, profile.name.size());
  for (const Profile& profile : profiles)
    out << profile.name << std::string(width + 2 - profile.name.size(), ' ') << profile.about << "\n";
}

void write_profile(std::ostream& out, const Profile& profile) {
  JsonWriter json{out};
  json.begin_object();
  json.member("name", profile.name);
  json.member("about", profile.about);
  json.member("source", profile.source);
  json.begin_array("expect");
  for (const Expectation& expected : profile.expectations) json.value(expected.word);
  json.end();
  json.end();
  json.finish();
}

}  // namespace nccl_analyze
