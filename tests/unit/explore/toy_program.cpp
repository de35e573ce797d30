// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/toy_program.h"

#include <map>
#include <sstream>

namespace heddle::explore::toy {
namespace {

Operation parse_word(const std::string& word) {
  static const std::map<char, Kind> kinds{
      {'r', Kind::Read},         {'w', Kind::Write},   {'x', Kind::Update}, {'y', Kind::RelaxedRead},
      {'v', Kind::RelaxedWrite}, {'R', Kind::OddRead}, {'a', Kind::Await},  {'q', Kind::Poll},
      {'e', Kind::Assert},       {'L', Kind::Load},    {'S', Kind::Store},  {'l', Kind::Lock},
      {'u', Kind::Unlock},       {'t', Kind::TryLock}, {'p', Kind::Post},   {'s', Kind::Take},
      {'c', Kind::Toss},         {'n', Kind::Input},   {'f', Kind::Spawn},  {'j', Kind::Join},
      {'E', Kind::Exit},         {'b', Kind::Back}};
  Operation operation;
  operation.kind = kinds.at(word[0]);
  const std::size_t equals = word.find('=');
  if (word.size() > 1 && word[1] != '=') operation.object = std::stoull(word.substr(1, equals));
  if (equals != std::string::npos) operation.value = static_cast<std::uint32_t>(std::stoul(word.substr(equals + 1)));
  return operation;
}

}  // namespace

Threads parse(const std::vector<std::string>& threads) {
  Threads result;
  for (const std::string& text : threads) {
    std::istringstream in(text);
    std::vector<Operation> operations;
    for (std::string word; in >> word;) operations.push_back(parse_word(word));
    result.push_back(std::move(operations));
  }
  return result;
}

}  // namespace heddle::explore::toy
