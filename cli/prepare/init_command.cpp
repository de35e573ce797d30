// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/prepare/init_command.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "build/project_scan.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

enum class Written { Yes, Exists, No };

/// O_EXCL: never overwrites, not even in a race.
Written write_new(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return errno == EEXIST ? Written::Exists : Written::No;
  const bool complete = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool closed = close(file) == 0;
  if (complete && closed) return Written::Yes;
  unlink(path.c_str());
  errno = ENOSPC;
  return Written::No;
}

void print_next(const build::ProjectScan& scan) {
  std::cout << "next, type:\n";
  if (scan.database.empty())
    for (const std::string& command : scan.before) std::cout << "  " << command << '\n';
  if (scan.database.empty() && scan.kind.empty())
    std::cout << "  heddle capture -- YOUR BUILD COMMAND\n";
  else if (scan.database.empty())
    std::cout << "  heddle capture --trust      (runs the build that heddle.toml names)\n";
  else
    std::cout << "  heddle capture\n";
}

}  // namespace

InitCommand::InitCommand(CLI::App& app)
    : Command(app, "init", "Look at a project, write its heddle.toml and say what to type next") {
  subcommand().add_option("DIR", folder_, "the project's folder (default: this one)");
}

ExitCode InitCommand::run(const std::vector<std::string>&) {
  std::error_code failure;
  if (!fs::is_directory(folder_, failure)) {
    print_error("'" + folder_ + "' is no folder; name the top folder of a project");
    return ExitCode::BadInput;
  }
  const build::ProjectScan scan = build::scan_project(folder_);
  if (scan.kind.empty() && scan.database.empty())
    std::cout << "no build system was recognised here\n";
  else if (!scan.database.empty())
    std::cout << "found " << scan.database
              << (scan.kind.empty() ? "" : " and " + scan.evidence + " (" + scan.kind + ")") << '\n';
  else
    std::cout << "found " << scan.evidence << " (" << scan.kind << ")\n";
  for (const std::string& other : scan.others) std::cout << "also here: " << other << '\n';
  const std::string path = (fs::path(folder_) / "heddle.toml").string();
  const std::string text = build::project_file_text(scan);
  switch (write_new(path, text)) {
    case Written::Yes: std::cout << "wrote " << path << '\n'; break;
    case Written::Exists:
      std::cout << path << " is there already and stays as it is; it could say:\n\n" << text << '\n';
      break;
    case Written::No:
      print_error("'" + path + "' cannot be written: " + std::strerror(errno) +
                  "; check the permissions of the folder");
      return ExitCode::BadInput;
  }
  print_next(scan);
  return ExitCode::Fine;
}

}  // namespace heddle::cli
