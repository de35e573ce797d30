// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/library/repeatable.h"

#include <algorithm>

#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

/// '*' at the end: every name that begins so.
constexpr std::string_view repeatable[] = {
    // they print; nobody reads it
    "printf", "__printf_chk", "vprintf", "fprintf", "__fprintf_chk", "vfprintf", "puts", "fputs", "putchar", "putc",
    "fputc", "fflush",
    // they work on their arguments' memory
    "memcpy", "memmove", "__memcpy_chk", "__memmove_chk", "mempcpy", "memset", "__memset_chk", "bzero", "bcopy",
    "memcmp", "bcmp", "memchr", "strlen", "strnlen", "strcmp", "strncmp", "strcpy", "__strcpy_chk", "stpcpy", "strncpy",
    "__strncpy_chk", "strcat", "__strcat_chk", "strncat", "__strncat_chk", "strchr", "strrchr", "strstr", "strspn",
    "strcspn", "strpbrk", "strdup", "__strdup", "strndup", "sprintf", "snprintf", "__sprintf_chk", "__snprintf_chk",
    "strcasecmp", "strncasecmp", "strcoll", "strverscmp", "strchrnul", "strcasestr", "stpncpy", "strlcpy", "strlcat",
    "strtok_r", "__strtok_r", "memrchr", "memmem", "memccpy", "rindex", "index", "explicit_bzero", "atoi", "atol",
    "atoll", "strtol", "strtoul", "strtoll", "strtoull", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll",
    "__isoc23_strtoull",
    // characters of the "C" locale: a program that asks for another one calls what is not listed
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
    "isupper", "isxdigit", "isascii", "tolower", "toupper", "toascii",
    // they end the program, or do nothing to memory
    "exit", "_exit", "_Exit", "abort", "llvm.trap", "llvm.debugtrap", "__assert_fail", "__assert", "__assert_rtn",
    "__VERIFIER_assert", "sched_yield", "pthread_yield", "thrd_yield", "usleep", "sleep", "nanosleep", "thrd_sleep",
    "pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_attr_init", "pthread_attr_destroy",
    "pthread_attr_setdetachstate", "pthread_attr_setstacksize", "pthread_condattr_init", "pthread_condattr_destroy",
    "pthread_rwlockattr_init", "pthread_rwlockattr_destroy", "pthread_barrierattr_init", "pthread_barrierattr_destroy",
    "pthread_equal", "thrd_equal",
    // numbers
    "abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv", "imaxdiv", "htonl", "htons", "ntohl", "ntohs", "ffs",
    "ffsl", "ffsll", "llvm.sadd.*", "llvm.uadd.*", "llvm.ssub.*", "llvm.usub.*", "llvm.smul.*", "llvm.umul.*",
    "llvm.smax.*", "llvm.smin.*", "llvm.umax.*", "llvm.umin.*", "llvm.abs.*", "llvm.bswap.*", "llvm.bitreverse.*",
    "llvm.ctlz.*", "llvm.cttz.*", "llvm.ctpop.*", "llvm.fshl.*", "llvm.fshr.*",
    // words to the compiler
    "llvm.lifetime*", "llvm.dbg.*", "llvm.assume", "llvm.prefetch*", "llvm.stackrestore*", "llvm.stacksave*",
    "llvm.expect.*", "llvm.annotation.*", "llvm.ptr.annotation.*", "llvm.ssa.copy.*", "llvm.threadlocal.address*",
    "llvm.x86.sse2.pause", "llvm.aarch64.hint"};

}  // namespace

bool is_native(std::string_view function) { return find_native(function) != nullptr; }

bool is_repeatable(std::string_view function) {
  return std::ranges::any_of(repeatable, [&](std::string_view name) { return fits(name, function); });
}

bool is_output_stream(std::string_view global) { return global == "stdout" || global == "stderr"; }

}  // namespace heddle::interpret
