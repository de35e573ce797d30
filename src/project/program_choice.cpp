// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/program_choice.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/contains.h"

namespace heddle::project {
namespace {

namespace fs = std::filesystem;

/// `src/redis-cli`, `redis-cli`; of a source also without its suffix.
bool is_called(const std::string& path, const std::string& name) {
  const fs::path file = fs::path(path);
  return name == path || path.ends_with("/" + name) || (file.has_extension() && name == file.stem());
}

std::size_t common_prefix(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// Start files and libraries of the system are not the project's.
bool is_of_system(const std::string& path) { return path.starts_with("/usr/") || path.starts_with("/lib"); }

bool is_object(const std::string& path) {
  return path.ends_with(".o") || path.ends_with(".lo") || path.ends_with(".obj") || path.ends_with(")");
}

}  // namespace

ProgramChoice::ProgramChoice(const ProjectFile& project, const std::vector<build::LinkStep>& links, std::string root)
    : project_(project), links_(links), root_(std::move(root)) {
  for (std::size_t i = 0; i < project.units.size(); ++i)
    for (const std::string& object : project.units[i].objects) unit_of_object_[object] = i;
  for (const UnitFailure& failure : project.coverage.failed)
    for (const std::string& object : failure.objects) failure_of_object_[object] = &failure;
}

std::string ProgramChoice::short_name(const std::string& path) const {
  const fs::path inside = fs::path(path).lexically_relative(root_);
  return inside.empty() || inside.native().starts_with("..") ? path : inside.string();
}

/// Said from the root of the project or from the current folder.
bool ProgramChoice::is_meant(const std::string& path, const std::string& name) const {
  std::error_code failure;
  return name == short_name(path) || fs::absolute(name, failure).lexically_normal() == fs::path(root_) / path;
}

UnitSelection ProgramChoice::everything() const {
  UnitSelection out;
  for (std::size_t i = 0; i < project_.units.size(); ++i) out.units.push_back(i);
  out.is_member.assign(out.units.size(), false);
  for (const UnitFailure& failure : project_.coverage.failed)
    out.gaps.push_back("a unit was not captured: " + first_line(failure.message));
  return out;
}

UnitSelection ProgramChoice::selection_of(const build::LinkStep& step) const {
  UnitSelection out;
  out.name = short_name(step.output);
  std::set<std::size_t> seen;
  for (const build::LinkedObject& object : objects_of(step, links_)) {
    if (const auto unit = unit_of_object_.find(object.path); unit != unit_of_object_.end()) {
      if (!seen.insert(unit->second).second) continue;
      out.units.push_back(unit->second);
      out.is_member.push_back(object.is_lazy);
    } else if (const auto failure = failure_of_object_.find(object.path); failure != failure_of_object_.end()) {
      out.gaps.push_back("a unit was not captured: " + first_line(failure->second->message));
    } else if (!object.is_lazy && is_object(object.path) && !is_of_system(object.path)) {
      out.gaps.push_back("'" + short_name(object.path) +
                         "' is linked, and its source was not captured (assembly, or built earlier?)");
    }
  }
  return out;
}

std::optional<Result<UnitSelection>> ProgramChoice::by_link(const std::string& name) const {
  std::vector<UnitSelection> found;
  for (const build::LinkStep& step : links_) {
    if (step.kind != build::LinkStep::Kind::Program) continue;
    if (!is_meant(step.output, name) && !step.output.ends_with("/" + name)) continue;
    if (UnitSelection selection = selection_of(step); !selection.units.empty()) found.push_back(std::move(selection));
  }
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return std::move(found.front());
  std::vector<std::string> names;
  for (const UnitSelection& one : found) names.push_back(one.name);
  if (const auto exact = std::ranges::find(found, name, &UnitSelection::name); exact != found.end())
    return std::move(*exact);
  return error("--program " + name + " may mean several; say which: " + list(names));
}

Result<const build::LinkStep*> ProgramChoice::step_called(const std::string& name) const {
  std::vector<const build::LinkStep*> found;
  std::vector<std::string> known, names;
  for (const build::LinkStep& step : links_) {
    if (step.kind != build::LinkStep::Kind::Program || selection_of(step).units.empty()) continue;
    known.push_back(short_name(step.output));
    if (known.back() == name) return &step;
    if (!name.empty() && !is_meant(step.output, name) && !step.output.ends_with("/" + name)) continue;
    found.push_back(&step);
    names.push_back(known.back());
  }
  if (found.size() == 1 && !found.front()->arguments.empty()) return found.front();
  if (found.size() == 1)
    return error("how '" + names.front() +
                 "' was linked is not known; capture its build again: heddle capture -- make");
  if (known.empty())
    return error("what the captured project links is not known; capture its build: heddle capture -- make");
  if (found.empty()) return error("the build linked no '" + name + "'; choose one of: " + list(known));
  return error("the captured project holds several programs; choose one of them with --program NAME: " + list(names));
}

Result<const MainUnit*> ProgramChoice::main_called(const std::string& name, const std::vector<MainUnit>& mains) const {
  std::vector<const MainUnit*> exact, alike;
  for (const MainUnit& main : mains) {
    if (is_meant(main.name, name)) exact.push_back(&main);
    if (is_called(main.name, name)) alike.push_back(&main);
  }
  if (exact.size() == 1) return exact.front();
  if (exact.empty() && alike.size() == 1) return alike.front();
  const std::vector<std::string> known = names(mains);
  return error("--program " + name + ": the captured project has no program that is called so, or several; " +
               (known.empty() ? "it has only one, so leave the option out" : "choose one of: " + list(known)));
}

/// Programs that are built from the same sources keep their objects apart by a prefix: `server-log.o`,
/// `server.dir/log.c.o`.
std::size_t ProgramChoice::nearest(std::size_t main, const std::vector<std::size_t>& twins) const {
  const auto nearness = [&](std::size_t unit) {
    std::size_t most = 0;
    for (const std::string& ours : project_.units[main].objects)
      for (const std::string& theirs : project_.units[unit].objects) most = std::max(most, common_prefix(ours, theirs));
    return most;
  };
  return *std::ranges::max_element(twins, {}, nearness);
}

Result<UnitSelection> ProgramChoice::by_main(const std::string& name, const std::vector<MainUnit>& mains,
                                             const std::vector<std::vector<std::size_t>>& twins) const {
  const auto chosen = main_called(name, mains);
  if (!chosen) return std::unexpected(chosen.error());
  std::set<std::size_t> others;
  for (const MainUnit& main : mains) others.insert(main.unit);
  for (const std::vector<std::size_t>& some : twins) {
    others.insert(some.begin(), some.end());
    if (!contains(some, (*chosen)->unit)) others.erase(nearest((*chosen)->unit, some));
  }
  others.erase((*chosen)->unit);
  UnitSelection all = everything();
  UnitSelection out{(*chosen)->name, {}, {}, std::move(all.gaps)};
  std::ranges::remove_copy_if(all.units, std::back_inserter(out.units),
                              [&](std::size_t unit) { return others.contains(unit); });
  out.is_member.assign(out.units.size(), false);
  if (!twins.empty())
    out.gaps.push_back("what was linked is not known, and " + std::to_string(twins.size()) +
                       (twins.size() == 1 ? " source is" : " sources are") +
                       " compiled more than once; the objects named most like that of main are taken");
  return out;
}

std::vector<std::string> ProgramChoice::names(const std::vector<MainUnit>& mains) const {
  std::vector<std::string> out;
  std::set<std::size_t> covered;
  for (const build::LinkStep& step : links_) {
    if (step.kind != build::LinkStep::Kind::Program) continue;
    const UnitSelection selection = selection_of(step);
    if (selection.units.empty()) continue;
    out.push_back(selection.name);
    covered.insert(selection.units.begin(), selection.units.end());
  }
  std::ranges::sort(out);
  for (const MainUnit& main : mains)
    if (!covered.contains(main.unit)) out.push_back(main.name);
  return out;
}

}  // namespace heddle::project
