// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a build linked: which objects became which program. A project may hold several programs (redis-server,
// redis-cli), and the units of one are those of its link step, with the libraries it names.
//
//   gcc -o prog main.o libutil.a -Lsub -lmore    →   Program /p/prog: /p/main.o, /p/libutil.a, /p/sub/libmore.a
//   ar rcs libutil.a list.o map.o                →   Archive /p/libutil.a: /p/list.o, /p/map.o
//
// `-l` counts if an earlier step made the library: others belong to the system, and to the models. Kept in
// .heddle/links.json.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "build/compile_command.h"
#include "build/driver_call.h"

namespace heddle::build {

struct LinkStep {
  enum class Kind { Program, Library /* shared, or an object of objects */, Archive };
  Kind kind = Kind::Program;
  std::string output;               ///< absolute, like the inputs
  std::vector<std::string> inputs;  ///< in the order of the command: objects, and outputs of other steps
  // Of a Program, for who links it again:
  std::string directory = {};               ///< where it was linked
  std::vector<std::string> arguments = {};  ///< as they were typed, with the driver in front
};

/// The object a command makes, as link steps name it. One that compiles and links at once makes `PROGRAM(SOURCE)`.
std::string object_of(const CompileCommand& command);

/// A path of an argument, as steps name it.
std::string path_from(const std::string& directory, std::string_view path);

/// Adds what a call of a compiler driver, `ld` or `ar` links. Calls that link nothing, and checks of configure scripts,
/// change nothing.
void add_link_step(std::vector<LinkStep>& steps, const std::string& directory,
                   const std::vector<std::string>& arguments);
bool is_archiver(const std::string& path);

/// Steps of `earlier` whose output no step makes any more.
void keep_earlier(std::vector<LinkStep>& steps, std::vector<LinkStep> earlier);

/// An object of a program. Members of archives are `lazy`: a linker takes them when something needs them.
struct LinkedObject {
  std::string path;
  bool is_lazy = false;
};
/// All objects of a step, through the libraries it names; each once, in the order of the command.
std::vector<LinkedObject> objects_of(const LinkStep& step, const std::vector<LinkStep>& steps);

Result<void> write_link_steps(const std::string& folder, const std::vector<LinkStep>& steps);
/// A folder without any has none; a damaged file is an error.
Result<std::vector<LinkStep>> read_link_steps(const std::string& folder);

}  // namespace heddle::build
