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

#include "base/machine/failure_words.h"
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
  posix_spawnattr_t attributes;
  if (const int failure = posix_spawnattr_init(&attributes); failure != 0) return failure;
  sigset_t usual;
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);  // killed with its children
  const int failure = posix_spawnp(&pid, arguments.front().c_str(), &actions, &attributes, pointers_to(words).data(),
                                   pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

/// What a program writes, until it ends.
class Collector {
 public:
  Collector(pid_t pid, const Pipe& output, const Pipe& errors, const std::function<bool()>& stopped)
      : pid_(pid), stopped_(stopped) {
    files_ = {pollfd{output.read_end(), POLLIN, 0}, pollfd{errors.read_end(), POLLIN, 0}};
    for (const pollfd& file : files_) fcntl(file.fd, F_SETFL, O_NONBLOCK);
  }

  Result<ProcessResult> run() {
    ProcessResult result;
    const auto last = std::chrono::steady_clock::now() + longest;
    while (is_open()) {
      if (poll(files_.data(), files_.size(), moment) < 0 && errno != EINTR) return give_up(errno);
      // First whether it is over, then what it wrote: nothing is missed.
      const bool is_over = has_ended();
      if (!take(files_[0], result.output) || !take(files_[1], result.errors)) return give_up(failure_);
      if (is_over) break;  // whoever else holds the pipe was left behind
      if (std::chrono::steady_clock::now() > last || (stopped_ && stopped_())) kill_all();
    }
    if (!has_ended_) wait(0);
    result.status = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
    return result;
  }

 private:
  static constexpr int moment = 50;  // milliseconds

  [[nodiscard]] bool is_open() const { return files_[0].fd >= 0 || files_[1].fd >= 0; }

  /// Everything that is there. False: it cannot be read.
  bool take(pollfd& file, std::string& into) {
    std::array<char, 16384> bytes{};
    while (file.fd >= 0) {
      const ssize_t got = read(file.fd, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return true;
      if (got < 0) return failure_ = errno, false;
      if (got == 0) file.fd = -1;
      if (into.size() < most_output) into.append(bytes.data(), static_cast<std::size_t>(got));
    }
    return true;
  }

  bool has_ended() {
    if (!has_ended_) wait(WNOHANG);
    return has_ended_;
  }

  void wait(int how) {
    pid_t ended = 0;
    while ((ended = waitpid(pid_, &status_, how)) < 0 && errno == EINTR) {
    }
    has_ended_ = ended == pid_;
  }

  void kill_all() const { kill(-pid_, SIGKILL); }

  std::unexpected<Error> give_up(int failure) {
    kill_all();
    if (!has_ended_) wait(0);
    return error("what it says cannot be read: " + failure_words(failure));
  }

  pid_t pid_;
  const std::function<bool()>& stopped_;
  std::array<pollfd, 2> files_{};
  int status_ = 0, failure_ = 0;
  bool has_ended_ = false;
};

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& text : strings) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const std::string& directory,
                                  const std::function<bool()>& stopped) {
  Pipe output;
  Pipe errors;
  if (output.read_end() < 0 || errors.read_end() < 0) return error("cannot be asked: " + failure_words(EMFILE));
  pid_t pid = 0;
  if (const int failure = spawn(pid, arguments, directory, output, errors); failure != 0)
    return error("cannot be started: " + failure_words(failure));
  output.close_write();
  errors.close_write();
  return Collector(pid, output, errors, stopped).run();
}

}  // namespace heddle::build
