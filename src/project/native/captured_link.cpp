// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/captured_link.h"

#include <algorithm>

#include "base/content_hash.h"
#include "instrument/write_archive.h"
#include "project/native/link_arguments.h"

namespace heddle::project {
namespace {

using Kind = build::LinkStep::Kind;

bool is_shared(const std::string& path) { return path.ends_with(".so") || path.contains(".so."); }

std::string list(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace

CapturedLink::CapturedLink(const build::LinkStep& step, const std::vector<build::LinkStep>& steps, ObjectFor object_for,
                           std::string folder)
    : step_(step), object_for_(std::move(object_for)), folder_(std::move(folder)) {
  for (const build::LinkStep& one : steps) steps_[one.output] = &one;
}

const build::LinkStep* CapturedLink::made_by(const std::string& path) const {
  const auto found = steps_.find(path);
  return found == steps_.end() || found->second == &step_ ? nullptr : found->second;
}

void CapturedLink::flatten(const build::LinkStep& made, Texts& out) {
  for (const std::string& input : made.inputs) {
    const Texts parts = linked(input, input);
    out.insert(out.end(), parts.begin(), parts.end());
  }
}

/// Members that were not captured come from the archive of the build, behind ours.
CapturedLink::Texts CapturedLink::archive(const build::LinkStep& made) {
  Texts members;
  bool has_foreign = false;
  for (const std::string& input : made.inputs) {
    const std::string object = object_for_(input);
    has_foreign |= object.empty();
    if (!object.empty()) members.push_back(object);
  }
  if (members.empty()) return {made.output};
  const std::string ours = folder_ + "/" + Hasher().add(std::string_view(made.output)).finish().hex() + ".a";
  if (auto written = instrument::write_archive(ours, members); !written) failure_ = written.error().message;
  if (!has_foreign) return {ours};
  foreign_.insert(made.output);
  return {ours, made.output};
}

CapturedLink::Texts CapturedLink::linked(const std::string& path, const std::string& as_typed) {
  if (const std::string object = object_for_(path); !object.empty()) return {object};
  const build::LinkStep* made = made_by(path);
  if (made == nullptr) {
    if (path.ends_with(".o")) foreign_.insert(path);
    return {as_typed};
  }
  if (made->kind == Kind::Archive) return archive(*made);
  if (is_shared(path)) {
    shared_.insert(path);
    return {as_typed};
  }
  Texts out;
  flatten(*made, out);
  return out;
}

CapturedLink::Texts CapturedLink::input(const std::string& argument, build::Language language) {
  const std::string path = build::path_from(step_.directory, argument);
  switch (language) {
    case build::Language::Linked: return linked(path, argument);
    case build::Language::Assembly: foreign_.insert(path); return {argument};
    case build::Language::Header: return {};
    case build::Language::C:
    case build::Language::Cxx:
    case build::Language::Other:
    case build::Language::Ir: break;
  }
  const std::string object = object_for_(step_.output + "(" + path + ")");
  if (object.empty()) failure_ = path + ": is linked, and was not captured; run 'heddle capture' again";
  return {object};
}

CapturedLink::Texts CapturedLink::library(const std::string& name, const Texts& folders) {
  for (const std::string& folder : folders)
    for (const char* suffix : {".so", ".a"}) {
      const std::string path = build::path_from(step_.directory, folder + "/lib" + name + suffix);
      if (const build::LinkStep* made = made_by(path)) {
        if (made->kind == Kind::Archive) return archive(*made);
        shared_.insert(path);
        return {};
      }
    }
  return {};
}

Result<LinkJob> CapturedLink::job() {
  const LinkParts parts{
      [&](const std::string& argument, build::Language language) { return input(argument, language); },
      [&](const std::string& name, const Texts& folders) { return library(name, folders); }};
  LinkArguments arguments = link_arguments(step_.arguments, parts);
  if (!failure_.empty()) return error(failure_);
  dropped_ = std::move(arguments.dropped);
  LinkJob out{.driver = step_.arguments.front(), .directory = step_.directory, .arguments = std::move(arguments.kept)};
  out.is_cxx = build::file_name_of(out.driver).contains("++");
  out.needs_clang = std::ranges::any_of(out.arguments, [](const auto& one) { return one.starts_with("-fopenmp"); });
  return out;
}

std::vector<std::string> CapturedLink::notes() const {
  Texts out;
  for (const std::string& one : dropped_) out.push_back("linked without '" + one + "'");
  if (!foreign_.empty()) out.push_back("linked as the build made it, without hooks: " + list(foreign_));
  if (!shared_.empty()) out.push_back("shared libraries stay as the build made them, without hooks: " + list(shared_));
  return out;
}

}  // namespace heddle::project
