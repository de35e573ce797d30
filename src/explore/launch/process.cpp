// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/machine/failure_words.h"

namespace heddle::explore {
namespace {

constexpr int driver_descriptor = 198;  // of the program: far from those it opens itself

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
int spawn(const LaunchJob& job, int socket, pid_t& process) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  if (const int failure = posix_spawn_file_actions_init(&files); failure != 0) return failure;
  if (const int failure = posix_spawnattr_init(&attributes); failure != 0) return failure;
  posix_spawn_file_actions_addopen(&files, 0, job.input.c_str(), O_RDONLY, 0);
  if (!job.shows_output) {
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&files, socket, driver_descriptor);
  posix_spawn_file_actions_addclosefrom_np(&files, driver_descriptor + 1);
  sigset_t restored;
  sigemptyset(&restored);
  sigaddset(&restored, SIGINT);
  sigaddset(&restored, SIGTERM);
  sigaddset(&restored, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &restored);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> arguments{job.called.empty() ? job.program : job.called};
  arguments.insert(arguments.end(), job.arguments.begin(), job.arguments.end());
  std::vector<std::string> environment = environment_of(job);
  const FixedAddresses fixed;
  const int failure = posix_spawn(&process, job.program.c_str(), &files, &attributes, pointers_to(arguments).data(),
                                  pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failure;
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
  out.push_back("HEDDLE_RESULT=" + std::to_string(driver_descriptor));
  if (!job.task.empty()) out.push_back("HEDDLE_TASK=" + job.task);
  for (const auto& [name, value] : job.settings) out.push_back("HEDDLE_" + name + "=" + value);
  for (const auto& [name, value] : job.variables) out.push_back(name + "=" + value);
  return out;
}

std::string why_addresses_vary() { return FixedAddresses().why_not(); }

Result<ProgramProcess> ProgramProcess::start(const LaunchJob& job) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return error("no socket: " + failure_words(errno));
  pid_t process = 0;
  const int failure = spawn(job, ends[1], process);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    return error(job.program + ": cannot be started: " + failure_words(failure));
  }
  return ProgramProcess(process, ends[0]);
}

ProgramProcess::ProgramProcess(ProgramProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)), socket_(std::exchange(other.socket_, -1)) {}

ProgramProcess& ProgramProcess::operator=(ProgramProcess&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(socket_, other.socket_);
  return *this;
}

ProgramProcess::~ProgramProcess() {
  if (socket_ >= 0) close(socket_);
  if (process_ < 0) return;
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

bool ProgramProcess::read_some(std::string& text) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

bool ProgramProcess::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

std::string ProgramProcess::death() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-process_, SIGKILL);
  process_ = -1;
  if (WIFSIGNALED(status)) return std::string("ended by signal ") + strsignal(WTERMSIG(status));
  return "ended with status " + std::to_string(WEXITSTATUS(status)) + " before the driver had answered";
}

}  // namespace heddle::explore
