// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shares, and what is reported of them, as bytes: for workers in other processes and for a search that goes on another
// day. What is read is checked as far as reading needs: nothing in it can lead outside of the share.
#pragma once
#include "base/byte_stream.h"
#include "explore/search/share.h"

namespace heddle::explore {

void write(ByteWriter& out, const Share& share);
void write(ByteWriter& out, const ShareReport& report);
/// The reader has failed if it was damaged.
[[nodiscard]] Share read_share(ByteReader& in);
[[nodiscard]] ShareReport read_share_report(ByteReader& in);

}  // namespace heddle::explore
