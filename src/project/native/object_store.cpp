// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/object_store.h"

#include <sstream>

#include "api/models/model_listing.h"
#include "base/build_identity.h"
#include "base/read_file.h"

namespace heddle::project {
namespace {

using instrument::HookCounts;
using instrument::InstrumentedUnit;

ContentHash seal_of_object(std::string_view bytes) { return kept::seal_of("object", bytes).mac; }

void write_names(std::ostream& out, const std::map<std::string, std::size_t>& names) {
  out << names.size() << "\n";
  for (const auto& [name, count] : names) out << count << " " << name << "\n";
}

bool read_names(std::istream& in, std::map<std::string, std::size_t>& names) {
  std::size_t size = 0, count = 0;
  std::string name;
  if (!(in >> size)) return false;
  for (std::size_t i = 0; i < size && in >> count >> name; ++i) names[name] = count;
  return names.size() == size && !in.fail();
}

std::string to_text(const std::string& seal, const InstrumentedUnit& unit) {
  std::ostringstream out;
  const HookCounts& c = unit.counts;
  out << seal << "\n"
      << c.accesses << " " << c.left_alone << " " << c.library << " " << c.calls << " " << c.ends << " " << c.assembly
      << "\n";
  write_names(out, c.unsaid);
  write_names(out, c.unknown);
  write_names(out, c.ordering);
  out << unit.accesses.to_text();
  return out.str();
}

std::optional<InstrumentedUnit> from_text(const std::string& text, const std::string& seal) {
  std::istringstream in(text);
  InstrumentedUnit unit;
  HookCounts& c = unit.counts;
  std::string first;
  if (!std::getline(in, first) || first != seal ||
      !(in >> c.accesses >> c.left_alone >> c.library >> c.calls >> c.ends >> c.assembly) ||
      !read_names(in, c.unsaid) || !read_names(in, c.unknown) || !read_names(in, c.ordering))
    return std::nullopt;
  in.get();  // the end of the last line
  auto accesses = AccessTable::from_text(std::string_view(text).substr(static_cast<std::size_t>(in.tellg())), "");
  if (!accesses) return std::nullopt;
  unit.accesses = std::move(*accesses);
  return unit;
}

}  // namespace

ObjectStore::ObjectStore(std::string folder, const api::ApiModels& models, const instrument::HookOptions& options)
    : folder_(std::move(folder)), options_(options) {
  Hasher hasher;
  hasher.add("object 1").add(build_identity()).add(options.hook_all ? 1 : 0);
  hasher.add(options.tell_ways ? 1 : 0).add(options.with_tsan ? 1 : 0);
  for (const api::ModelListing& model : api::list_models(models)) hasher.add(model.name).add(model.effects);
  setting_ = hasher.finish();
}

Result<void> ObjectStore::prepare() const { return kept::make_folders(object("x")); }

std::string ObjectStore::key_of(const instrument::UnitCode& code, const Program* names) const {
  Hasher hasher;
  hasher.add(setting_.high).add(setting_.low).add(code.bitcode).add(code.is_ir ? 1 : 0);
  for (const std::string& name : code.needs)
    if (options_.defined.contains(name)) hasher.add(name);
  if (names != nullptr)
    for (const File& file : names->files) hasher.add(file.path);
  return hasher.finish().hex();
}

std::optional<InstrumentedUnit> ObjectStore::find(const std::string& key) const {
  const auto text = kept::read_kept(made(key));
  const auto bytes = text ? read_file(object_path(key)) : Result<std::string>(error("none"));
  return bytes ? from_text(*text, seal_of_object(*bytes).hex()) : std::nullopt;
}

Result<void> ObjectStore::put(const std::string& key, const InstrumentedUnit& unit) const {
  if (auto written = kept::write_unsealed(object(key), unit.object); !written) return written;
  return kept::write_kept(made(key), to_text(seal_of_object(unit.object).hex(), unit), kept::Durability::Passing);
}

}  // namespace heddle::project
