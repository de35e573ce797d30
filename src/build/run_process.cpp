// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/run_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "build/intercept/record.h"

namespace heddle::build {
namespace {

constexpr std::size_t most_output = std::size_t{16} << 20;
constexpr std::chrono::seconds longest{60};

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~Pipe() { close_read(), close_write(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_read() { close_one(ends_[0]); }
  void close_write() { close_one(ends_[1]); }

 private:
  static void close_one(int& file) {
    if (file >= 0) close(file);
    file = -1;
  }
  std::array<int, 2> ends_{};
};

std::vector<std::string> child_environment() {
  std::vector<std::string> out = {"LC_ALL=C", HEDDLE_INSIDE_VARIABLE "=1"};
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::strncmp(*entry, "LC_ALL=", 7) != 0) out.emplace_back(*entry);
  return out;
}

int spawn(pid_t& pid, const std::vector<std::string>& arguments, const std::string& directory, const Pipe& output,
          const Pipe& errors) {
  posix_spawn_file_actions_t actions;
  if (const int failure = posix_spawn_file_actions_init(&actions); failure != 0) return failure;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write_end(), STDERR_FILENO);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  std::vector<std::string> words = arguments;
  std::vector<std::string> environment = child_environment();
  const int failure = posix_spawnp(&pid, arguments.front().c_str(), &actions, nullptr, pointers_to(words).data(),
                                   pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

/// False: that end is closed.
bool take_some(int file, std::string& into) {
  std::array<char, 16384> bytes{};
  const ssize_t got = read(file, bytes.data(), bytes.size());
  if (got < 0) return errno == EINTR;
  if (into.size() < most_output) into.append(bytes.data(), static_cast<std::size_t>(got));
  return got > 0;
}

/// False: it took too long.
bool collect(const Pipe& output, const Pipe& errors, ProcessResult& result) {
  const auto last = std::chrono::steady_clock::now() + longest;
  std::array<pollfd, 2> files{pollfd{output.read_end(), POLLIN, 0}, pollfd{errors.read_end(), POLLIN, 0}};
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(last - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    if (poll(files.data(), files.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
    if (files[0].revents != 0 && !take_some(files[0].fd, result.output)) files[0].fd = -1;
    if (files[1].revents != 0 && !take_some(files[1].fd, result.errors)) files[1].fd = -1;
  }
  return true;
}

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& text : strings) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const std::string& directory) {
  Pipe output;
  Pipe errors;
  if (output.read_end() < 0 || errors.read_end() < 0) return error("no more pipes: too many open files");
  pid_t pid = 0;
  if (const int failure = spawn(pid, arguments, directory, output, errors); failure != 0)
    return error("'" + arguments.front() + "' cannot be started: " + std::strerror(failure));
  output.close_write();
  errors.close_write();
  ProcessResult result;
  if (!collect(output, errors, result)) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace heddle::build
