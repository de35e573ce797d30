// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OutputTee: stands between a program that we start and our own standard output and error. What it writes is passed on
// at once, and its last error is remembered, so that we can quote it.
//
//   OutputTee tee;
//   …start it with tee.output() and tee.errors() as its files 1 and 2…
//   tee.finish();          it has ended: the rest is passed on
//   tee.last_error()       "main.c:3:10: fatal error: zlib.h: No such file or directory"
//
// Where we write to a terminal the program sees one too (colours, lines that are written over). Where both of ours go
// to one place, both of its do, in the order in which it writes.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace heddle::host {

/// Which line of a build's output says what went wrong: the last one of a compiler or linker, else of whoever ran them.
class ErrorLine {
 public:
  void take(std::string_view output);
  /// Empty: none of its lines looks like an error.
  [[nodiscard]] std::string text() const;

 private:
  void take_line(std::string_view line);
  std::string begun_;      ///< of a line that has not ended
  std::string of_tool_;    ///< `a.c:3:1: error: …`, `undefined reference to …`
  std::string of_runner_;  ///< `make: *** [a.o] Error 1`
};

class OutputTee {
 public:
  OutputTee();
  ~OutputTee();
  OutputTee(const OutputTee&) = delete;
  OutputTee& operator=(const OutputTee&) = delete;

  [[nodiscard]] int output() const { return ends_[0]; }
  [[nodiscard]] int errors() const { return ends_[1]; }
  void finish();
  [[nodiscard]] std::string last_error() const { return lines_.text(); }

 private:
  void pass_on();

  std::array<int, 2> ends_ = {1, 2};     ///< for the program
  std::array<int, 2> reads_ = {-1, -1};  ///< ours; equal ends share the first
  std::array<int, 2> over_ = {-1, -1};   ///< a pipe that ends the thread
  ErrorLine lines_;
  std::thread thread_;
};

}  // namespace heddle::host
