// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <sstream>

#include "report/report_writer.h"
#include "report/sample_report.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

std::string json_of(const RaceReport& report) {
  std::ostringstream out;
  write_json(out, report);
  return out.str();
}

constexpr const char* sample_json = R"json({
  "version": 1,
  "verdict": "race",
  "coverage": {
    "tried": 2,
    "parsed": 2,
    "failed": [],
    "skipped": 0,
    "functions": 5,
    "functions_reached": 4,
    "instructions": 61,
    "threads": 2
  },
  "races": [
    {
      "id": "hits-1f2e",
      "variable": "stats.hits",
      "verdict": "likely",
      "reasons": [
        "main does not join worker before it reads"
      ],
      "accesses": [
        {
          "file": "server.c",
          "line": 14,
          "column": 3,
          "kind": "write",
          "atomic": false,
          "path": "s->hits",
          "function": "count",
          "thread": "worker (many instances, created at server.c:40:5)",
          "locks": [],
          "stack": [
            {
              "file": "server.c",
              "line": 14,
              "column": 3,
              "function": "count"
            },
            {
              "file": "server.c",
              "line": 22,
              "column": 5,
              "function": "worker"
            }
          ]
        },
        {
          "file": "main.c",
          "line": 44,
          "column": 20,
          "kind": "read",
          "atomic": true,
          "path": "stats.hits",
          "function": "main",
          "thread": "main",
          "locks": [
            "m",
            "stats.lock (shared)"
          ],
          "stack": []
        }
      ]
    }
  ],
  "obstacles": [
    {
      "where": "server.c:50:3",
      "what": "call of 'longjmp', which heddle does not treat"
    }
  ],
  "assumptions": [
    "thread creation succeeds",
    "locks succeed"
  ]
}
)json";

TEST(JsonWriter, WritesEveryFieldInItsPlace) { EXPECT_EQ(json_of(sample_report()), sample_json); }

TEST(JsonWriter, SaysWhatACapturedProjectRestsOn) {
  RaceReport report;
  report.coverage.is_project = true;
  report.coverage.program = "src/server";
  report.coverage.linked = 7;
  report.coverage.notes = {"left out: 2 × assembly files"};
  const std::string json = json_of(report);
  for (const char* line : {"\"project\": {", "\"program\": \"src/server\"", "\"linked\": 7", "2 × assembly files"})
    EXPECT_NE(json.find(line), std::string::npos) << line;
  EXPECT_EQ(json_of(RaceReport{}).find("\"project\""), std::string::npos);
}

TEST(JsonWriter, KeepsEmptyListsAsLists) {
  const std::string json = json_of(RaceReport{});
  EXPECT_NE(json.find("\"verdict\": \"unknown\""), std::string::npos);
  EXPECT_NE(json.find("\"races\": []"), std::string::npos);
  EXPECT_NE(json.find("\"obstacles\": []"), std::string::npos);
  EXPECT_NE(json.find("\"assumptions\": []"), std::string::npos);
  EXPECT_NE(json.find("\"failed\": []"), std::string::npos);
}

TEST(JsonWriter, NamesEveryVerdict) {
  RaceReport report = sample_report();
  const auto verdict_in_json = [&](RaceVerdict verdict, const char* name) {
    report.races.front().verdict = verdict;
    return json_of(report).find(std::string("\"verdict\": \"") + name + "\"") != std::string::npos;
  };
  EXPECT_TRUE(verdict_in_json(RaceVerdict::Confirmed, "confirmed"));
  EXPECT_TRUE(verdict_in_json(RaceVerdict::Witnessed, "witnessed"));
  EXPECT_TRUE(verdict_in_json(RaceVerdict::Unlikely, "unlikely"));
  EXPECT_TRUE(verdict_in_json(RaceVerdict::Refuted, "refuted"));
  report.verdict = Verdict::RaceFree;
  EXPECT_NE(json_of(report).find("\"verdict\": \"race-free\""), std::string::npos);
}

TEST(JsonWriter, ReplacesBytesThatAreNotUtf8) {
  RaceReport report;
  report.obstacles.push_back({.where = "caf\xe9.c:1:1", .what = "x"});
  EXPECT_NE(json_of(report).find("caf\xef\xbf\xbd.c:1:1"), std::string::npos);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
