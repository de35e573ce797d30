// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between the preload library and the reader of its log. The log is a sequence of records, each appended
// by one write: this header, the working folder, the arguments (each ended by a zero byte), the response files.
//
//   header | folder bytes | arg0 \0 arg1 \0 … | for each response file: u32 name length, u32 text length, name, text
//
// Numbers are in the machine's own order: the log never leaves the machine, and lives as long as one build.
#pragma once
#include <stdint.h>

#define HEDDLE_RECORD_MAGIC UINT32_C(0x324c4448)  // "HDL2"

struct heddle_record {
  uint32_t magic;
  uint32_t size;      ///< of everything behind the header
  uint32_t checksum;  ///< of the same: a record that was cut, with others behind it, must not be taken for one
  uint32_t pid;
  uint32_t folder_size;
  uint32_t arguments_size;
  uint32_t response_file_count;
};

/// Where records go; without it the library does nothing.
#define HEDDLE_LOG_VARIABLE "HEDDLE_INTERCEPT_LOG"
/// The socket that is told of records that could not be written (log_writer.h).
#define HEDDLE_LOST_VARIABLE "HEDDLE_INTERCEPT_LOST"
/// The same is said by this mode of the log.
#define HEDDLE_INCOMPLETE_MODE 0400
/// More names of compilers, separated by colons.
#define HEDDLE_NAMES_VARIABLE "HEDDLE_INTERCEPT_NAMES"
/// Set in a recorded compiler and so in everything it starts: what a compiler starts is part of it.
#define HEDDLE_INSIDE_VARIABLE "HEDDLE_INTERCEPT_INSIDE"
/// The heddle program that takes the place of compile steps (`heddle capture --record`).
#define HEDDLE_RECORDER_VARIABLE "HEDDLE_INTERCEPT_RECORDER"
/// The compiler that `heddle cc` stands for, as a file that can be started.
#define HEDDLE_REAL_VARIABLE "HEDDLE_INTERCEPT_REAL"
