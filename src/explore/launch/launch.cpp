// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/machine/failure_words.h"

namespace heddle::explore {
namespace {

constexpr int result_descriptor = 198;  // of the program: far from those it opens itself

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& one : strings) pointers.push_back(one.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The address layout that children of this process get; as before when it goes.
class FixedAddresses {
 public:
  FixedAddresses() : before_(personality(ask)) {
    if (before_ < 0 || personality(static_cast<unsigned long>(before_) | ADDR_NO_RANDOMIZE) < 0)
      why_not_ = "address randomisation cannot be switched off here: " + failure_words(errno);
  }
  FixedAddresses(const FixedAddresses&) = delete;
  FixedAddresses& operator=(const FixedAddresses&) = delete;
  ~FixedAddresses() {
    if (before_ >= 0) personality(static_cast<unsigned long>(before_));
  }
  /// Empty: they are fixed.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

 private:
  static constexpr unsigned long ask = 0xffffffff;
  int before_;
  std::string why_not_;
};

/// An error number; 0: it runs.
int start(const LaunchJob& job, int result, pid_t& process, std::string& why_addresses_vary) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  if (const int failure = posix_spawn_file_actions_init(&files); failure != 0) return failure;
  if (const int failure = posix_spawnattr_init(&attributes); failure != 0) return failure;
  posix_spawn_file_actions_addopen(&files, 0, job.input.c_str(), O_RDONLY, 0);
  if (!job.shows_output) {
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&files, result, result_descriptor);
  posix_spawn_file_actions_addclosefrom_np(&files, result_descriptor + 1);
  sigset_t restored;
  sigemptyset(&restored);
  sigaddset(&restored, SIGINT);
  sigaddset(&restored, SIGTERM);
  sigaddset(&restored, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &restored);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> arguments{job.program};
  arguments.insert(arguments.end(), job.arguments.begin(), job.arguments.end());
  std::vector<std::string> environment = environment_of(job);
  const FixedAddresses fixed;
  why_addresses_vary = fixed.why_not();
  const int failure = posix_spawn(&process, job.program.c_str(), &files, &attributes, pointers_to(arguments).data(),
                                  pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failure;
}

/// A running program; killed with all it started when this goes.
class Child {
 public:
  Child(pid_t process, int result) : process_(process), result_(result) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL);
    if (!is_over_) waitpid(process_, nullptr, 0);
    close(result_);
  }

  /// True: there was nothing more to read.
  bool read_some(std::string& text) const {
    std::array<char, 1 << 16> buffer;
    const ssize_t count = read(result_, buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
  }

  void wait_a_moment() const {
    pollfd one{result_, POLLIN, 0};
    poll(&one, 1, 100);
  }

  [[nodiscard]] bool has_news() const {
    pollfd one{result_, POLLIN, 0};
    return poll(&one, 1, 0) > 0;
  }

  int status() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    is_over_ = true;
    return status;
  }

 private:
  pid_t process_;
  int result_;
  bool is_over_ = false;
};

std::string death_of(int status) {
  if (WIFSIGNALED(status)) return std::string("ended by signal ") + strsignal(WTERMSIG(status));
  return "ended with status " + std::to_string(WEXITSTATUS(status)) + " before the driver had answered";
}

}  // namespace

std::vector<std::string> environment_of(const LaunchJob& job) {
  std::vector<std::string> out;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one;
    if (!text.starts_with("HEDDLE_") && !text.starts_with("LD_BIND_NOW=")) out.emplace_back(text);
  }
  out.emplace_back("LD_BIND_NOW=1");
  if (!job.driver.empty()) out.push_back("HEDDLE_DRIVER=" + job.driver);
  out.push_back("HEDDLE_ACCESSES=" + job.accesses);
  out.push_back("HEDDLE_RESULT=" + std::to_string(result_descriptor));
  if (!job.task.empty()) out.push_back("HEDDLE_TASK=" + job.task);
  for (const auto& [name, value] : job.settings) out.push_back("HEDDLE_" + name + "=" + value);
  for (const auto& [name, value] : job.variables) out.push_back(name + "=" + value);
  return out;
}

Result<DriverAnswer> launch(const LaunchJob& job, const Stop& stop) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return error("no pipe: " + failure_words(errno));
  pid_t process = 0;
  std::string why_addresses_vary;
  const int failure = start(job, pipe_ends[1], process, why_addresses_vary);
  close(pipe_ends[1]);
  if (failure != 0) {
    close(pipe_ends[0]);
    return error(job.program + ": cannot be started: " + failure_words(failure));
  }
  Child child(process, pipe_ends[0]);
  std::string text;
  while (true) {
    if (child.has_news()) {
      if (child.read_some(text)) break;
      continue;
    }
    if (stop.is_asked()) return error("the program was stopped: " + stop.why());
    child.wait_a_moment();
  }
  const int status = child.status();
  if (text.empty()) return error(job.program + " " + death_of(status));
  Result<DriverAnswer> answer = parse_answer(text);
  if (answer) answer->why_addresses_vary = why_addresses_vary;
  return answer;
}

Result<std::string> driver_file() {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  for (const char* place : {"libheddle_driver.so", "../lib/heddle/libheddle_driver.so"}) {
    const fs::path candidate = (program.parent_path() / place).lexically_normal();
    if (!program.empty() && fs::exists(candidate, failure)) return candidate.string();
  }
  return error("libheddle_driver.so is neither beside " + program.string() +
               " nor in ../lib/heddle; install it from heddle's build folder (ninja heddle_driver)");
}

}  // namespace heddle::explore
