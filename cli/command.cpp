// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/command.h"

#include <poll.h>
#include <unistd.h>

#include <iostream>

#include "report/screen/shown.h"

namespace heddle::cli {

namespace {

/// `heddle … | head` has seen enough and needs no message.
bool reader_went_away() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

void print_error(const std::string& message) {
  std::cout.flush();
  // Compilers report several lines at once; each of them keeps its own `file:line:column:` at the line's start.
  const std::size_t line_end = message.find('\n');
  const bool has_more_lines = line_end != std::string::npos && line_end + 1 < message.size();
  std::cerr << "heddle: error: " << (has_more_lines ? "the input was not accepted:\n" : "")
            << report::shown_lines(message);
  if (message.empty() || message.back() != '\n') std::cerr << '\n';
  std::cerr.flush();
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::cerr << "heddle: note: " << report::shown(note) << '\n';
}

std::string check_positive(const std::string& text) {
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  return is_number && text.find_first_not_of('0') != std::string::npos ? "" : "must be a whole number above 0";
}

ExitCode finish_output(ExitCode code) {
  std::cout.flush();
  if (std::cout) return code;
  if (!reader_went_away())
    print_error("standard output is full or closed, and what it shows is not complete; make room or use -o FILE");
  return ExitCode::BadInput;
}

}  // namespace heddle::cli
