// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "frontend/clang/toolchain.h"
#include "frontend/unit_store.h"
#include "project/native/build_instrumented.h"
#include "project/native/captured_link.h"
#include "project/native/native_builder.h"
#include "project/program_choice.h"
#include "project/project_file.h"

namespace heddle::project {
namespace {

class ProjectBuilder {
 public:
  ProjectBuilder(const std::string& captured, const api::ApiModels& models, const NativeOptions& how)
      : folder_(captured), store_(captured), builder_(models, how) {}

  Result<NativeProgram> run(const std::string& program) {
    if (auto read = read_files(); !read) return std::unexpected(read.error());
    std::error_code failure;
    const std::string root = std::filesystem::absolute(folder_, failure).lexically_normal().parent_path().string();
    const auto step = ProgramChoice(file_, links_, root).step_called(program);
    if (!step) return std::unexpected(step.error());
    if (auto noted = note_definitions(**step); !noted) return std::unexpected(noted.error());
    if (auto prepared = builder_.prepare(); !prepared) return std::unexpected(prepared.error());
    if (auto made = make_objects(); !made) return std::unexpected(made.error());
    const auto object_for = [&](const std::string& name) {
      const auto unit = unit_of_object_.find(name);
      return unit == unit_of_object_.end() ? std::string() : objects_.at(unit->second);
    };
    CapturedLink link(**step, links_, object_for, builder_.objects_folder());
    auto job = link.job();
    if (!job) return std::unexpected(job.error());
    job->project = root;
    std::vector<std::string> notes = link.notes();
    if (stale_ > 0)
      notes.push_back(std::to_string(stale_) +
                      " of its units are older than the sources or than this heddle; run 'heddle capture' again");
    return builder_.finish(std::move(*job), std::move(notes));
  }

 private:
  Result<void> read_files() {
    auto file = read_project_file(folder_);
    if (!file) return std::unexpected(file.error());
    auto links = build::read_link_steps(folder_);
    if (!links) return std::unexpected(links.error());
    file_ = std::move(*file);
    links_ = std::move(*links);
    return {};
  }

  /// Of all units that the program is linked from, members of archives included.
  Result<void> note_definitions(const build::LinkStep& step) {
    for (std::size_t i = 0; i < file_.units.size(); ++i)
      for (const std::string& object : file_.units[i].objects) unit_of_object_[object] = i;
    std::set<std::size_t> units;
    for (const build::LinkedObject& object : objects_of(step, links_))
      if (const auto unit = unit_of_object_.find(object.path); unit != unit_of_object_.end())
        units.insert(unit->second);
    std::erase_if(unit_of_object_, [&](const auto& row) { return !units.contains(row.second); });
    for (const std::size_t unit : units) {
      const auto program = read_unit_file(store_.unit(file_.units[unit].key));
      if (!program) return std::unexpected(program.error());
      std::vector<std::string> defined;
      for (const Function& f : program->functions)
        if (f.has_body() && f.linkage != Linkage::Internal) defined.emplace_back(f.name);
      for (const Global& variable : program->globals)
        if (!variable.is_declaration() && variable.linkage != Linkage::Internal) defined.emplace_back(variable.name);
      for (const Alias& alias : program->aliases) defined.emplace_back(alias.name);
      builder_.note_definitions(defined);
    }
    units_ = std::move(units);
    return {};
  }

  [[nodiscard]] Result<NativeUnit> read_unit(const ProjectUnit& row) const {
    auto program = read_unit_file(store_.unit(row.key));
    if (!program) return std::unexpected(program.error());
    auto bitcode = store_.read_bitcode(row.key);
    if (!bitcode) return std::unexpected(bitcode.error());
    NativeUnit out{{.name = row.file, .bitcode = std::move(*bitcode), .is_ir = frontend::is_ir_file(row.file)}, {}};
    for (const Function& f : program->functions)
      if (!f.has_body()) out.code.needs.emplace_back(f.name);
    for (const Global& variable : program->globals)
      if (variable.is_declaration()) out.code.needs.emplace_back(variable.name);
    out.names = std::move(*program);
    return out;
  }

  Result<void> make_objects() {
    frontend::FileStates states;
    const std::vector<std::size_t> units(units_.begin(), units_.end());
    for (const std::size_t unit : units)
      if (store_.state(file_.units[unit].key, states) != frontend::UnitStore::State::Current) ++stale_;
    auto made = builder_.add(units.size(), [&](std::size_t i) { return read_unit(file_.units[units[i]]); });
    if (!made) return std::unexpected(made.error());
    for (std::size_t i = 0; i < units.size(); ++i) objects_[units[i]] = std::move((*made)[i]);
    return {};
  }

  std::string folder_;
  frontend::UnitStore store_;
  NativeBuilder builder_;
  ProjectFile file_;
  std::vector<build::LinkStep> links_;
  std::map<std::string, std::size_t> unit_of_object_;
  std::set<std::size_t> units_;
  std::map<std::size_t, std::string> objects_;
  std::size_t stale_ = 0;
};

}  // namespace

Result<NativeProgram> build_instrumented_project(const std::string& folder, const std::string& program,
                                                 const api::ApiModels& models, const NativeOptions& how) {
  return ProjectBuilder(folder, models, how).run(program);
}

}  // namespace heddle::project
