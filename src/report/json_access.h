// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields that accesses have in every JSON report.
#pragma once
#include "report/json_stream.h"
#include "report/race_report.h"

namespace heddle::report {

template <class Place>
void write_place_fields(JsonStream& json, const Place& at) {
  json.field("file", at.file);
  json.field("line", at.line);
  json.field("column", at.column);
}

/// Where it is and what it does.
inline void write_access_fields(JsonStream& json, const ReportAccess& access) {
  write_place_fields(json, access);
  json.field("kind", access.kind);
  json.field("atomic", access.is_atomic);
}

/// Who makes it, and under which locks.
inline void write_thread_fields(JsonStream& json, const ReportAccess& access) {
  json.field("function", access.function);
  json.field("thread", access.thread);
  json.field("locks", access.locks);
}

}  // namespace heddle::report
