// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/code/library_code.h"

#include <gtest/gtest.h>

#include "api/code/code_template.h"
#include "api/models/api_models.h"
#include "api/reader/model_reader.h"
#include "program/model/program_builder.h"

namespace heddle::api {
namespace HEDDLE_TEST_FILE {

const std::string with_template =
    "int before;\n//@ template team\nvoid t_$k(int$(, $T a$i)) __asm__(\"$symbol\"); // \"$entry\"\n//@ end\nint "
    "after;\n";

TEST(CodeTemplate, IsWrittenOncePerEntry) {
  const auto text =
      write_out(with_template, {{"team", 3, "region", "fork(region)", {"void *", "unsigned"}, "", 0}}, "m.c");
  ASSERT_TRUE(text.has_value()) << text.error().message;
  EXPECT_EQ(*text,
            "#define HEDDLE_EACH_team(DO) DO(3)\n#line 1 \"m.c\"\nint before;\n"
            "void t_3(int, void * a0, unsigned a1) __asm__(\"fork(region)\"); // \"region\"\n"
            "#line 5 \"m.c\"\nint after;\n");
}

TEST(CodeTemplate, MustBeThereAndEnd) {
  EXPECT_FALSE(write_out(with_template, {{"other", 0, "r", "s", {}, "", 0}}, "m.c").has_value());
  EXPECT_FALSE(write_out("//@ template team\n", {}, "m.c").has_value());
}

/// fork(where, region, &x), which starts threads at region.
Program calling(Operand (*entry)(FunctionBuilder&, FunctionId)) {
  ProgramBuilder b;
  const FunctionId fork = b.declare("fork", b.void_type(), {b.ptr_type(), b.ptr_type()}, true);
  FunctionBuilder& region = b.function("region", b.void_type(), {b.ptr_type(), b.ptr_type()});
  region.ret();
  FunctionBuilder& main = b.function("main", b.void_type(), {b.ptr_type()});
  main.call(fork, {b.null(), entry(main, region.id()), b.null()});
  main.ret();
  return b.take();
}

const CodeRule fork_rule{"m.c", {"fork"}, "team", "", 1, Effect::none, 1};

FunctionId callee_of_main(const Program& program) {
  return program.functions[program.find_function("main")].operands[0].as_function();
}

TEST(LibraryCode, CallsOfATemplateAreOfWhatWasMadeForTheirEntry) {
  Program program = calling([](FunctionBuilder&, FunctionId region) { return Operand::function(region); });
  const auto code = library_code(program, {fork_rule}, "m.c", with_template);
  ASSERT_TRUE(code.has_value()) << code.error().message;
  EXPECT_EQ(code->symbols, std::vector<std::string>{"fork(region)"});
  EXPECT_TRUE(code->text.contains("void t_0(int, void * a0) __asm__(\"fork(region)\"); // \"region\"")) << code->text;
  const Function& made = program.functions[callee_of_main(program)];
  EXPECT_EQ(made.name, "fork(region)");
  EXPECT_EQ(made.parameters.size(), 3U);
  EXPECT_FALSE(made.is_vararg);
}

TEST(LibraryCode, ATemplateIsToldWhetherItsEntryDoesMore) {
  const std::string asks = "//@ template team\nint more_$k = $does_more;\n//@ end\n";
  const auto written = [&](auto body) {
    ProgramBuilder b;
    const FunctionId fork = b.declare("fork", b.void_type(), {b.ptr_type(), b.ptr_type()}, true);
    const FunctionId other = b.declare("other", b.void_type(), {});
    const TypeId i32 = b.int_type(32);
    const Operand global = b.global("g", i32);
    FunctionBuilder& region = b.function("region", b.void_type(), {b.ptr_type(), b.ptr_type()});
    body(region, b.int_constant(i32, 1), other, global);
    region.ret();
    FunctionBuilder& main = b.function("main", b.void_type(), {b.ptr_type()});
    main.call(fork, {b.null(), Operand::function(region.id()), b.null()});
    main.ret();
    Program program = b.take();
    const auto code = library_code(program, {fork_rule}, "m.c", asks);
    return code ? code->text : code.error().message;
  };
  EXPECT_TRUE(written([](auto& f, Operand one, auto, auto) { f.store(one, f.param(0)); }).contains("more_0 = 0;"));
  EXPECT_TRUE(written([](auto& f, Operand, auto other, auto) { f.call(other); }).contains("more_0 = 1;"));
  EXPECT_TRUE(
      written([](auto& f, Operand one, auto, Operand global) { f.store(one, global); }).contains("more_0 = 1;"));
}

TEST(LibraryCode, ACallWhoseEntryIsNotKnownStaysAsItIs) {
  Program program = calling([](FunctionBuilder& main, FunctionId) { return main.param(0); });
  const auto code = library_code(program, {fork_rule}, "m.c", with_template);
  ASSERT_TRUE(code.has_value());
  EXPECT_TRUE(code->symbols.empty());
  EXPECT_EQ(program.functions[callee_of_main(program)].name, "fork");
}

TEST(LibraryCode, IsOnlyForWhatTheProgramCallsAndDoesNotDefine) {
  ProgramBuilder b;
  b.function("fork", b.void_type(), {}).ret();
  Program program = b.take();
  const auto code = library_code(program, {fork_rule}, "m.c", with_template);
  ASSERT_TRUE(code.has_value());
  EXPECT_TRUE(code->symbols.empty() && code->text.empty());
}

TEST(LibraryCode, WhatIsNotNeededLosesItsBody) {
  ProgramBuilder b;
  FunctionBuilder& helper = b.function("helper", b.void_type(), {});
  helper.ret();
  FunctionBuilder& wanted = b.function("wanted", b.void_type(), {});
  wanted.call(helper.id());
  wanted.ret();
  b.function("other", b.void_type(), {}).ret();
  Program unit = b.take();
  keep_only(unit, {"wanted"});
  EXPECT_TRUE(unit.functions[unit.find_function("wanted")].has_body());
  EXPECT_TRUE(unit.functions[unit.find_function("helper")].has_body());
  EXPECT_FALSE(unit.functions[unit.find_function("other")].has_body());
}

TEST(CodeRules, AreReadAndRefused) {
  const auto read = read_models(
      "[[code]]\nfile = \"m.c\"\nfunctions = [\"f\"]\ntemplate = \"t\"\nwith = \"u\"\nentry_of = 2\n", "models/m.toml");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->code, (std::vector{CodeRule{"m.c", {"f"}, "t", "u", Effect::none, 2, 0}}));
  const auto refusal = [](const std::string& text) {
    const auto wrong = read_models("[[code]]\n" + text, "models/m.toml");
    return wrong ? "accepted" : wrong.error().message;
  };
  EXPECT_EQ(refusal("file = \"m.c\"\nfunctions = [\"f\"]\nentry = 1\n"),
            "models/m.toml:1:1: a 'template' in code goes with 'entry' or 'entry_of', and these with a 'template'");
  EXPECT_EQ(refusal("functions = [\"f\"]\n"), "models/m.toml:1:1: code needs a 'file', a C file beside this one");
  EXPECT_TRUE(refusal("file = 1\nfunctions = [\"f\"]\n").contains("'file' in code must be a text, found 1"));
  EXPECT_TRUE(refusal("file = \"m.c\"\nfunctions = [\"f\"]\nfoo = 1\n").contains("unknown key 'foo' in code"));
}

TEST(CodeRules, AreForShippedFiles) {
  ApiModels models;
  const auto added = models.add_toml("[[code]]\nfile = \"m.c\"\nfunctions = [\"f\"]\n", "heddle.toml");
  ASSERT_FALSE(added.has_value());
  EXPECT_TRUE(added.error().message.contains("shipped with heddle")) << added.error().message;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::api
