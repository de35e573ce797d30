#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds with cross compilers for machines without an operating system, captured and asked for triples. A compiler that
is not installed is skipped, and said. Ends with `N passed, M failed`.
"""
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run import Skipped, case_arguments, run_cases  # noqa: E402
from units import counts  # noqa: E402

CASES = []


def case(function):
    CASES.append(function)
    return function


def need(compiler, flags, header):
    """The compiler, and a C library for it."""
    if shutil.which(compiler) is None:
        raise Skipped(f"{compiler} is not installed")
    run = subprocess.run([compiler, *flags, "-E", "-x", "c", "-"], input=f"#include <{header}>\n", text=True,
                         capture_output=True, timeout=60, check=False)
    if run.returncode != 0:
        raise Skipped(f"{compiler} has no {header}")


def triples(p, expected):
    p.call("depend", "--format=triples")
    assert p.run.returncode == (1 if expected else 0), p.err
    assert p.out.split() == expected, p.out


AVR_MAIN = """#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/wdt.h>
volatile unsigned int ticks;
static const char text[] PROGMEM = "hello";
_Static_assert(sizeof(int) == 2 && sizeof(void *) == 2, "of AVR");
ISR(TIMER0_OVF_vect) {
  ticks++;
  PORTD ^= 3;
}
unsigned int now(void);
void late(void);
int main(void) {
  ticks = 1;
  wdt_enable(WDTO_1S);
  sei();
  for (;;) {
    PORTD |= 12;
    if (now() == pgm_read_byte(text)) late();
  }
}
"""

AVR_NOW = """#include <avr/interrupt.h>
#include <avr/io.h>
extern volatile unsigned int ticks;
unsigned int now(void) {
  unsigned char old = SREG;
  cli();
  unsigned int first = ticks;
  unsigned int second = ticks;
  SREG = old;
  return first + second;
}
"""


@case
def avr(p):
    need("avr-gcc", ["-mmcu=atmega328p"], "avr/io.h")
    p.write("main.c", AVR_MAIN)
    p.write("now.c", AVR_NOW)
    p.write("late.S", ".global late\nlate: ret\n")
    p.write("build.sh", "set -e\nF='-mmcu=atmega328p -Os -flto -mcall-prologues'\n"
            "avr-gcc $F -c main.c\navr-gcc $F -c now.c\navr-gcc -mmcu=atmega328p -c late.S\n"
            "avr-gcc-ar rcs libnow.a now.o late.o\navr-gcc $F -o prog.elf main.o -L. -lnow\n")
    p.call("capture", "--", "sh", "build.sh")
    counts(p, 2, 2, 0, 0)
    p.expect(0, None, ["1 × assembly files"])
    links = (p.folder / ".heddle" / "links.json").read_text()
    assert "libnow.a" in links and "now.o" in links, links
    triples(p, ["PORTD<R#19>,<W#10>,<W#19>"])
    p.call("depend", "--entries")
    assert "__vector_16: interrupt, number 16" in p.out, p.out
    p.call("scan")
    assert "ticks" in p.out and "PORTD" not in p.out, p.out  # a device register is the device's, too


ARM = """#include <stdint.h>
#include <string.h>
typedef struct { volatile uint32_t MODER, ODR; } GPIO_TypeDef;
#define GPIOA ((GPIO_TypeDef *)0x40020000u)
enum small { one, two };
_Static_assert(sizeof(enum small) == 1 && sizeof(void *) == 4, "of arm-none-eabi");
uint32_t shared;
void SysTick_Handler(void) {
  shared++;
  GPIOA->ODR ^= 2;
}
__attribute__((noinline)) static void set(GPIO_TypeDef *port, uint32_t bits) {
  port->ODR |= bits;
}
__attribute__((naked)) void Start(void) { __asm__ volatile("bl main"); }
int main(void) {
  for (;;) {
    set(GPIOA, 4);
    __asm__ volatile("cpsid i" ::: "memory");
    shared += 2;
    __asm__ volatile("cpsie i" ::: "memory");
  }
}
__attribute__((section(".isr_vector"), used)) void (*const vectors[])(void) = {
    0, Start, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SysTick_Handler};
"""


@case
def arm(p):
    flags = "-mcpu=cortex-m3 -mthumb -mthumb-interwork -ffreestanding -Os -mslow-flash-data --specs=nano.specs"
    need("arm-none-eabi-gcc", flags.split(), "string.h")
    p.write("main.c", ARM)
    p.write("link.ld", "ENTRY(Start)\nSECTIONS { .text : { *(.isr_vector) *(.text*) *(.rodata*) } "
            ".bss 0x20000000 : { *(.bss*) } /DISCARD/ : { *(.ARM*) } }\n")
    p.write("build.sh", f"set -e\narm-none-eabi-gcc {flags} -c main.c\n"
            "arm-none-eabi-gcc -nostdlib -T link.ld -o prog.elf main.o\n")
    p.call("capture", "--", "sh", "build.sh")
    counts(p, 1, 1, 0, 0)
    triples(p, ["GPIOA<R#13>,<W#10>,<W#13>"])


RISCV = """#include <stdint.h>
#define UART (*(volatile uint8_t *)0x10000000)
_Static_assert(sizeof(void *) == 4, "of rv32");
volatile int count;
__attribute__((interrupt)) void tick(void) { count = UART; }
int main(void) {
  count = 1;
  __asm__ volatile("csrsi mstatus, 8");
  for (;;) {
    int before = count;
    if (before != count) UART = 1;
  }
}
"""


@case
def riscv(p):
    flags = "-march=rv32imac_zicsr -mabi=ilp32 -mcmodel=medany -msmall-data-limit=0 -ffreestanding"
    need("riscv64-unknown-elf-gcc", flags.split(), "stdint.h")
    p.write("main.c", RISCV)
    p.call("capture", "--", "sh", "-c", f"riscv64-unknown-elf-gcc {flags} -c main.c")
    counts(p, 1, 1, 0, 0)
    triples(p, ["count<R#10>,<W#5>,<R#11>"])


@case
def a_compiler_that_is_not_here_is_known_by_its_name(p):
    p.write("a.c", "_Static_assert(sizeof(int) == 2 && __AVR_ATmega328P__, \"of AVR\");\nint x;\n"
            "__attribute__((signal)) void __vector_1(void) { x = 1; }\nint main(void) { x++; }\n")
    p.write("compile_commands.json", json.dumps(
        [{"directory": str(p.folder), "command": "/no/such/avr-gcc -mmcu=atmega328p -c a.c", "file": "a.c"}]))
    p.call("capture")
    p.expect(0, None, ["1 captured", "clang's own headers for avr"])
    triples(p, ["x<R#4>,<W#3>,<R#4>", "x<R#4>,<W#3>,<W#4>"])  # two bytes on a machine of one


@case
def assembly_that_clang_refuses_is_said(p):
    p.write("a.c", "int x;\nvoid f(void) { __asm__(\"out %0, r1\" :: \"I\"(64)); x = 1; }\nint main(void) { f(); }\n")
    p.write("compile_commands.json", json.dumps(
        [{"directory": str(p.folder), "command": "/no/such/avr-gcc -c a.c", "file": "a.c"}]))
    p.call("capture")
    counts(p, 1, 1, 0, 0)
    p.call("verify")
    assert p.run.returncode == 3 and "assembly that clang refuses: a.c:2: value '64'" in p.out, p.out


if __name__ == "__main__":
    sys.exit(run_cases(CASES, case_arguments(__doc__).parse_args(), False))
