// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a program, by its name, a compiler driver for C or C++, or a front end that is followed by one? Shared by the
// preload library, which is C, and by the reader of command lines, which is C++.
//
//   cc  g++-12  clang++-19.1  aarch64-linux-gnu-gcc  gcc4.8          yes
//   gcc-ar  clang-format  cc1  cpp                                   no
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool heddle_name_equals(const char* name, size_t length, const char* word) {
  return strlen(word) == length && memcmp(name, word, length) == 0;
}

static inline bool heddle_is_version(const char* text, size_t length) {
  if (length == 0) return false;
  for (size_t i = 0; i < length; ++i)
    if ((text[i] < '0' || text[i] > '9') && text[i] != '.') return false;
  return true;
}

/// `name` is a file name without folder.
static inline bool heddle_is_compiler_name(const char* name, size_t length) {
  static const char* const drivers[] = {"cc",  "c++",  "gcc", "g++",  "clang", "clang++", "c89",
                                        "c99", "xgcc", "icc", "icpc", "icx",   "icpx",    "xg++"};
  static const char* const suffixes[] = {"posix", "win32", "real"};
  for (;;) {
    size_t dash = length;
    while (dash > 0 && name[dash - 1] != '-') --dash;
    const char* word = name + dash;  // behind the last dash
    size_t word_length = length - dash;
    bool is_suffix = heddle_is_version(word, word_length);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i)
      if (heddle_name_equals(word, word_length, suffixes[i])) is_suffix = true;
    if (is_suffix && dash > 1) {
      length = dash - 1;
      continue;
    }
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; ++i)
      if (heddle_name_equals(word, word_length, drivers[i])) return true;
    // gcc12, clang19
    while (word_length > 0 && heddle_is_version(word + word_length - 1, 1)) --word_length;
    return heddle_name_equals(word, word_length, "gcc") || heddle_name_equals(word, word_length, "g++") ||
           heddle_name_equals(word, word_length, "clang") || heddle_name_equals(word, word_length, "clang++");
  }
}

/// Programs that get a compiler and its arguments as their own arguments.
static inline bool heddle_is_launcher_name(const char* name, size_t length) {
  static const char* const launchers[] = {"ccache", "distcc", "sccache", "icecc", "buildcache"};
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; ++i)
    if (heddle_name_equals(name, length, launchers[i])) return true;
  return false;
}

/// `ar`, `gcc-ar`, `llvm-ar-19`, `aarch64-linux-gnu-ar`: what they put together is part of what is linked.
static inline bool heddle_is_archiver_name(const char* name, size_t length) {
  size_t dash = length;
  while (dash > 0 && name[dash - 1] != '-') --dash;
  if (dash > 1 && heddle_is_version(name + dash, length - dash)) return heddle_is_archiver_name(name, dash - 1);
  return heddle_name_equals(name + dash, length - dash, "ar");
}
