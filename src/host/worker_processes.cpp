// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/worker_processes.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/machine/failure_words.h"

namespace heddle::host {
namespace {

using Clock = std::chrono::steady_clock;

bool write_all(int to, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = send(to, at, size, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int from, void* bytes, std::size_t size) {
  char* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = recv(from, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool send_text(int to, const std::string& text) {
  const std::uint64_t size = text.size();
  return write_all(to, &size, sizeof size) && write_all(to, text.data(), text.size());
}

std::optional<std::string> receive_text(int from) {
  std::uint64_t size = 0;
  if (!read_all(from, &size, sizeof size) || size > (1ULL << 32)) return std::nullopt;
  std::string text(size, '\0');
  if (!read_all(from, text.data(), text.size())) return std::nullopt;
  return text;
}

/// What a job returned, or what it threw: 'r' or 't' and the text. An exception must not leave the process's own life:
/// it would unwind this copy of the caller, which would end the other processes.
std::string outcome_of(const std::function<std::string(std::size_t)>& work, std::size_t job) {
  try {
    return 'r' + work(job);
  } catch (const std::bad_alloc&) {
    return "tran out of memory";
  } catch (const std::system_error& refused) {
    return std::string("twas refused something by the system: ") + refused.what();
  } catch (const std::exception& thrown) {
    return std::string("tmet a bug of heddle's: ") + thrown.what();
  } catch (...) {
    return "tmet a bug of heddle's";
  }
}

/// The life of a process: jobs until the other end is closed.
void serve(int socket, const std::function<void()>& prepare, const std::function<std::string(std::size_t)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read the answers
  signal(SIGINT, SIG_IGN);           // the terminal tells the whole group; it is the caller who decides
  signal(SIGTERM, SIG_DFL);
  if (prepare) prepare();
  std::uint64_t job = 0;
  while (read_all(socket, &job, sizeof job))
    if (!send_text(socket, outcome_of(work, job))) break;
}

class Process {
 public:
  Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process(Process&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        socket_(std::exchange(other.socket_, -1)),
        job_(other.job_),
        began_(other.began_) {}
  Process& operator=(Process&&) = delete;
  ~Process() { kill_and_wait(); }

  bool start(const std::vector<Process>& others, const std::function<void()>& prepare,
             const std::function<std::string(std::size_t)>& work) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      for (const Process& other : others)
        if (other.socket_ >= 0) close(other.socket_);  // or they would not notice that we are gone
      serve(ends[1], prepare, work);
      // This copy of the caller must not run its destructors, nor flush its output again.
      signal(SIGPIPE, SIG_DFL);
      raise(SIGPIPE);
      raise(SIGKILL);
    }
    const int refused = errno;
    close(ends[1]);
    socket_ = ends[0];
    if (pid_ > 0) return true;
    close(std::exchange(socket_, -1));
    errno = refused;
    return false;
  }

  bool give(std::size_t job) {
    const std::uint64_t number = job;
    if (!write_all(socket_, &number, sizeof number)) return false;
    job_ = job;
    began_ = Clock::now();
    return true;
  }

  /// How it ended, in words.
  std::string kill_and_wait() {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
    if (pid_ <= 0) return {};
    int status = 0;
    kill(pid_, SIGKILL);
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
    return describe(status);
  }

  /// The answer to its job, or none: it died.
  JobAnswer answer() {
    auto text = receive_text(socket_);
    if (text && !text->empty()) {
      job_.reset();
      const bool was_thrown = text->front() == 't';
      text->erase(0, 1);
      return was_thrown ? JobAnswer{{}, std::move(*text)} : JobAnswer{std::move(*text), {}};
    }
    // A process that crashed is a moment away from its end; killing it now would hide the reason.
    for (int i = 0; i < 200; ++i) {
      int status = 0;
      if (const pid_t gone = waitpid(pid_, &status, WNOHANG); gone == pid_) {
        pid_ = -1;
        kill_and_wait();
        return {{}, describe(status)};
      }
      usleep(5'000);
    }
    return {{}, kill_and_wait()};
  }

  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] bool is_alive() const { return pid_ > 0; }
  [[nodiscard]] std::optional<std::size_t> job() const { return job_; }
  void forget_job() { job_.reset(); }
  [[nodiscard]] bool is_late(std::chrono::seconds limit) const {
    return job_ && limit.count() > 0 && Clock::now() - began_ > limit;
  }

 private:
  static std::string describe(int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) return "could not tell what came of it";
    if (WIFSIGNALED(status))
      return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
    return "ended with exit status " + std::to_string(WEXITSTATUS(status));
  }

  pid_t pid_ = -1;
  int socket_ = -1;
  std::optional<std::size_t> job_;
  Clock::time_point began_;
};

class Pool {
 public:
  Pool(std::size_t jobs, const ProcessOptions& options, const std::function<std::string(std::size_t)>& work,
       const std::function<void(std::size_t, JobAnswer)>& done)
      : jobs_(jobs), options_(options), work_(work), done_(done) {}

  Result<bool> run() {
    processes_.reserve(options_.processes);
    for (unsigned i = 0; i < std::max(1U, options_.processes); ++i) processes_.emplace_back();
    while (answered_ < jobs_) {
      if (is_stopped()) return false;
      if (!hand_out()) return error("no process can be started: " + failure_words(refused_));
      wait();
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_stopped() const { return options_.stopped && options_.stopped(); }

  bool hand_out() {
    bool any = false;
    for (Process& process : processes_) {
      if (!process.job() && next_ < jobs_) {
        if (!process.is_alive() && !process.start(processes_, options_.prepare, work_)) {
          refused_ = errno;
          continue;
        }
        if (process.give(next_)) ++next_;
      }
      any = any || process.job().has_value();
    }
    return any;
  }

  void wait() {
    std::vector<pollfd> waiting;
    std::vector<Process*> whose;
    for (Process& process : processes_)
      if (process.job()) {
        waiting.push_back({process.socket(), POLLIN, 0});
        whose.push_back(&process);
      }
    poll(waiting.data(), waiting.size(), 200);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const std::size_t job = *whose[i]->job();
      if (waiting[i].revents != 0) {
        finish(*whose[i], job, whose[i]->answer());
      } else if (whose[i]->is_late(options_.job_limit)) {
        whose[i]->kill_and_wait();
        finish(*whose[i], job, {{}, "took longer than " + std::to_string(options_.job_limit.count()) + " s"});
      }
    }
  }

  void finish(Process& process, std::size_t job, JobAnswer answer) {
    process.forget_job();
    ++answered_;
    done_(job, std::move(answer));
  }

  std::size_t jobs_;
  const ProcessOptions& options_;
  const std::function<std::string(std::size_t)>& work_;
  const std::function<void(std::size_t, JobAnswer)>& done_;
  std::vector<Process> processes_;
  std::size_t next_ = 0, answered_ = 0;
  int refused_ = 0;  ///< errno of a process that was not started
};

}  // namespace

Result<bool> run_in_processes(std::size_t jobs, const ProcessOptions& options,
                              const std::function<std::string(std::size_t)>& work,
                              const std::function<void(std::size_t, JobAnswer)>& done) {
  return Pool(jobs, options, work, done).run();
}

}  // namespace heddle::host
