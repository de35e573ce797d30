// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a running program can say of its state. Inside of it only numbers are known: a stack is a list of return
// addresses, a variable an address. They are written as `@7f00deadbeef`, and whoever reads the result outside finds
// their names in the debug information.
#pragma once
#include <string>
#include <vector>

#include "explore/executor/words.h"
#include "explore/native/machine.h"
#include "program/names/access_table.h"

namespace heddle::explore {

class NativeWords final : public Words {
 public:
  NativeWords(Machine& machine, const AccessTable& table) : machine_(machine), table_(table) {}

  [[nodiscard]] ReportAccess describe(ThreadIndex thread, const Bytes& bytes) override;
  [[nodiscard]] ReportAccess describe_made(const Deed& deed) override;
  [[nodiscard]] std::string name_of(std::uint64_t address) const override;
  [[nodiscard]] std::string value_at(const Bytes& bytes) const override;
  [[nodiscard]] std::string thread_name(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<ReportFrame> stack(ThreadIndex thread) const override;
  [[nodiscard]] Ending ending() const override;
  [[nodiscard]] std::vector<Ending> avoided() const override { return avoided_; }
  [[nodiscard]] std::vector<Ending> misuses() const override;

  void add_avoided(ThreadIndex thread, EndingKind kind, const char* text);
  void keep_avoided(std::size_t count) { avoided_.resize(std::min(count, avoided_.size())); }

 private:
  [[nodiscard]] ReportAccess access_at(ThreadIndex thread, AccessKey key) const;

  Machine& machine_;
  const AccessTable& table_;
  std::vector<Ending> avoided_;
};

}  // namespace heddle::explore
