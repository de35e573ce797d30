// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/debug.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "base/machine/failure_words.h"

namespace heddle::explore {
namespace {

/// For the shell that gdb starts programs with.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& one : strings) out.push_back(one.data());
  out.push_back(nullptr);
  return out;
}

/// Ctrl-C is the debugger's while it runs.
class LeftInterrupts {
 public:
  LeftInterrupts() : before_(std::signal(SIGINT, SIG_IGN)) {}
  LeftInterrupts(const LeftInterrupts&) = delete;
  LeftInterrupts& operator=(const LeftInterrupts&) = delete;
  ~LeftInterrupts() { std::signal(SIGINT, before_); }

 private:
  void (*before_)(int);
};

}  // namespace

Result<void> debug(const std::string& gdb, const LaunchJob& job, const std::vector<std::string>& commands) {
  std::string arguments = "set args";
  for (const std::string& argument : job.arguments) arguments += " " + quoted(argument);
  std::vector<std::string> words = {gdb, "-q", job.program, "-ex", arguments + " < " + quoted(job.input)};
  for (const std::string& command : commands) words.insert(words.end(), {"-ex", command});
  std::vector<std::string> environment = environment_of(job);
  std::erase_if(environment,
                [](const std::string& one) { return one.starts_with("HEDDLE_RESULT=") || one.starts_with("SHELL="); });
  environment.emplace_back("SHELL=/bin/sh");
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t restored;
  sigemptyset(&restored);
  sigaddset(&restored, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &restored);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const LeftInterrupts left;
  pid_t process = 0;
  const int failure =
      posix_spawn(&process, gdb.c_str(), nullptr, &attributes, pointers(words).data(), pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) return error(gdb + ": cannot be started: " + failure_words(failure));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return {};
}

}  // namespace heddle::explore
