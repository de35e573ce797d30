// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/build_instrumented.h"

#include <algorithm>

#include "base/content_hash.h"
#include "base/read_file.h"
#include "frontend/clang/toolchain.h"
#include "project/native/link_arguments.h"
#include "project/native/native_builder.h"

namespace heddle::project {
namespace {

bool has_openmp(const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [](const std::string& one) { return one.starts_with("-fopenmp"); });
}

}  // namespace

std::string identity_of(const std::string& file) {
  const auto bytes = read_file(file);
  return bytes ? Hasher().add(*bytes).finish().hex() : "none";
}

Result<NativeProgram> build_instrumented(const std::vector<frontend::Source>& sources, const frontend::Options& options,
                                         const api::ApiModels& models, const NativeOptions& how) {
  if (sources.empty()) return error("error: no source files were given");
  NativeBuilder builder(models, how);
  std::vector<instrument::UnitCode> units;
  LinkJob job;
  for (const frontend::Source& source : sources) {
    auto code = instrument::compile_to_bitcode(source, options);
    if (!code) return std::unexpected(code.error());
    builder.note_definitions(code->defines);
    units.push_back(std::move(*code));
    job.is_cxx |= !frontend::is_c(source.path) && !frontend::is_ir_file(source.path);
  }
  if (auto prepared = builder.prepare(); !prepared) return std::unexpected(prepared.error());
  const auto read = [&](std::size_t unit) { return NativeUnit{units[unit], std::nullopt}; };
  auto objects = builder.add(units.size(), read);
  if (!objects) return std::unexpected(objects.error());
  job.arguments = std::move(*objects);
  LinkArguments flags = link_arguments_of_flags(sources.front().flags);
  std::ranges::move(flags.kept, std::back_inserter(job.arguments));
  job.arguments.emplace_back("-lm");
  job.needs_clang = has_openmp(job.arguments);
  std::vector<std::string> notes;
  for (const std::string& dropped : flags.dropped) notes.push_back("linked without '" + dropped + "'");
  return builder.finish(std::move(job), std::move(notes));
}

}  // namespace heddle::project
