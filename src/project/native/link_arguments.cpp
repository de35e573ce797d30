// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/link_arguments.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace heddle::project {
namespace {

using Texts = std::vector<std::string>;

bool is_one_of(std::string_view text, std::span<const std::string_view> list) {
  return std::ranges::find(list, text) != list.end();
}
bool begins_with_one_of(std::string_view text, std::span<const std::string_view> list) {
  return std::ranges::any_of(list, [&](std::string_view begin) { return text.starts_with(begin); });
}

/// Options of a driver that stay.
bool is_kept(std::string_view option) {
  static constexpr std::array<std::string_view, 16> exact = {
      "-pthread",       "-pthreads",         "-rdynamic",       "-pie",        "-no-pie", "-nopie",
      "-nostdlib",      "-nodefaultlibs",    "-nostartfiles",   "-nostdlib++", "-nolibc", "-shared-libgcc",
      "-static-libgcc", "-static-libstdc++", "-static-libasan", "-m64"};
  static constexpr std::array<std::string_view, 8> prefixes = {
      "-march=", "-mcpu=", "-mabi=", "-mtune=", "-stdlib=", "--sysroot=", "-fopenmp", "-rtlib="};
  if (option.starts_with("-fuse-ld=")) return option.find('/') == std::string_view::npos;
  return is_one_of(option, exact) || begins_with_one_of(option, prefixes);
}

/// Words of the linker that stay out.
bool is_refused_word(std::string_view word) {
  static constexpr std::array<std::string_view, 14> refused = {
      "-s",          "-S",      "-x",           "-X",          "-M", "--strip-all",   "--strip-debug",
      "--print-map", "-static", "-Bstatic-pie", "--gdb-index", "-r", "--relocatable", "--discard-all"};
  static constexpr std::array<std::string_view, 11> prefixes = {
      "-Map",     "--Map",     "-plugin", "--plugin",     "--out-implib", "--dependency-file",
      "-thinlto", "--thinlto", "--lto",   "--time-trace", "--reproduce"};
  return is_one_of(word, refused) || begins_with_one_of(word, prefixes);
}

bool takes_next_word(std::string_view word) {
  return word == "-Map" || word == "--Map" || word == "-plugin" || word == "--plugin" || word == "-plugin-opt" ||
         word == "--dependency-file";
}

/// Worth a note: the program is linked in another way than its own build did it.
bool is_noted(std::string_view option) {
  return option == "-static" || option == "-static-pie" || option.starts_with("-fsanitize") ||
         option.starts_with("-specs") || option.starts_with("--specs") || option.starts_with("-B") ||
         option.starts_with("-fuse-ld=") || option.starts_with("-fplugin") || option.starts_with("--ld-path");
}

class Reader {
 public:
  Reader(const Texts& arguments, const LinkParts& parts) : arguments_(arguments), parts_(parts) {
    for (const build::DriverInput& input : build::read_driver_call(arguments).inputs)
      inputs_[input.index] = input.language;
  }

  LinkArguments read() {
    for (at_ = 1; at_ < arguments_.size(); ++at_) {
      const std::string& argument = arguments_[at_];
      if (const auto input = inputs_.find(at_); input != inputs_.end())
        keep(parts_.input(argument, input->second));
      else if (argument.starts_with("-l"))
        library(value_of("-l"));
      else if (argument.starts_with("-L"))
        folder(value_of("-L"));
      else if (argument.starts_with("-Wl,"))
        words(argument.substr(4));
      else if (argument == "-Xlinker")
        words(next());
      else if (argument.starts_with("-u") || argument.starts_with("-z") || argument.starts_with("-T"))
        pair(argument);
      else
        option(argument);
    }
    return std::move(out_);
  }

 private:
  void keep(const Texts& more) { out_.kept.insert(out_.kept.end(), more.begin(), more.end()); }
  std::string next() { return at_ + 1 < arguments_.size() ? arguments_[++at_] : std::string(); }
  std::string value_of(std::string_view option) {
    const std::string& argument = arguments_[at_];
    return argument.size() > option.size() ? argument.substr(option.size()) : next();
  }

  void pair(const std::string& argument) {
    out_.kept.push_back(argument);
    if (argument.size() == 2) out_.kept.push_back(next());
  }

  void folder(const std::string& path) {
    folders_.push_back(path);
    out_.kept.push_back("-L" + path);
  }

  void library(const std::string& name) {
    const Texts instead = parts_.library(name, folders_);
    keep(instead.empty() ? Texts{"-l" + name} : instead);
  }

  void option(const std::string& argument) {
    if (is_kept(argument))
      out_.kept.push_back(argument);
    else if (is_noted(argument))
      out_.dropped.push_back(argument);
    if (build::takes_next_argument(argument)) ++at_;
  }

  /// `-Wl,--start-group,libx.a,-lm,--end-group`, each as a word of its own: an input among them may be replaced.
  void words(std::string_view list) {
    while (!list.empty()) {
      const std::size_t end = std::min(list.find(','), list.size());
      const std::string one(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
      word(one);
    }
  }

  void word(const std::string& one) {
    const bool was_refused = skips_next_;
    skips_next_ = false;
    if (was_refused) return;
    if (is_refused_word(one)) {
      skips_next_ = takes_next_word(one);
      if (one == "-static") out_.dropped.push_back("-Wl," + one);
    } else if (one.starts_with("-l") && one.size() > 2) {
      library(one.substr(2));
    } else if (!one.starts_with('-') && (one.ends_with(".a") || one.ends_with(".o"))) {
      keep(parts_.input(one, build::Language::Linked));
    } else {
      out_.kept.insert(out_.kept.end(), {"-Xlinker", one});
    }
  }

  const Texts& arguments_;
  const LinkParts& parts_;
  std::map<std::size_t, build::Language> inputs_;
  Texts folders_;
  LinkArguments out_;
  std::size_t at_ = 0;
  bool skips_next_ = false;
};

}  // namespace

LinkArguments link_arguments(const std::vector<std::string>& arguments, const LinkParts& parts) {
  return Reader(arguments, parts).read();
}

LinkArguments link_arguments_of_flags(const std::vector<std::string>& flags) {
  Texts arguments = {"cc"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const auto as_it_is = [](const std::string& argument, build::Language language) {
    return language == build::Language::Linked ? Texts{argument} : Texts{};
  };
  return link_arguments(arguments, {as_it_is, [](const std::string&, const Texts&) { return Texts{}; }});
}

}  // namespace heddle::project
