// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/report_writer.h"
#include "report/sample_report.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

nlohmann::json sarif_of(const RaceReport& report) {
  std::ostringstream out;
  write_sarif(out, report);
  return nlohmann::json::parse(out.str());
}

/// What SARIF's schema requires of the parts that are used here.
void check_location(const nlohmann::json& location) {
  ASSERT_TRUE(location.at("physicalLocation").at("artifactLocation").at("uri").is_string());
  if (location["physicalLocation"].contains("region")) {
    EXPECT_GE(location["physicalLocation"]["region"].at("startLine").get<int>(), 1);
  }
}

TEST(SarifWriter, HasWhatTheSchemaRequires) {
  const auto sarif = sarif_of(sample_report());
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  const auto& run = sarif.at("runs").at(0);
  EXPECT_EQ(run.at("tool").at("driver").at("name"), "heddle");
  ASSERT_FALSE(run.at("results").empty());
  for (const auto& result : run["results"]) {
    EXPECT_TRUE(result.at("message").at("text").is_string());
    EXPECT_EQ(result.at("ruleId"),
              run["tool"]["driver"]["rules"].at(result.at("ruleIndex").get<std::size_t>()).at("id"));
    for (const auto& location : result.at("locations")) check_location(location);
    for (const auto& location : result.at("relatedLocations")) check_location(location);
    EXPECT_FALSE(result.at("partialFingerprints").at("heddleRace/v1").get<std::string>().empty());
  }
}

TEST(SarifWriter, FirstFlowIsMergedSecondHasBothThreads) {
  const auto sarif = sarif_of(sample_report());
  const auto& flows = sarif["runs"][0]["results"][0].at("codeFlows");
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0].at("threadFlows").size(), 1U);
  EXPECT_EQ(flows[1].at("threadFlows").size(), 2U);
  std::size_t apart = 0;
  for (const auto& thread : flows[1]["threadFlows"]) apart += thread.at("locations").size();
  EXPECT_EQ(flows[0]["threadFlows"][0].at("locations").size(), apart);
}

TEST(SarifWriter, OddPathsAreUris) {
  RaceReport report = sample_report();
  report.races[0].accesses[0].file = "/src/a b#.c";
  const auto sarif = sarif_of(report);
  EXPECT_EQ(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///src/a%20b%23.c");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
