// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/linked_file.h"

#include <array>
#include <filesystem>
#include <fstream>

#include "base/write_file.h"
#include "host/json_reader.h"
#include "program/unit/unit_file.h"

namespace heddle::project {
namespace {

constexpr std::string_view label_version = "1";
constexpr std::array kinds = {"defined twice", "separate modules", "bodies differ", "inside an object"};

std::string path_in(const std::string& folder, const std::string& name) { return folder + "/linked/" + name; }

/// What stands beside the Program.
struct Label {
  std::string version, key, program;
  std::vector<LinkConflict> conflicts;
};

std::string to_text(const LinkConflict& conflict) {
  std::string text = "{\"kind\": " + host::json_string(kinds.at(static_cast<std::size_t>(conflict.kind))) +
                     ", \"symbol\": " + host::json_string(conflict.symbol) +
                     ", \"what\": " + host::json_string(conflict.what) + ", \"units\": [";
  for (const std::string& unit : conflict.units)
    text += (&unit == conflict.units.data() ? "" : ", ") + host::json_string(unit);
  return text + "]}";
}

std::string to_text(const Label& label) {
  std::string text = "{\"version\": " + host::json_string(label.version) +
                     ",\n \"key\": " + host::json_string(label.key) +
                     ",\n \"program\": " + host::json_string(label.program) + ",\n \"conflicts\": [";
  for (const LinkConflict& conflict : label.conflicts)
    text += (&conflict == label.conflicts.data() ? "\n  " : ",\n  ") + to_text(conflict);
  return text + "]}\n";
}

bool read_conflict(host::JsonReader& reader, LinkConflict& conflict) {
  std::string kind;
  const bool fine = reader.read_object([&](const std::string& key) {
    if (key == "kind") return reader.read_string(kind);
    if (key == "symbol") return reader.read_string(conflict.symbol);
    if (key == "what") return reader.read_string(conflict.what);
    if (key != "units") return reader.skip_value();
    return reader.read_array([&] { return reader.read_string(conflict.units.emplace_back()); });
  });
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kind == kinds.at(i)) conflict.kind = static_cast<LinkConflict::Kind>(i);
  return fine;
}

bool read_label(std::istream& input, Label& label) {
  host::JsonReader reader(input);
  return reader.read_object([&](const std::string& key) {
    if (key == "version") return reader.read_string(label.version);
    if (key == "key") return reader.read_string(label.key);
    if (key == "program") return reader.read_string(label.program);
    if (key != "conflicts") return reader.skip_value();
    return reader.read_array([&] { return read_conflict(reader, label.conflicts.emplace_back()); });
  }) && reader.read_end();
}

}  // namespace

std::expected<Linked, NoLinkedFile> read_linked_file(const std::string& folder, const std::string& name,
                                                     const ContentHash& key) {
  const auto none = [](std::string why) { return std::unexpected(NoLinkedFile{std::move(why)}); };
  const std::string label_path = path_in(folder, name) + ".json";
  const std::string program_path = path_in(folder, name) + ".unit";
  std::ifstream input(label_path, std::ios::binary);
  Label label;
  if (!input) return none("");
  if (!read_label(input, label)) return none(label_path + ": is damaged");
  if (label.version != label_version) return none(label_path + ": was written by another version of heddle");
  if (label.key != key.hex()) return none("");
  const auto identity = unit_file_identity(program_path);
  if (!identity) return none(identity.error().message);
  if (identity->hex() != label.program) return none(program_path + ": is another than " + label_path + " speaks of");
  auto program = read_unit_file(program_path);
  if (!program) return none(program.error().message);
  return Linked{std::move(*program), std::move(label.conflicts)};
}

Result<void> write_linked_file(const std::string& folder, const std::string& name, const ContentHash& key,
                               const Linked& linked) {
  std::error_code failure;
  std::filesystem::create_directories(folder + "/linked", failure);
  const std::string program_path = path_in(folder, name) + ".unit";
  if (auto written = write_unit_file(program_path, linked.program); !written) return written;
  const auto identity = unit_file_identity(program_path);
  if (!identity) return std::unexpected(identity.error());
  const Label label{std::string(label_version), key.hex(), identity->hex(), linked.conflicts};
  return write_file(path_in(folder, name) + ".json", to_text(label));
}

}  // namespace heddle::project
