// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/link_steps.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/kept/kept_file.h"
#include "build/compile_database.h"
#include "build/intercept/compiler_name.h"
#include "host/json_reader.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;
constexpr std::array kinds = {"program", "library", "archive"};

std::string object_in_link(const std::string& program, const std::string& source) {
  return program + "(" + source + ")";
}

LinkStep* find_step(std::vector<LinkStep>& steps, const std::string& output) {
  const auto found = std::ranges::find(steps, output, &LinkStep::output);
  return found == steps.end() ? nullptr : &*found;
}

/// Reads the arguments of one link in order: `--whole-archive` and `-L` count for what follows.
class LinkReader {
 public:
  LinkReader(std::vector<LinkStep>& steps, const std::string& directory, const std::vector<std::string>& arguments,
             const DriverCall& call)
      : steps_(steps), directory_(directory), arguments_(arguments) {
    step_.output = path_from(directory, call.output.empty() ? "a.out" : call.output);
    for (const DriverInput& input : call.inputs) languages_[input.index] = input.language;
  }

  LinkStep read() {
    for (std::size_t i = 1; i < arguments_.size(); ++i) {
      const std::string& argument = arguments_[i];
      if (const auto input = languages_.find(i); input != languages_.end()) {
        const std::string path = path_from(directory_, argument);
        add(input->second == Language::Linked ? path : object_in_link(step_.output, path));
      } else if ((argument == "-L" || argument == "-l" || argument == "-Xlinker") && i + 1 < arguments_.size()) {
        ++i;
        argument == "-Xlinker" ? word(arguments_[i]) : word(argument + arguments_[i]);
      } else if (argument.starts_with("-Wl,")) {
        words(argument.substr(4));
      } else if (takes_next_argument(argument)) {
        ++i;
      } else {
        word(argument);
      }
    }
    return std::move(step_);
  }

 private:
  void words(std::string_view list) {
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(','), list.size());
      const std::string one(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
      if (!one.starts_with('-') && (one.ends_with(".a") || one.ends_with(".o")))
        add(path_from(directory_, one));
      else
        word(one);
    }
  }

  void word(const std::string& word) {
    if (word == "-shared" || word == "--shared" || word == "-r" || word == "-dynamiclib" || word == "--relocatable")
      step_.kind = LinkStep::Kind::Library;
    if (word == "--whole-archive") takes_all_ = true;
    if (word == "--no-whole-archive") takes_all_ = false;
    if (word.starts_with("-L") && word.size() > 2) folders_.push_back(path_from(directory_, word.substr(2)));
    if (word.starts_with("-l") && word.size() > 2) library(word.substr(2));
  }

  void library(const std::string& name) {
    for (const std::string& folder : folders_)
      for (const char* suffix : {".so", ".a"}) {
        const std::string path = path_from(folder, "lib" + name + suffix);
        if (find_step(steps_, path) != nullptr) return add(path);
      }
  }

  void add(const std::string& path) {
    const LinkStep* made = takes_all_ ? find_step(steps_, path) : nullptr;
    if (made == nullptr) return step_.inputs.push_back(path);
    step_.inputs.insert(step_.inputs.end(), made->inputs.begin(), made->inputs.end());
  }

  std::vector<LinkStep>& steps_;
  const std::string& directory_;
  const std::vector<std::string>& arguments_;
  std::map<std::size_t, Language> languages_;  // of the inputs
  std::vector<std::string> folders_;
  bool takes_all_ = false;
  LinkStep step_;
};

/// `ar rcs libx.a a.o b.o`: adds to what the archive has.
void add_archive(std::vector<LinkStep>& steps, const std::string& directory,
                 const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--plugin" || arguments[i] == "--target")
      ++i;
    else if (!arguments[i].starts_with("--"))
      words.push_back(arguments[i]);
  }
  if (words.size() < 3 || words[0].find_first_of("rq") == std::string::npos) return;
  const std::string output = path_from(directory, words[1]);
  LinkStep* step = find_step(steps, output);
  if (step == nullptr) step = &steps.emplace_back(LinkStep{LinkStep::Kind::Archive, output, {}});
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string path = path_from(directory, words[i]);
    if (std::ranges::find(step->inputs, path) == step->inputs.end()) step->inputs.push_back(path);
  }
}

class ObjectCollector {
 public:
  explicit ObjectCollector(const std::vector<LinkStep>& steps) {
    for (const LinkStep& step : steps) steps_[step.output] = &step;
  }

  std::vector<LinkedObject> run(const LinkStep& step) {
    add(step, false);
    return std::move(out_);
  }

 private:
  void add(const LinkStep& step, bool is_lazy) {
    if (!seen_.insert(step.output).second) return;
    for (const std::string& input : step.inputs) {
      const auto found = steps_.find(input);
      if (found != steps_.end())
        add(*found->second, is_lazy || found->second->kind == LinkStep::Kind::Archive);
      else if (seen_.insert(input).second)
        out_.push_back({input, is_lazy});
    }
  }

  std::map<std::string, const LinkStep*> steps_;
  std::set<std::string> seen_;
  std::vector<LinkedObject> out_;
};

bool read_texts(host::JsonReader& reader, std::vector<std::string>& texts) {
  return reader.read_array([&] { return reader.read_string(texts.emplace_back()); });
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (&text == texts.data() ? "" : ", ") + host::json_string(text);
  return out + "]";
}

bool read_step(host::JsonReader& reader, LinkStep& step) {
  std::string kind;
  const bool fine = reader.read_object([&](const std::string& key) {
    if (key == "kind") return reader.read_string(kind);
    if (key == "output") return reader.read_string(step.output);
    if (key == "directory") return reader.read_string(step.directory);
    if (key == "arguments") return read_texts(reader, step.arguments);
    return key == "inputs" ? read_texts(reader, step.inputs) : reader.skip_value();
  });
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kind == kinds.at(i)) step.kind = static_cast<LinkStep::Kind>(i);
  return fine;
}

kept::Place place_in(const std::string& folder) { return {folder, "links.json"}; }

}  // namespace

std::string path_from(const std::string& directory, std::string_view path) {
  return (fs::path(directory) / path).lexically_normal().string();
}

std::string object_of(const CompileCommand& command) {
  const DriverCall call = read_driver_call(command.arguments);
  const std::string source = source_path(command);
  if (call.step == Step::Link)
    return object_in_link(path_from(command.directory, call.output.empty() ? "a.out" : call.output), source);
  if (!command.output.empty()) return path_from(command.directory, command.output);
  return path_from(command.directory, fs::path(source).stem().string() + ".o");
}

bool is_archiver(const std::string& path) {
  const std::string_view name = file_name_of(path);
  return heddle_is_archiver_name(name.data(), name.size());
}

void add_link_step(std::vector<LinkStep>& steps, const std::string& directory,
                   const std::vector<std::string>& arguments) {
  if (is_archiver(arguments.front())) return add_archive(steps, directory, arguments);
  const DriverCall call = read_driver_call(arguments);
  if (call.step != Step::Link) return;
  const auto is_of_probe = [&](const DriverInput& input) {
    return is_probe(path_from(directory, arguments[input.index]));
  };
  if (is_probe(directory + "/") || std::ranges::any_of(call.inputs, is_of_probe)) return;
  LinkStep step = LinkReader(steps, directory, arguments, call).read();
  if (step.kind == LinkStep::Kind::Program) {
    step.directory = directory;
    step.arguments = arguments;
  }
  if (LinkStep* before = find_step(steps, step.output))
    *before = std::move(step);
  else
    steps.push_back(std::move(step));
}

void keep_earlier(std::vector<LinkStep>& steps, std::vector<LinkStep> earlier) {
  std::erase_if(earlier, [&](const LinkStep& step) { return find_step(steps, step.output) != nullptr; });
  std::ranges::move(earlier, std::back_inserter(steps));
}

std::vector<LinkedObject> objects_of(const LinkStep& step, const std::vector<LinkStep>& steps) {
  return ObjectCollector(steps).run(step);
}

Result<void> write_link_steps(const std::string& folder, const std::vector<LinkStep>& steps) {
  std::string text = "[";
  for (const LinkStep& step : steps) {
    text += std::string(&step == steps.data() ? "" : ",") + "\n{\"kind\": \"" +
            kinds.at(static_cast<std::size_t>(step.kind)) + "\", \"output\": " + host::json_string(step.output) +
            ", \"inputs\": " + list_of(step.inputs);
    if (!step.arguments.empty())
      text += ", \"directory\": " + host::json_string(step.directory) + ", \"arguments\": " + list_of(step.arguments);
    text += "}";
  }
  return kept::update_kept(place_in(folder), text + "]\n");
}

Result<std::vector<LinkStep>> read_link_steps(const std::string& folder) {
  std::vector<LinkStep> steps;
  const auto text = kept::read_kept(place_in(folder));
  if (!text && text.error().kind == kept::NotKept::Kind::Missing) return steps;
  if (!text) return error(kept::with_mend(text.error()));
  std::istringstream input(*text);
  host::JsonReader reader(input);
  if (!reader.read_array([&] { return read_step(reader, steps.emplace_back()); }) || !reader.read_end())
    return error(place_in(folder).path() + ":" + reader.message() + "; run 'heddle capture' again");
  return steps;
}

}  // namespace heddle::build
