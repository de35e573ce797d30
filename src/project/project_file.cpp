// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/project_file.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>

#include "base/machine/failure_words.h"
#include "base/write_file.h"
#include "host/json_reader.h"

namespace heddle::project {
namespace {

constexpr const char* file_version = "3";

std::string path_in(const std::string& folder) { return folder + "/project.json"; }

/// Two texts and the objects of a unit or of a failure.
struct Row {
  std::string first, second;
  std::vector<std::string> objects;
};

bool read_rows(host::JsonReader& reader, const char* first, const char* second, const std::function<void(Row)>& row) {
  return reader.read_array([&] {
    Row found;
    const bool fine = reader.read_object([&](const std::string& key) {
      if (key == first) return reader.read_string(found.first);
      if (key == "objects") return reader.read_array([&] { return reader.read_string(found.objects.emplace_back()); });
      return key == second && reader.read_string(found.second);
    });
    if (fine) row(std::move(found));
    return fine;
  });
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string text = "[";
  for (const std::string& one : texts) text += (&one == texts.data() ? "" : ", ") + host::json_string(one);
  return text + "]";
}

std::string rows(const char* first, const char* second, const std::vector<Row>& all) {
  std::string text = "[";
  for (const Row& row : all)
    text += std::string(&row == all.data() ? "\n" : ",\n") + "  {\"" + first + "\": " + host::json_string(row.first) +
            ", \"" + second + "\": " + host::json_string(row.second) + ", \"objects\": " + json_list(row.objects) + "}";
  return text + "]";
}

/// Keys become names of files: hexadecimal digits, and no way to somewhere else.
bool has_sound_keys(const ProjectFile& project) {
  return std::ranges::all_of(project.units, [](const ProjectUnit& unit) {
    return unit.key.size() == 32 && unit.key.find_first_not_of("0123456789abcdef") == std::string::npos;
  });
}

constexpr std::size_t fields = 8;  // version, tried, skipped, interrupted, build_status, units, failed, notes

}  // namespace

Result<void> write_project_file(const std::string& folder, const ProjectFile& project) {
  std::vector<Row> units, failed;
  for (const ProjectUnit& unit : project.units) units.push_back({unit.key, unit.file, unit.objects});
  for (const UnitFailure& failure : project.coverage.failed)
    failed.push_back({failure.file, failure.message, failure.objects});
  const std::string text =
      std::string("{\"version\": \"") + file_version + "\",\n \"tried\": \"" + std::to_string(project.coverage.tried) +
      "\",\n \"skipped\": \"" + std::to_string(project.coverage.skipped) + "\",\n \"interrupted\": \"" +
      (project.coverage.interrupted ? "yes" : "no") + "\",\n \"build_status\": \"" +
      std::to_string(project.coverage.build_status) + "\",\n \"units\": " + rows("key", "file", units) +
      ",\n \"failed\": " + rows("file", "message", failed) + ",\n \"notes\": " + json_list(project.coverage.notes) +
      "}\n";
  return update_file(path_in(folder), text);
}

Result<ProjectFile> read_project_file(const std::string& folder) {
  std::ifstream input(path_in(folder), std::ios::binary);
  if (!input && errno != ENOENT && errno != ENOTDIR)
    return error("'" + path_in(folder) + "' cannot be read: " + failure_words(errno));
  if (!input)
    return error("'" + folder +
                 "' holds no captured project; run 'heddle capture -- YOUR BUILD' or 'heddle capture -p DIR' first");
  host::JsonReader reader(input);
  ProjectFile project;
  std::string found_version, tried, skipped, interrupted, build_status;
  std::set<std::string> found;
  const bool fine = reader.read_object([&](const std::string& key) {
    if (!found.insert(key).second) return false;
    if (key == "version") return reader.read_string(found_version);
    if (key == "tried") return reader.read_string(tried);
    if (key == "skipped") return reader.read_string(skipped);
    if (key == "interrupted") return reader.read_string(interrupted);
    if (key == "build_status") return reader.read_string(build_status);
    if (key == "units")
      return read_rows(reader, "key", "file",
                       [&](Row row) { project.units.push_back({row.second, row.first, row.objects}); });
    if (key == "failed")
      return read_rows(reader, "file", "message",
                       [&](Row row) { project.coverage.failed.push_back({row.first, row.second, row.objects}); });
    return key == "notes" &&
           reader.read_array([&] { return reader.read_string(project.coverage.notes.emplace_back()); });
  });
  const bool is_whole = fine && reader.read_end() && found.size() == fields && has_sound_keys(project);
  if (input.bad()) return error(path_in(folder) + ":" + reader.message());
  if (found_version == file_version && !is_whole)
    return error(path_in(folder) + ": is damaged; run 'heddle capture' again");
  if (!is_whole && found_version.empty())
    return error(path_in(folder) + ":" + reader.message() + "; run 'heddle capture' again");
  if (found_version != file_version)
    return error(path_in(folder) + ": was written by another version of heddle; run 'heddle capture' again");
  project.coverage.tried = std::strtoull(tried.c_str(), nullptr, 10);
  project.coverage.skipped = std::strtoull(skipped.c_str(), nullptr, 10);
  project.coverage.parsed = project.units.size();
  project.coverage.interrupted = interrupted == "yes";
  project.coverage.build_status = static_cast<int>(std::strtol(build_status.c_str(), nullptr, 10));
  return project;
}

}  // namespace heddle::project
