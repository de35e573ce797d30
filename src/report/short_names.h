// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of functions, threads and places as a person says them:
//
//   std::map<std::string, int, std::less<…>, …>::operator[]      std::map<…>::operator[]
//   main::$_0::operator()                                        main::lambda
//   an access in /usr/include/c++/12/bits/stl_vector.h           the line of the user's code that called there
#pragma once
#include <string>
#include <string_view>

#include "report/race_report.h"

namespace heddle::report {

/// A file of the compiler, the C library or the C++ library, by its path.
bool is_library_file(std::string_view path);

/// Long template arguments are folded, a lambda's class is called so.
std::string short_name(std::string_view function);

/// `this->jobs` as a member, `jobs`: what follows the last `.` or `->`, without an index.
std::string_view member_of(std::string_view path);

/// The first frame of the stack that is not in a library: where the user finds the access. The access itself if there
/// is none, or no stack.
ReportFrame user_frame(const ReportAccess& access);

/// `worker`, `lambda at pool.cpp:31`.
std::string thread_name(const ReportThread& thread);

}  // namespace heddle::report
