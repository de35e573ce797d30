// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/linked_file.h"

#include <array>
#include <sstream>

#include "base/kept/kept_file.h"
#include "host/json_reader.h"
#include "program/unit/unit_file.h"

namespace heddle::project {
namespace {

constexpr std::string_view label_version = "2";
constexpr std::array kinds = {"defined twice", "separate modules", "bodies differ", "inside an object"};

kept::Place place_in(const std::string& folder, const std::string& name) { return {folder, "linked/" + name}; }

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
    if (key != "units") return false;
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
    if (key != "conflicts") return false;
    return reader.read_array([&] { return read_conflict(reader, label.conflicts.emplace_back()); });
  }) && reader.read_end();
}

}  // namespace

std::expected<Linked, NoLinkedFile> read_linked_file(const std::string& folder, const std::string& name,
                                                     const ContentHash& key) {
  const auto none = [](std::string why) { return std::unexpected(NoLinkedFile{std::move(why)}); };
  const kept::Place label_place = place_in(folder, name + ".json"), program_place = place_in(folder, name + ".unit");
  const std::string label_path = label_place.path();
  const auto text = kept::read_kept(label_place);
  if (!text) return none(text.error().kind == kept::NotKept::Kind::Missing ? "" : text.error().message);
  std::istringstream input(*text);
  Label label;
  if (!read_label(input, label)) return none(label_path + ": is damaged");
  if (label.version != label_version) return none(label_path + ": was written by another version of heddle");
  if (label.key != key.hex()) return none("");
  const auto identity = unit_file_identity(program_place);
  if (!identity) return none(identity.error().message);
  if (identity->hex() != label.program)
    return none(program_place.path() + ": is another than " + label_path + " speaks of");
  auto program = read_unit_file(program_place);
  if (!program) return none(program.error().message);
  return Linked{std::move(*program), std::move(label.conflicts)};
}

Result<void> write_linked_file(const std::string& folder, const std::string& name, const ContentHash& key,
                               const Linked& linked) {
  const kept::Place program = place_in(folder, name + ".unit");
  if (auto made = kept::make_folders(program); !made) return made;
  if (auto written = write_unit_file(program, linked.program); !written) return written;
  const auto identity = unit_file_identity(program);
  if (!identity) return std::unexpected(identity.error());
  const Label label{std::string(label_version), key.hex(), identity->hex(), linked.conflicts};
  return kept::write_kept(place_in(folder, name + ".json"), to_text(label));
}

}  // namespace heddle::project
