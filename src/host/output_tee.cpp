// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/output_tee.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace heddle::host {
namespace {

constexpr std::size_t longest_line = 4096;

/// Colours and the like: ESC [ … letter.
std::string without_controls(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      while (i < line.size() && (line[i] < '@' || line[i] > '~')) ++i;
    } else if (static_cast<unsigned char>(line[i]) >= ' ' || line[i] == '\t') {
      out += line[i];
    }
  }
  return out;
}

bool has_any(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

bool are_one_place(int a, int b) {
  struct stat first{}, second{};
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/// A terminal that hands every byte on as it is.
bool open_terminal(int like, int& read_end, int& program_end) {
  termios settings{};
  winsize size{};
  if (tcgetattr(like, &settings) != 0) return false;
  ioctl(like, TIOCGWINSZ, &size);
  settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  if (openpty(&read_end, &program_end, nullptr, &settings, &size) != 0) return false;
  fcntl(read_end, F_SETFD, FD_CLOEXEC);
  fcntl(program_end, F_SETFD, FD_CLOEXEC);
  return true;
}

bool open_channel(int to, int& read_end, int& program_end) {
  if (isatty(to) != 0) return open_terminal(to, read_end, program_end);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  std::tie(read_end, program_end) = std::pair(ends[0], ends[1]);
  return true;
}

void pass_bytes(int to, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t done = write(to, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;
    bytes += done;
    count -= static_cast<std::size_t>(done);
  }
}

void close_one(int& file) {
  if (file > 2) close(file);
  file = -1;
}

}  // namespace

void ErrorLine::take(std::string_view output) {
  while (!output.empty()) {
    const std::size_t end = output.find_first_of("\r\n");
    begun_ += output.substr(0, std::min(end, longest_line));
    if (begun_.size() > longest_line) begun_.resize(longest_line);
    if (end == std::string_view::npos) return;
    take_line(begun_);
    begun_.clear();
    output.remove_prefix(end + 1);
  }
}

void ErrorLine::take_line(std::string_view raw) {
  std::string line = without_controls(raw);
  if (has_any(line, {" error: ", "undefined reference to", "cannot find -l", "CMake Error"}))
    of_tool_ = std::move(line);
  else if (has_any(line, {"*** ", "rror:", "not found", "No such file", "ERROR", "FAILED:"}))
    of_runner_ = std::move(line);
}

std::string ErrorLine::text() const {
  std::string out = of_tool_.empty() ? of_runner_ : of_tool_;
  out.erase(0, out.find_first_not_of(" \t"));
  return out;
}

OutputTee::OutputTee() {
  if (pipe2(over_.data(), O_CLOEXEC) != 0 || !open_channel(1, reads_[0], ends_[0])) return;
  if (are_one_place(1, 2))
    ends_[1] = ends_[0];
  else if (!open_channel(2, reads_[1], ends_[1]))
    ends_[1] = 2;
  try {
    thread_ = std::thread([this] { pass_on(); });
  } catch (const std::system_error&) {  // no thread is to be had: the program writes to where we do
    if (ends_[1] != ends_[0]) close_one(ends_[1]);
    close_one(ends_[0]);
    ends_ = {1, 2};
  }
}

OutputTee::~OutputTee() {
  finish();
  for (int& file : reads_) close_one(file);
  for (int& file : over_) close_one(file);
}

/// What processes that the program left behind write later is not waited for.
void OutputTee::finish() {
  if (!thread_.joinable()) return;
  if (ends_[1] != ends_[0]) close_one(ends_[1]);
  close_one(ends_[0]);
  ends_ = {1, 2};
  close_one(over_[1]);  // the thread sees that, whatever else fails
  thread_.join();
}

void OutputTee::pass_on() {
  std::array<pollfd, 3> files{pollfd{reads_[0], POLLIN, 0}, pollfd{reads_[1], POLLIN, 0}, pollfd{over_[0], POLLIN, 0}};
  std::array<char, 16384> bytes{};
  while (true) {
    if (poll(files.data(), files.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    bool was_quiet = true;
    for (int i = 0; i < 2; ++i) {
      pollfd& file = files[static_cast<std::size_t>(i)];
      if (file.fd < 0 || file.revents == 0) continue;
      const ssize_t got = read(file.fd, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        file.fd = -1;  // of a terminal, an error says that all its users are gone
        continue;
      }
      was_quiet = false;
      pass_bytes(i + 1, bytes.data(), static_cast<std::size_t>(got));
      lines_.take({bytes.data(), static_cast<std::size_t>(got)});
    }
    if (was_quiet && files[2].revents != 0) return;
  }
}

}  // namespace heddle::host
