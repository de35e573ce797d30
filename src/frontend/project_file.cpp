// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/project_file.h"

#include <fstream>

#include "base/write_file.h"
#include "frontend/json_reader.h"

namespace heddle::frontend {
namespace {

constexpr const char* version = "1";

std::string path_in(const std::string& folder) { return folder + "/project.json"; }

/// Two texts of each object in an array.
using Row = std::pair<std::string, std::string>;

bool read_rows(JsonReader& reader, const char* first, const char* second, const std::function<void(Row)>& row) {
  return reader.read_array([&] {
    Row found;
    const bool fine = reader.read_object([&](const std::string& key) {
      if (key == first) return reader.read_string(found.first);
      return key == second ? reader.read_string(found.second) : reader.skip_value();
    });
    if (fine) row(std::move(found));
    return fine;
  });
}

std::string rows(const char* first, const char* second, const std::vector<Row>& all) {
  std::string text = "[";
  for (const Row& row : all)
    text += std::string(&row == all.data() ? "\n" : ",\n") + "  {\"" + first + "\": " + json_string(row.first) +
            ", \"" + second + "\": " + json_string(row.second) + "}";
  return text + "]";
}

}  // namespace

Result<void> write_project_file(const std::string& folder, const ProjectFile& project) {
  std::vector<Row> units, failed;
  for (const ProjectUnit& unit : project.units) units.emplace_back(unit.key, unit.file);
  for (const UnitFailure& failure : project.coverage.failed) failed.emplace_back(failure.file, failure.message);
  std::string text = std::string("{\"version\": \"") + version + "\",\n \"tried\": \"" +
                     std::to_string(project.coverage.tried) + "\",\n \"interrupted\": \"" +
                     (project.coverage.interrupted ? "yes" : "no") + "\",\n \"units\": " + rows("key", "file", units) +
                     ",\n \"failed\": " + rows("file", "message", failed) + ",\n \"notes\": [";
  for (const std::string& note : project.coverage.notes)
    text += (&note == project.coverage.notes.data() ? "" : ", ") + json_string(note);
  return write_file(path_in(folder), text + "]}\n");
}

Result<ProjectFile> read_project_file(const std::string& folder) {
  std::ifstream input(path_in(folder), std::ios::binary);
  if (!input)
    return error("'" + folder +
                 "' holds no captured project; run 'heddle capture -- YOUR BUILD' or 'heddle capture -p DIR' first");
  JsonReader reader(input);
  ProjectFile project;
  std::string found_version, tried, interrupted;
  const bool fine = reader.read_object([&](const std::string& key) {
    if (key == "version") return reader.read_string(found_version);
    if (key == "tried") return reader.read_string(tried);
    if (key == "interrupted") return reader.read_string(interrupted);
    if (key == "units")
      return read_rows(reader, "key", "file", [&](Row row) { project.units.push_back({row.second, row.first}); });
    if (key == "failed")
      return read_rows(reader, "file", "message",
                       [&](Row row) { project.coverage.failed.push_back({row.first, row.second}); });
    if (key != "notes") return reader.skip_value();
    return reader.read_array([&] { return reader.read_string(project.coverage.notes.emplace_back()); });
  });
  if (!fine || !reader.read_end())
    return error(path_in(folder) + ":" + reader.message() + "; run 'heddle capture' again");
  if (found_version != version)
    return error(path_in(folder) + ": was written by another version of heddle; run 'heddle capture' again");
  project.coverage.tried = std::strtoull(tried.c_str(), nullptr, 10);
  project.coverage.parsed = project.units.size();
  project.coverage.interrupted = interrupted == "yes";
  return project;
}

}  // namespace heddle::frontend
