// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/load_project.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/machine/failure_words.h"
#include "frontend/unit_store.h"
#include "program/link/link_members.h"
#include "program/unit/unit_file.h"
#include "project/linked_file.h"
#include "project/program_choice.h"
#include "project/project_file.h"

namespace heddle::project {
namespace {

// Changes with what linking makes of units, so that Programs another heddle linked are not taken for ours.
constexpr std::string_view linking_version = "linking 2";

class ProjectLoader {
 public:
  explicit ProjectLoader(const LoadOptions& options) : options_(options), store_(options.capture.folder) {}

  Result<Project> run() {
    if (auto read = read_files(); !read) return std::unexpected(read.error());
    auto project = choose_and_load();
    if (!damaged_.empty()) {
      if (auto again = capture_again(); !again) return std::unexpected(again.error());
      project = choose_and_load();
      if (!damaged_.empty()) return error(notes_.back() + "; the disk does not keep what is written to it");
    }
    if (!project) return project;
    project->coverage = file_.coverage;
    project->notes = std::move(notes_);
    return project;
  }

 private:
  [[nodiscard]] const std::string& folder() const { return options_.capture.folder; }

  Result<void> read_files() {
    auto file = read_project_file(folder());
    if (!file) return std::unexpected(file.error());
    if (file->units.empty() && file->coverage.interrupted)
      return error("the capture of the project in '" + folder() +
                   "' was interrupted before it had a unit; run 'heddle capture' again");
    if (file->units.empty())
      return error("the project captured in '" + folder() +
                   "' has not one unit that compiles; see what 'heddle capture' says");
    auto links = build::read_link_steps(folder());
    if (!links) return std::unexpected(links.error());
    file_ = std::move(*file);
    links_ = std::move(*links);
    return {};
  }

  Result<Project> choose_and_load() {
    std::error_code failure;
    const ProgramChoice choice(file_, links_,
                               std::filesystem::absolute(folder(), failure).lexically_normal().parent_path().string());
    if (!options_.program.empty())
      if (const auto selection = choice.by_link(options_.program)) {
        if (!*selection) return std::unexpected(selection->error());
        return load(**selection);
      }
    auto whole = load(choice.everything());
    if (!whole) return whole;
    const std::vector<MainUnit> mains = units_with_main(whole->linked);
    if (options_.program.empty()) {
      if (mains.size() > 1) whole->programs = choice.names(mains);
      return whole;
    }
    auto selection = choice.by_main(options_.program, mains, twins(whole->linked));
    if (!selection) return std::unexpected(selection.error());
    return load(*selection);
  }

  /// Of a Program that holds everything, if there are several.
  [[nodiscard]] std::vector<MainUnit> units_with_main(const Linked& linked) const {
    std::vector<MainUnit> out;
    const std::vector<std::string> labels = unit_labels(linked.program.units);
    for (const LinkConflict& conflict : linked.conflicts)
      if (conflict.symbol == "main" && conflict.kind == LinkConflict::Kind::SeparateModules)
        for (std::size_t i = 0; i < loaded_.size() && i < labels.size(); ++i)
          if (std::ranges::find(conflict.units, labels[i]) != conflict.units.end())
            out.push_back({loaded_[i], labels[i]});
    return out;
  }

  /// Units of one source that define the same symbols. Of a Program that holds everything.
  [[nodiscard]] std::vector<std::vector<std::size_t>> twins(const Linked& linked) const {
    const std::vector<std::string> labels = unit_labels(linked.program.units);
    std::map<std::string, std::size_t> unit_called;
    for (std::size_t i = 0; i < loaded_.size() && i < labels.size(); ++i) unit_called[labels[i]] = i;
    std::map<std::string, std::set<std::size_t>> by_source;
    for (const LinkConflict& conflict : linked.conflicts) {
      if (conflict.kind != LinkConflict::Kind::DefinedTwice) continue;
      std::map<std::string, std::vector<std::size_t>> here;
      for (const std::string& label : conflict.units)
        if (const auto unit = unit_called.find(label); unit != unit_called.end())
          here[linked.program.units[unit->second]].push_back(loaded_[unit->second]);
      for (const auto& [source, units] : here)
        if (units.size() > 1) by_source[source].insert(units.begin(), units.end());
    }
    std::vector<std::vector<std::size_t>> out;
    for (const auto& [source, units] : by_source) out.emplace_back(units.begin(), units.end());
    return out;
  }

  Result<Project> load(const UnitSelection& selection) {
    std::vector<bool> is_member;
    Hasher key;
    key.add(linking_version);
    loaded_.clear();
    stale_.clear();
    std::set<ContentHash> seen;
    for (std::size_t i = 0; i < selection.units.size(); ++i) {
      const auto identity = unit_file_identity(store_.unit(file_.units[selection.units[i]].key));
      if (!identity) {
        note_damage(selection.units[i], identity.error().message);
        continue;
      }
      // A library built for shared and for static linking compiles its sources twice, with the same outcome.
      if (!seen.insert(*identity).second) continue;
      const auto state = store_.state(file_.units[selection.units[i]].key, states_);
      if (state == frontend::UnitStore::State::Damaged)
        note_damage(selection.units[i], "the list of what it was read from is damaged");
      if (state == frontend::UnitStore::State::Stale) stale_.push_back(selection.units[i]);
      key.add(identity->high).add(identity->low).add(std::uint64_t{selection.is_member[i]});
      loaded_.push_back(selection.units[i]);
      is_member.push_back(selection.is_member[i]);
    }
    if (!damaged_.empty()) return error(notes_.back());
    const ContentHash whole = key.finish();
    auto linked = load_linked(selection, is_member, whole);
    if (!linked) return std::unexpected(linked.error());
    std::vector<std::string> gaps = gaps_of(selection, *linked);
    if (std::string stale = stale_units(); !stale.empty()) gaps.push_back(std::move(stale));
    return Project{std::move(*linked), {}, selection.name, {}, {}, std::move(gaps), whole};
  }

  /// What was edited after the capture; empty: nothing. Units are compared with their sources as a capture does it.
  [[nodiscard]] std::string stale_units() const {
    if (stale_.empty()) return {};
    if (const int failure = states_.failure(); failure != 0)
      return std::to_string(stale_.size()) + (stale_.size() == 1 ? " unit" : " units") +
             " cannot be compared with the sources, such as " + file_.units[stale_.front()].file + ": " +
             failure_words(failure);
    return std::to_string(stale_.size()) + (stale_.size() == 1 ? " unit is" : " units are") +
           " older than the sources or than this heddle, such as " + file_.units[stale_.front()].file +
           "; run 'heddle capture' again";
  }

  Result<Linked> load_linked(const UnitSelection& selection, const std::vector<bool>& is_member,
                             const ContentHash& key) {
    const std::string name =
        selection.name.empty() ? "all" : Hasher().add(std::string_view(selection.name)).finish().hex().substr(0, 16);
    auto kept = read_linked_file(folder(), name, key);
    if (kept) return std::move(*kept);
    if (!kept.error().damage.empty()) notes_.push_back("linked again: " + kept.error().damage);
    std::vector<Program> units;
    for (const std::size_t unit : loaded_) {
      auto program = read_unit_file(store_.unit(file_.units[unit].key));
      if (program)
        units.push_back(std::move(*program));
      else
        note_damage(unit, program.error().message);
    }
    if (!damaged_.empty()) return error(notes_.back());
    keep_needed_members(units, is_member);
    auto linked = link(std::move(units));
    if (!linked) return linked;
    if (auto written = write_linked_file(folder(), name, key, *linked); !written)
      notes_.push_back("the linked program is not kept, so the next run links again: " + written.error().message);
    return linked;
  }

  void note_damage(std::size_t unit, const std::string& message) {
    damaged_.push_back(file_.units[unit].key);
    notes_.push_back(file_.units[unit].file + ": captured again: " + message);
  }

  Result<void> capture_again() {
    for (const std::string& key : std::exchange(damaged_, {})) store_.forget(key);
    auto database = build::kept_compile_commands(folder(), options_.capture.asks.more_names);
    if (!database) return std::unexpected(database.error());
    database->notes = file_.coverage.notes;
    database->skipped = file_.coverage.skipped;
    database->build_status = file_.coverage.build_status;
    CaptureOptions how = options_.capture;
    how.asks.is_silent = true;  // a project that was only looked at starts nothing
    if (auto again = capture_project(*database, how); !again) return std::unexpected(again.error());
    return read_files();
  }

  [[nodiscard]] std::vector<std::string> gaps_of(const UnitSelection& selection, const Linked& linked) const {
    std::vector<std::string> gaps = selection.gaps;
    if (file_.coverage.interrupted) gaps.emplace_back("the capture was interrupted; run 'heddle capture' again");
    const int status = file_.coverage.build_status;
    if (status == build::incomplete_log)
      gaps.emplace_back(
          "the log of the build that was captured is not complete, so units are missing; mend what 'heddle capture' "
          "told of, clean, and capture the whole build again");
    else if (status != 0)
      gaps.push_back("the build that was captured failed (exit status " + std::to_string(status) +
                     "), so units may be missing; mend it and run 'heddle capture' with it again");
    for (const LinkConflict& conflict : linked.conflicts)
      if (conflict.kind == LinkConflict::Kind::DefinedTwice || conflict.kind == LinkConflict::Kind::InsideObject)
        gaps.push_back(conflict.what);
    for (const MissingBody& missing : linked.program.missing_bodies)
      gaps.push_back(std::string(missing.place) + ": function '" + std::string(missing.symbol) +
                     "' has source text but no body in any unit");
    return gaps;
  }

  const LoadOptions& options_;
  frontend::UnitStore store_;
  frontend::FileStates states_;  ///< of the sources; a program that is chosen by its main loads twice
  ProjectFile file_;
  std::vector<build::LinkStep> links_;
  std::vector<std::size_t> loaded_;  ///< units of the project that were looked at last, each content once
  std::vector<std::size_t> stale_;   ///< those of them whose sources have changed
  std::vector<std::string> damaged_, notes_;
};

}  // namespace

Result<Project> load_project(const LoadOptions& options) { return ProjectLoader(options).run(); }

}  // namespace heddle::project
