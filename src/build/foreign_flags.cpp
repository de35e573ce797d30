// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/foreign_flags.h"

namespace heddle::build {
namespace {

/// `text*` is a prefix. `+` behind the text: the value is the next argument (`-o+`), or may be joined too (`-MF+*`).
struct Row {
  FlagKind kind;
  std::string_view text;
};

using enum FlagKind;

// clang-format off
constexpr Row rows[] = {
    Row{Output, "-c"}, Row{Output, "-S"}, Row{Output, "-E"}, Row{Output, "-C"}, Row{Output, "-CC"}, Row{Output, "-P"},
    Row{Output, "-o+*"}, Row{Output, "--output+"}, Row{Output, "--output=*"}, Row{Output, "--compile"},
    Row{Output, "--assemble"}, Row{Output, "--preprocess"}, Row{Output, "--comments*"},
    Row{Output, "-fsyntax-only"}, Row{Output, "-emit-llvm"}, Row{Output, "-emit-ast"},
    Row{Output, "-MF+*"}, Row{Output, "-MT+*"}, Row{Output, "-MQ+*"}, Row{Output, "-MJ+*"},
    Row{Output, "-M"}, Row{Output, "-MM"}, Row{Output, "-MD"}, Row{Output, "-MMD"}, Row{Output, "-MP"},
    Row{Output, "-MG"},
    Row{Output, "-MV"}, Row{Output, "-Mmodules"}, Row{Output, "-Mno-modules"}, Row{Output, "-Wp,-M*"},
    Row{Output, "--dependencies"}, Row{Output, "--user-dependencies"}, Row{Output, "--write-dependencies"},
    Row{Output, "--write-user-dependencies"},
    Row{Output, "-save-temps*"}, Row{Output, "--save-temps*"}, Row{Output, "-save-stats*"}, Row{Output, "-v"},
    Row{Output, "-pipe"}, Row{Output, "--verbose"}, Row{Output, "-dumpdir+"}, Row{Output, "-dumpbase+"},
    Row{Output, "-dumpbase-ext+"}, Row{Output, "-dA"}, Row{Output, "-dp"}, Row{Output, "-dP"}, Row{Output, "-da"},
    Row{Output, "-dD"}, Row{Output, "-dI"}, Row{Output, "-dM"}, Row{Output, "-dN"}, Row{Output, "-dU"},
    Row{Output, "-aux-info+"}, Row{Output, "-aux-info=*"}, Row{Output, "-fdump-*"}, Row{Output, "--dump=*"},
    Row{Output, "-serialize-diagnostics+"}, Row{Output, "--serialize-diagnostics+"}, Row{Output, "-ftime-trace*"},
    Row{Output, "-ftime-report*"}, Row{Output, "-fmem-report*"}, Row{Output, "-fopt-info*"},
    Row{Output, "-fstack-usage"},
    Row{Output, "-fcallgraph-info*"}, Row{Output, "-fsave-optimization-record*"}, Row{Output, "-fcrash-diagnostics*"},
    Row{Output, "-fproc-stat-report*"}, Row{Output, "-include-pch+"}, Row{Output, "--output-pch*"},
    Row{Output, "-fdeps-*"}, Row{Output, "-fmodule-mapper=*"}, Row{Output, "-index-store-path+"},
    Row{Output, "-Wa,*"}, Row{Output, "-Xassembler+"}, Row{Output, "-Wl,*"}, Row{Output, "-Xlinker+"},
    Row{Output, "-T+"},
    Row{Output, "-wrapper+"}, Row{Output, "-Qy"}, Row{Output, "-Qn"},

    Row{Instrument, "-p"}, Row{Instrument, "-pg"}, Row{Instrument, "--profile"}, Row{Instrument, "--coverage"},
    Row{Instrument, "-coverage"}, Row{Instrument, "-ftest-coverage"}, Row{Instrument, "-fcoverage-*"},
    Row{Instrument, "-fprofile*"}, Row{Instrument, "-fcs-profile*"}, Row{Instrument, "-fno-profile*"},
    Row{Instrument, "-fauto-profile*"}, Row{Instrument, "-fbranch-probabilities"},
    Row{Instrument, "-fsanitize*"}, Row{Instrument, "-fno-sanitize*"}, Row{Instrument, "-fxray-*"},
    Row{Instrument, "-finstrument-*"}, Row{Instrument, "-mfentry*"}, Row{Instrument, "-mrecord-mcount"},
    Row{Instrument, "-mnop-mcount"}, Row{Instrument, "-mrecord-return"}, Row{Instrument, "-fpatchable-function-entry*"},
    Row{Instrument, "-fplugin*"}, Row{Instrument, "-fpass-plugin*"}, Row{Instrument, "-iplugindir*"},
    Row{Instrument, "-mhotpatch*"}, Row{Instrument, "-fms-hotpatch*"},

    Row{Debug, "-g"}, Row{Debug, "-g0"}, Row{Debug, "-g1"}, Row{Debug, "-g2"}, Row{Debug, "-g3"}, Row{Debug, "-ggdb*"},
    Row{Debug, "-gdwarf*"}, Row{Debug, "-gno-*"}, Row{Debug, "-gsplit-dwarf*"}, Row{Debug, "-gz*"},
    Row{Debug, "-gstabs*"},
    Row{Debug, "-gcoff*"}, Row{Debug, "-gxcoff*"}, Row{Debug, "-gvms*"}, Row{Debug, "-gbtf"}, Row{Debug, "-gctf*"},
    Row{Debug, "-gas-*"}, Row{Debug, "-gtoggle"}, Row{Debug, "-glldb"}, Row{Debug, "-gmodules"}, Row{Debug, "-gline-*"},
    Row{Debug, "-ginline-*"}, Row{Debug, "-ginternal-*"}, Row{Debug, "-gstatement-*"}, Row{Debug, "-gvariable-*"},
    Row{Debug, "-gdescribe-dies"}, Row{Debug, "-gcolumn-info"}, Row{Debug, "-grecord-*"}, Row{Debug, "-gsimple-*"},
    Row{Debug, "-gpubnames"}, Row{Debug, "-ggnu-pubnames"}, Row{Debug, "-gcodeview*"}, Row{Debug, "-gstrict-dwarf"},
    Row{Debug, "-fdebug-*"}, Row{Debug, "-fno-debug-*"}, Row{Debug, "-ffile-prefix-map=*"},
    Row{Debug, "-ffile-compilation-dir=*"}, Row{Debug, "-feliminate-*"}, Row{Debug, "-fno-eliminate-*"},
    Row{Debug, "-femit-struct-debug-*"}, Row{Debug, "-femit-class-debug-always"}, Row{Debug, "-fvar-tracking*"},
    Row{Debug, "-fno-var-tracking*"}, Row{Debug, "-fcompare-debug*"}, Row{Debug, "-fstandalone-debug"},
    Row{Debug, "-fno-standalone-debug"}, Row{Debug, "-flimit-debug-info"}, Row{Debug, "-fmerge-debug-strings"},
    Row{Debug, "-fworking-directory"}, Row{Debug, "-fno-working-directory"},

    Row{Strict, "-Werror*"}, Row{Strict, "-pedantic-errors"}, Row{Strict, "--pedantic-errors"},
    Row{Strict, "-Wfatal-errors"},
    Row{Strict, "-fmax-errors=*"}, Row{Strict, "-ferror-limit=*"}, Row{Strict, "-fdiagnostics-*"},
    Row{Strict, "-fno-diagnostics-*"}, Row{Strict, "-fanalyzer*"}, Row{Strict, "-fno-analyzer*"},
    Row{Strict, "--analyze"},
    Row{Strict, "-fmessage-length=*"}, Row{Strict, "-fcolor-diagnostics"}, Row{Strict, "-ftrack-macro-expansion*"},
    Row{Strict, "-fshow-*"}, Row{Strict, "-fconcepts-diagnostics-depth=*"},

    // Our own level comes last, and code is never generated.
    Row{Tuning, "-flto*"}, Row{Tuning, "-fno-lto*"}, Row{Tuning, "-ffat-lto-objects"},
    Row{Tuning, "-fno-fat-lto-objects"},
    Row{Tuning, "-fuse-linker-plugin"}, Row{Tuning, "-fwhole-program*"}, Row{Tuning, "-fno-whole-program*"},
    Row{Tuning, "-fsplit-lto-unit"}, Row{Tuning, "-fvirtual-function-elimination"}, Row{Tuning, "-fthinlto-*"},
    Row{Tuning, "-mtune=*"}, Row{Tuning, "-mtune+"}, Row{Tuning, "--param+"}, Row{Tuning, "--param=*"},
    Row{Tuning, "-mllvm+"},
    Row{Tuning, "-mllvm=*"}, Row{Tuning, "-falign-*"}, Row{Tuning, "-fno-align-*"}, Row{Tuning, "-fno-integrated-as"},
    Row{Tuning, "-no-integrated-as"}, Row{Tuning, "-specs=*"}, Row{Tuning, "-specs+"}, Row{Tuning, "--specs=*"},
    Row{Tuning, "-ftree-*"}, Row{Tuning, "-fno-tree-*"}, Row{Tuning, "-fipa-*"}, Row{Tuning, "-fno-ipa-*"},
    Row{Tuning, "-fira-*"}, Row{Tuning, "-fno-ira-*"}, Row{Tuning, "-fsched-*"}, Row{Tuning, "-fno-sched-*"},
    Row{Tuning, "-fsched2-*"}, Row{Tuning, "-fno-sched2-*"}, Row{Tuning, "-fschedule-*"},
    Row{Tuning, "-fno-schedule-*"},
    Row{Tuning, "-fsel-sched-*"}, Row{Tuning, "-fno-sel-sched-*"}, Row{Tuning, "-fselective-scheduling*"},
    Row{Tuning, "-fno-selective-scheduling*"}, Row{Tuning, "-fgcse*"}, Row{Tuning, "-fno-gcse*"},
    Row{Tuning, "-fgraphite*"},
    Row{Tuning, "-fno-graphite*"}, Row{Tuning, "-floop-*"}, Row{Tuning, "-fno-loop-*"}, Row{Tuning, "-fsplit-*"},
    Row{Tuning, "-fno-split-*"}, Row{Tuning, "-fssa-*"}, Row{Tuning, "-fno-ssa-*"}, Row{Tuning, "-fshrink-wrap*"},
    Row{Tuning, "-fno-shrink-wrap*"}, Row{Tuning, "-freorder-*"}, Row{Tuning, "-fno-reorder-*"},
    Row{Tuning, "-frerun-*"},
    Row{Tuning, "-fno-rerun-*"}, Row{Tuning, "-fcse-*"}, Row{Tuning, "-fno-cse-*"}, Row{Tuning, "-fif-conversion*"},
    Row{Tuning, "-fno-if-conversion*"}, Row{Tuning, "-fpeephole*"}, Row{Tuning, "-fno-peephole*"},
    Row{Tuning, "-fdevirtualize*"},
    Row{Tuning, "-fno-devirtualize*"}, Row{Tuning, "-fmove-loop-*"}, Row{Tuning, "-fno-move-loop-*"},
    Row{Tuning, "-fbranch-target-*"}, Row{Tuning, "-fno-branch-target-*"}, Row{Tuning, "-fisolate-erroneous-paths-*"},
    Row{Tuning, "-fno-isolate-erroneous-paths-*"}, Row{Tuning, "-flive-*"}, Row{Tuning, "-fno-live-*"},
    Row{Tuning, "-fvect-cost-model*"}, Row{Tuning, "-fsimd-cost-model*"}, Row{Tuning, "-fstack-limit-*"},
    Row{Tuning, "-fstack-check*"}, Row{Tuning, "-fstack-reuse*"}, Row{Tuning, "-fharden-*"},
    Row{Tuning, "-fno-harden-*"},
    Row{Tuning, "-fchkp-*"}, Row{Tuning, "-fno-chkp-*"}, Row{Tuning, "-fvtable-verify*"}, Row{Tuning, "-fvtv-*"},
    Row{Tuning, "-fno-fp-int-builtin-inexact"}, Row{Tuning, "-fconserve-stack"}, Row{Tuning, "-fno-conserve-stack"},
    Row{Tuning, "-fallow-store-data-races"}, Row{Tuning, "-fno-allow-store-data-races"}, Row{Tuning, "-fcall-saved-*"},
    Row{Tuning, "-fcall-used-*"}, Row{Tuning, "-ffixed-*"}, Row{Tuning, "-mpreferred-stack-boundary=*"},
    Row{Tuning, "-mindirect-branch*"}, Row{Tuning, "-mno-indirect-branch*"}, Row{Tuning, "-mfunction-return=*"},
    Row{Tuning, "-mskip-rax-setup"}, Row{Tuning, "-maccumulate-outgoing-args"},
    Row{Tuning, "-mno-accumulate-outgoing-args"},
    Row{Tuning, "-mbranch-cost=*"}, Row{Tuning, "-mabm"}, Row{Tuning, "-mno-abm"}, Row{Tuning, "-minline-*"},
    Row{Tuning, "-mno-inline-*"}, Row{Tuning, "-mavx256-split-*"}, Row{Tuning, "-mno-avx256-split-*"},
    Row{Tuning, "-mstringop-strategy=*"}, Row{Tuning, "-mmemcpy-strategy=*"}, Row{Tuning, "-mmemset-strategy=*"},

    Row{Foreign, "-fexec-charset=*"}, Row{Foreign, "-finput-charset=*"}, Row{Foreign, "-fwide-exec-charset=*"},
    Row{Foreign, "-traditional-cpp"}, Row{Foreign, "--traditional-cpp"}, Row{Foreign, "-fno-for-scope"},
    Row{Foreign, "-fpch-*"}, Row{Foreign, "-fno-pch-*"}, Row{Foreign, "-fconcepts*"}, Row{Foreign, "-fcoroutines"},
    Row{Foreign, "-fmodules-ts"}, Row{Foreign, "-fimplicit-constexpr"}, Row{Foreign, "-fext-numeric-literals"},
    Row{Foreign, "-fno-extended-identifiers"}, Row{Foreign, "-fgnu-unique"}, Row{Foreign, "-fno-gnu-unique"},
    Row{Foreign, "-flarge-source-files"}, Row{Foreign, "-fno-canonical-system-headers"},
    Row{Foreign, "-fcanonical-system-headers"}, Row{Foreign, "-fno-printf-return-value"},
    Row{Foreign, "-fno-toplevel-reorder"}, Row{Foreign, "-ftoplevel-reorder"}, Row{Foreign, "-fno-section-anchors"},
    Row{Foreign, "-fsection-anchors"}, Row{Foreign, "-fstrict-volatile-bitfields"},
    Row{Foreign, "-fno-strict-volatile-bitfields"}, Row{Foreign, "-fpcc-struct-return"},
    Row{Foreign, "-freg-struct-return"},
    Row{Foreign, "-mno-fp-ret-in-387"}, Row{Foreign, "-mfp-ret-in-387"}, Row{Foreign, "-mhard-float"},
    Row{Foreign, "-msse2avx"},
    Row{Foreign, "-mno-80387"}, Row{Foreign, "-mno-fancy-math-387"}, Row{Foreign, "-mthumb-interwork"},
    Row{Foreign, "-mstack-protector-guard*"}, Row{Foreign, "-mapcs*"}, Row{Foreign, "-mno-sched-prolog"},
    Row{Foreign, "-mtls-dialect=*"}, Row{Foreign, "-mlong-calls"}, Row{Foreign, "-mpoke-function-name"},
    Row{Foreign, "-fmodule-header*"}, Row{Foreign, "--include-barrier"}, Row{Foreign, "-I-"},
    Row{Foreign, "-fsso-struct=*"},
};
// clang-format on

}  // namespace

std::optional<FlagRule> rule_of_flag(std::string_view argument) {
  for (const Row& row : rows) {
    std::string_view text = row.text;
    const bool may_join = text.ends_with('*');
    if (may_join) text.remove_suffix(1);
    const bool takes_value = text.ends_with('+');
    if (takes_value) text.remove_suffix(1);
    if (argument == text) return FlagRule{row.kind, takes_value};
    if (may_join && argument.starts_with(text)) return FlagRule{row.kind, false};
  }
  return std::nullopt;
}

}  // namespace heddle::build
