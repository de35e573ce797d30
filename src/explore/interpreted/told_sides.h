// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OtherSides of an interpreted program: ProgramSides along the ways that its threads took in the latest execution.
#pragma once
#include "explore/executor/side_marks.h"
#include "explore/sides/program_sides.h"
#include "interpret/code/operation.h"

namespace heddle::explore {

class ToldSides final : public OtherSides {
 public:
  /// `obstacle`: why nothing may rest on it, as far as the program alone does not tell.
  ToldSides(const Program& program, const api::ApiModels& models, CodeEffects::AddressOf address_of, bool at_accesses,
            std::string obstacle);

  void add_step(ThreadIndex thread, std::span<const interpret::Passage> passages);
  void rewind(std::size_t length);

  [[nodiscard]] const std::string& obstacle() const override { return obstacle_; }
  [[nodiscard]] std::optional<std::vector<std::vector<SideMark>>> marks() override;
  [[nodiscard]] const Origin& origin_of(AccessKey key) override { return sides_.origin_of(key); }
  [[nodiscard]] const std::vector<Region>& regions_of(AccessKey key) override { return sides_.regions_of(key); }
  [[nodiscard]] bool is_answer(AccessKey key) override { return sides_.is_answer(key); }

 private:
  struct Step {
    ThreadIndex thread = 0;
    std::size_t end = 0;  ///< in passages_
  };
  void follow(const interpret::Passage& passage, SideMarks& marks);
  void jump(const interpret::Passage& passage, const FramePlace& frame, SideMarks& marks);

  const Program& program_;
  ProgramSides sides_;
  UnknownSides unknown_;
  std::string obstacle_;
  std::vector<Step> steps_;
  std::vector<interpret::Passage> passages_;
};

}  // namespace heddle::explore
