// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/safe_arguments.h"

#include <clang/Driver/Options.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/contains.h"

namespace heddle::frontend {
namespace {

namespace options = clang::driver::options;
using namespace std::string_view_literals;
using Strings = std::vector<std::string>;

/// Options that act while the driver reads its arguments, or turn it into something else.
bool acts_at_once(const llvm::opt::Option& option) {
  constexpr std::array all = {options::OPT_MJ,
                              options::OPT_gen_cdb_fragment_path,
                              options::OPT_config,
                              options::OPT_config_system_dir_EQ,
                              options::OPT_config_user_dir_EQ,
                              options::OPT_driver_mode,
                              options::OPT_internal_driver_Group,
                              options::OPT__HASH_HASH_HASH,
                              options::OPT_fdriver_only,
                              options::OPT_save_temps,
                              options::OPT_save_temps_EQ,
                              options::OPT_fno_integrated_as,
                              options::OPT_fplugin_EQ,
                              options::OPT_fpass_plugin_EQ};
  return std::ranges::any_of(all, [&](options::ID id) { return option.matches(id); });
}

/// Options whose value is an option of some other part, which nobody looks at on the way.
bool hands_on(const llvm::opt::Option& option) {
  constexpr std::array all = {options::OPT_Xarch__,        options::OPT_Xarch_host,        options::OPT_Xarch_device,
                              options::OPT_Xopenmp_target, options::OPT_Xopenmp_target_EQ, options::OPT_Xanalyzer,
                              options::OPT_mllvm,          options::OPT_Xassembler,        options::OPT_Xlinker,
                              options::OPT_Wl_COMMA,       options::OPT_Wa_COMMA,          options::OPT_Xcuda_ptxas,
                              options::OPT_Xcuda_fatbinary};
  return std::ranges::any_of(all, [&](options::ID id) { return option.matches(id); });
}

bool goes_to_compiler(const llvm::opt::Option& option) {
  return option.matches(options::OPT_Xclang) || option.matches(options::OPT_Xpreprocessor);
}

/// Arguments of the compiler itself whose value is the next one.
bool is_harmless_with_value(std::string_view argument) {
  constexpr std::array all = {"-include"sv, "-isystem"sv, "-iquote"sv, "-idirafter"sv,  "-imacros"sv,
                              "-D"sv,       "-U"sv,       "-I"sv,      "-target-cpu"sv, "-target-feature"sv};
  return contains(all, argument);
}

bool is_harmless(std::string_view argument) {
  constexpr std::array exact = {
      "-disable-O0-optnone"sv, "-disable-llvm-passes"sv, "-undef"sv, "-fcommon"sv, "-fgnu89-inline"sv, "-fwrapv"sv,
      "-fexceptions"sv};
  constexpr std::array prefixes = {"-D"sv, "-U"sv, "-I"sv, "-W"sv, "-std="sv, "-fno-"sv};
  return contains(exact, argument) || std::ranges::any_of(prefixes, [&](std::string_view prefix) {
           return argument.starts_with(prefix) && argument.size() > prefix.size();
         });
}

/// `-Wp,-DX=1,-UY`: every part.
bool are_harmless(const std::vector<const char*>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_harmless_with_value(parts[i]) && i + 1 < parts.size())
      ++i;
    else if (!is_harmless(parts[i]))
      return false;
  }
  return true;
}

/// Of the arguments that go to the compiler itself: their places, in order. A harmless one keeps its value.
void refuse_handed_on(const std::vector<const llvm::opt::Arg*>& handed, std::set<const llvm::opt::Arg*>& refused) {
  for (std::size_t i = 0; i < handed.size(); ++i) {
    const std::string_view argument = handed[i]->getValue();
    if (is_harmless_with_value(argument) && i + 1 < handed.size())
      ++i;
    else if (!is_harmless(argument))
      refused.insert(handed[i]);
  }
}

std::set<const llvm::opt::Arg*> refused_of(const llvm::opt::InputArgList& parsed) {
  std::set<const llvm::opt::Arg*> refused;
  std::vector<const llvm::opt::Arg*> handed;
  for (const llvm::opt::Arg* argument : parsed) {
    const llvm::opt::Option& option = argument->getOption();
    if (acts_at_once(option) || hands_on(option)) refused.insert(argument);
    if (goes_to_compiler(option)) handed.push_back(argument);
    if (option.matches(options::OPT_Wp_COMMA) &&
        !are_harmless({argument->getValues().begin(), argument->getValues().end()}))
      refused.insert(argument);
  }
  refuse_handed_on(handed, refused);
  return refused;
}

}  // namespace

Strings without_side_effects(const Strings& arguments, Strings& dropped) {
  std::vector<const char*> raw;
  for (std::size_t i = 1; i < arguments.size() && arguments[i] != "--"; ++i) raw.push_back(arguments[i].c_str());
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      raw, missing_index, missing_count, llvm::opt::Visibility(options::ClangOption));
  std::vector<bool> is_dropped(arguments.size());
  const std::set<const llvm::opt::Arg*> refused = refused_of(parsed);
  for (auto at = parsed.begin(); at != parsed.end(); ++at) {
    if (!refused.contains(*at)) continue;
    // From its own place to the next one's: its values stand in between.
    const auto next = std::next(at);
    const std::size_t end = next == parsed.end() ? raw.size() : (*next)->getIndex();
    for (std::size_t i = (*at)->getIndex(); i < std::max<std::size_t>(end, (*at)->getIndex() + 1); ++i)
      is_dropped[i + 1] = true;
  }
  Strings kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) (is_dropped[i] ? dropped : kept).push_back(arguments[i]);
  return kept;
}

void keep_in_memory(clang::CompilerInvocation& invocation) {
  clang::FrontendOptions& frontend = invocation.getFrontendOpts();
  const clang::FrontendOptions fresh;
  frontend.DisableFree = false;
  frontend.GenerateGlobalModuleIndex = false;
  for (std::string* file :
       {&frontend.OutputFile, &frontend.StatsFile, &frontend.TimeTracePath, &frontend.ModuleOutputPath,
        &frontend.MTMigrateDir, &frontend.ARCMTMigrateReportOut, &frontend.SymbolGraphOutputDir, &frontend.ActionName})
    file->clear();
  frontend.Plugins = fresh.Plugins;
  frontend.AddPluginActions = fresh.AddPluginActions;
  frontend.PluginArgs = fresh.PluginArgs;
  frontend.LLVMArgs = fresh.LLVMArgs;
  frontend.ASTMergeFiles = fresh.ASTMergeFiles;
  frontend.ModuleFiles = fresh.ModuleFiles;
  frontend.ModulesEmbedFiles = fresh.ModulesEmbedFiles;

  clang::CodeGenOptions& code = invocation.getCodeGenOpts();
  code.DisableFree = false;
  code.ClearASTBeforeBackend = false;
  code.EmitVersionIdentMetadata = false;
  code.PassPlugins.clear();
  for (std::string* file : {&code.CoverageDataFile,     &code.CoverageNotesFile,        &code.DIBugsReportFilePath,
                            &code.SplitDwarfFile,       &code.SplitDwarfOutput,         &code.ObjectFilenameForDebug,
                            &code.InstrProfileOutput,   &code.SampleProfileFile,        &code.MemoryProfileOutput,
                            &code.MemoryProfileUsePath, &code.ProfileInstrumentUsePath, &code.ProfileRemappingFile,
                            &code.ThinLTOIndexFile,     &code.ThinLinkBitcodeFile,      &code.SaveTempsFilePrefix,
                            &code.OptRecordFile,        &code.OptRecordPasses,          &code.OptRecordFormat,
                            &code.StackUsageOutput,     &code.AsSecureLogFile})
    file->clear();

  invocation.getDependencyOutputOpts() = clang::DependencyOutputOptions();
  clang::DiagnosticOptions& diagnostics = invocation.getDiagnosticOpts();
  diagnostics.ShowCarets = 0;
  diagnostics.DiagnosticLogFile.clear();
  diagnostics.DiagnosticSerializationFile.clear();
  // Modules are kept in a cache, and precompiled headers are another clang's memory.
  clang::LangOptions& language = invocation.getLangOpts();
  language.Modules = language.ImplicitModules = 0;
  invocation.getHeaderSearchOpts().ModuleCachePath.clear();
  invocation.getHeaderSearchOpts().ModuleUserBuildPath.clear();
  invocation.getPreprocessorOpts().ImplicitPCHInclude.clear();
}

}  // namespace heddle::frontend
