// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/device_register.h"

#include "frontend/scratch_source.h"
#include "program/unit/unit_file.h"

namespace heddle::frontend {
namespace HEDDLE_TEST_FILE {

Program read_for(const std::string& code, const std::vector<std::string>& flags, const std::string& name = "unit.c") {
  const ScratchFolder folder;
  auto program = read_sources({{folder.write(name, code), flags}}, {});
  if (program) return std::move(*program);
  ADD_FAILURE() << program.error().message;
  return {};
}

/// `PORTB 0x25 1`: what the source calls it, its address, its bytes.
std::string registers_of(const Program& program) {
  std::string out;
  for (const Global& global : program.globals)
    if (const auto address = device_address(global)) {
      std::ostringstream row;
      row << global.shown_name() << " 0x" << std::hex << *address << std::dec << " " << global.size;
      out += (out.empty() ? "" : ", ") + row.str();
    }
  return out;
}

const std::string gpio =
    "typedef struct { volatile unsigned MODER, ODR; } Gpio;\n#define GPIOA_BASE 0x40020000\n"
    "#define GPIOA ((Gpio *)GPIOA_BASE)\n#define LED GPIOA\n#define MMIO(a) (*(volatile unsigned *)(a))\n"
    "#define REG(n) MMIO(0x100 + (n))\n";

TEST(DeviceRegisters, EachAddressIsAVariableWithTheNameOfItsMacro) {
  const Program p = read_for(gpio + "void f(void) { LED->ODR |= 4; REG(8) = 1; *(volatile char *)0x25 = 1; }", {});
  EXPECT_EQ(registers_of(p), "register at 0x25 0x25 1, REG(8) 0x108 4, GPIOA 0x40020000 8");
  EXPECT_EQ(body_of(p, "f"),
            "b0:\n  %0 = gep inbounds @register at 0x40020000 + 4 (%struct.Gpio)\n  %1 = load volatile i32, %0\n"
            "  %2 = or i32 %1, 4\n  %3 = gep inbounds @register at 0x40020000 + 4 (%struct.Gpio)\n"
            "  store volatile i32, %2, %3\n  store volatile i32, 1, @register at 0x108\n"
            "  store volatile i8, 1, @register at 0x25\n  return\n");
}

TEST(DeviceRegisters, TheNameOfTheRegisterGoesBeforeThatOfItsUse) {
  const Program p = read_for(
      "#define BYTE(a) (*(volatile unsigned char *)(a))\n#define TWSR BYTE(0xb9)\n"
      "#define cbi(r, b) (BYTE((unsigned long)&(r)) &= ~(1 << (b)))\nvoid f(void) { cbi(TWSR, 2); }",
      {});
  EXPECT_EQ(registers_of(p), "TWSR 0xb9 1");
}

TEST(DeviceRegisters, APointerThatIsPassedOnOrKeptIsTheSameVariable) {
  const Program p = read_for(gpio + "void set(Gpio *); Gpio *ports[1] = {GPIOA}; void f(void) { set(GPIOA); }", {});
  EXPECT_EQ(registers_of(p), "GPIOA 0x40020000 1");
  EXPECT_EQ(body_of(p, "f"), "b0:\n  call void @set(@register at 0x40020000)\n  return\n");
  const Global& ports = p.globals[p.find_global("ports")];
  ASSERT_EQ(ports.relocations.size(), 1u);
  EXPECT_EQ(device_address(p, ports.relocations[0]), 0x40020000u);
}

TEST(DeviceRegisters, OtherNumbersThatAreMadePointersAreNone) {
  const Program p =
      read_for("void use(void *); int f(int *p) { use((void *)5); *(int *)0x1000 = 1; return p == (int *)-1; }", {});
  EXPECT_EQ(registers_of(p), "");
  EXPECT_EQ(count_of(p, "f", Opcode::Cast), 4u) << body_of(p, "f");
}

TEST(DeviceRegisters, UnitsThatNameOneAddressMeetThere) {
  const ScratchFolder folder;
  const std::string a = folder.write("a.c", "#define UDR (*(volatile char *)0xc6)\nvoid f(void) { UDR = 1; }");
  const std::string b = folder.write("b.c", "char g(void) { return *(volatile char *)0xc6; }");
  const auto p = read_sources({{a, {}}, {b, {}}}, {});
  ASSERT_TRUE(p.has_value());
  EXPECT_EQ(registers_of(*p), "UDR 0xc6 1");
}

TEST(DeviceRegisters, OfSmallMachines) {
  const std::string code =
      "#define PORTB (*(volatile unsigned char *)0x25)\nint shared; int *p = &shared;\n"
      "int f(void) { PORTB |= 1; *p += 2; return sizeof(int) * 16 + sizeof(void *); }";
  const auto bits = [&](const std::vector<std::string>& flags) {
    const Program p = read_for(code, flags);
    EXPECT_EQ(registers_of(p), "PORTB 0x25 1") << flags[0];
    const std::string body = body_of(p, "f");
    return std::to_string(p.layout.pointer_bits) + " " + body.substr(body.rfind("return"));
  };
  EXPECT_EQ(bits({"--target=avr", "-mmcu=atmega328p"}), "16 return 34\n");
  EXPECT_EQ(bits({"--target=msp430"}), "16 return 34\n");
  EXPECT_EQ(bits({"--target=armv7m-none-eabi"}), "32 return 68\n");
  EXPECT_EQ(bits({"--target=riscv32"}), "32 return 68\n");
}

TEST(DeviceRegisters, AUnitOfASmallMachineCanBeKept) {
  const Program p = read_for("int x; int *p = &x; void f(void) { *p = *(volatile int *)0x20; }", {"--target=avr"});
  const auto again = decode_unit(encode_unit(p));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->layout.pointer_bits, 16u);
  EXPECT_EQ(body_of(*again, "f"), body_of(p, "f"));
}

TEST(SmallMachines, VirtualFunctionsLieInAnotherAddressSpace) {
  const Program p = read_for(
      "struct Print { virtual int write(int) { return 1; } };\nint f(Print *p) { return p->write(2); }\n"
      "Print here; int g() { return f(&here); }\n",
      {"--target=avr", "-mmcu=atmega328p", "-fno-rtti"}, "unit.cpp");
  const Global& table = p.globals[p.find_global("_ZTV5Print")];
  ASSERT_EQ(table.relocations.size(), 1u);
  EXPECT_TRUE(table.relocations[0].target.is_function());
}

TEST(SmallMachines, AnEmptyStructByValueIsRead) {
  const Program p = read_for(
      "struct nothrow_t {}; void *take(unsigned, nothrow_t) { return nullptr; }\n"
      "void *f() { return take(1, nothrow_t()); }\n",
      {"--target=avr", "-mmcu=atmega328p"}, "unit.cpp");
  EXPECT_EQ(count_of(p, "_Z1fv", Opcode::Call), 1u);
}

const std::string refused = "int x; void f(void) { __asm__ volatile(\"out %0, r1\" :: \"I\"(64)); x = 1; }";

TEST(RefusedAssembly, IsLeftOutAndSaidOnBareMachines) {
  const Program p = read_for(refused, {"--target=avr", "-mmcu=atmega328p"});
  EXPECT_EQ(body_of(p, "f"), "b0:\n  store i16, 1, @x\n  return\n");
  ASSERT_EQ(p.unseen.size(), 1u);
  EXPECT_TRUE(p.unseen[0].starts_with("assembly that clang refuses: ")) << p.unseen[0];
  EXPECT_TRUE(p.unseen[0].ends_with("unit.c:1: value '64' out of range for constraint 'I'")) << p.unseen[0];
}

TEST(RefusedAssembly, OtherErrorsStay) {
  const ScratchFolder folder;
  const std::string file = folder.write("unit.c", refused + "\nint g(void) { return y; }");
  const auto program = read_sources({{file, {"--target=avr"}}}, {});
  ASSERT_FALSE(program.has_value());
  EXPECT_TRUE(program.error().message.contains("undeclared identifier 'y'")) << program.error().message;
  EXPECT_FALSE(program.error().message.contains("constraint")) << program.error().message;
}

TEST(RefusedAssembly, IsAnErrorOnOtherMachines) {
  const ScratchFolder folder;
  const auto program = read_sources(
      {{folder.write("unit.c", "void f(void) { __asm__(\"\" :: \"I\"(64)); }"), {"--target=x86_64-linux-gnu"}}}, {});
  ASSERT_FALSE(program);
  EXPECT_TRUE(program.error().message.contains("constraint")) << program.error().message;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::frontend
