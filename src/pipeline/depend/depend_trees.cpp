// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/depend_trees.h"

#include <algorithm>
#include <set>

#include "alias/alias_facts.h"
#include "depend/system/system.h"
#include "depend/tree/roots.h"
#include "depend/tree/tree_text.h"
#include "pipeline/depend/prepare_depend.h"
#include "report/screen/shown.h"

namespace heddle::pipeline {
namespace {

using depend::SearchedTree;
using depend::TreeRoot;

class TreeMaker {
 public:
  TreeMaker(depend::AccessFacts& facts, const DependOptions& options, const TreeOptions& asked)
      : program_(facts.program),
        system_(facts.system),
        facts_(facts),
        options_(options),
        asked_(asked),
        graph_(facts),
        labels_(graph_),
        candidate_finder_(graph_) {
    limits_.depth = asked.depth;
    // A list of all roots looks at many trees.
    limits_.nodes = asked.nodes != 0 ? asked.nodes : asked.lists_roots ? 10000 : 50000;
    if (asked.seconds != 0) limits_.until = std::chrono::steady_clock::now() + std::chrono::seconds(asked.seconds);
  }

  Result<DependedTrees> run() {
    if (asked_.lists_roots) return list_roots();
    DependedTrees out;
    std::vector<SearchedTree> trees;
    for (const auto step : {&TreeMaker::add_goals, &TreeMaker::add_starts})
      if (const Result<void> added = (this->*step)(trees); !added) return std::unexpected(added.error());
    const Result<std::string> slices = slice_all();
    if (!slices) return std::unexpected(slices.error());
    for (const SearchedTree& one : trees) out.risks += one.findings.size();
    out.text = shown(trees) + *slices;
    if (asked_.wants_page) out.page = depend::trees_html(graph_, labels_, trees);
    out.report = depend::trees_report(graph_, labels_, trees);
    return out;
  }

 private:
  SearchedTree grown(const TreeRoot& root) {
    return {depend::grow_goal_tree(graph_, root.name, root.nodes, limits_), {}};
  }

  Result<void> add_goals(std::vector<SearchedTree>& to) {
    std::vector<depend::TreeCandidates> candidates;
    for (const std::string& name : asked_.roots) {
      const auto root = depend::root_named(graph_, labels_, name);
      if (!root) return std::unexpected(root.error());
      to.push_back(grown(*root));
      candidates.push_back(candidate_finder_.find(to.back().tree));
    }
    const depend::TripleIndex triples(triples_of(candidates));
    cut_ = triples.cut();
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i].findings = depend::search_races(graph_, to[i].tree, candidates[i], triples);
    return {};
  }

  depend::Triples triples_of(const std::vector<depend::TreeCandidates>& candidates) {
    depend::TreeCandidates all;
    for (const depend::TreeCandidates& one : candidates) {
      all.variables.insert(one.variables.begin(), one.variables.end());
      all.pairs.insert(all.pairs.end(), one.pairs.begin(), one.pairs.end());
    }
    if (all.variables.empty()) return {};
    return depend::find_triples(facts_, depend::options_for(graph_, all, options_.knows_synchronisation));
  }

  Result<void> add_starts(std::vector<SearchedTree>& to) {
    if (asked_.from.empty()) return {};
    const std::vector<depend::NodeId> sinks = depend::all_sinks(graph_);
    for (const std::string& name : asked_.from) {
      const auto root = depend::root_named(graph_, labels_, name);
      if (!root) return std::unexpected(root.error());
      to.push_back({depend::grow_start_tree(graph_, root->name, root->nodes, sinks, limits_), {}});
    }
    return {};
  }

  Result<std::string> slice_all() {
    std::string out;
    for (const std::string& name : asked_.slice) {
      if (!name.contains('@')) return error("--slice '" + name + "': name a place too, as in '" + name + "@12'");
      const auto root = depend::root_named(graph_, labels_, name);
      if (!root) return std::unexpected(root.error());
      out += depend::slice_text(labels_, grown(*root).tree);
    }
    return out;
  }

  /// Each tree is grown twice and never kept: there may be hundreds, and the graph remembers what they need.
  Result<DependedTrees> list_roots() {
    const std::vector<TreeRoot> roots = depend::find_roots(graph_, labels_);
    std::vector<depend::TreeCandidates> candidates;
    for (const TreeRoot& root : roots) candidates.push_back(candidate_finder_.find(grown(root).tree));
    const depend::TripleIndex triples(triples_of(candidates));
    cut_ = triples.cut();
    DependedTrees out;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      SearchedTree one = grown(roots[i]);
      one.findings = depend::search_races(graph_, one.tree, candidates[i], triples);
      out.risks += one.findings.size();
      out.text += report::shown(roots[i].name) + " (risk=" + std::to_string(one.findings.size()) +
                  "): " + roots[i].why + ", " + std::to_string(one.tree.nodes.size()) + " nodes" +
                  (one.tree.cut > 0 ? ", cut" : "") + "\n";
      if (options_.only_triples) add_triples(one);
    }
    out.text = options_.only_triples ? triples_text() : out.text + cut_text();
    return out;
  }

  std::string shown(const std::vector<SearchedTree>& trees) {
    if (options_.as_json) return depend::trees_json(graph_, labels_, trees);
    if (options_.only_triples) {
      for (const SearchedTree& one : trees) add_triples(one);
      return triples_text();
    }
    std::string out;
    if (!trees.empty())
      for (const std::string& what : system_.assumptions()) out += "assumed: " + report::shown(what) + "\n";
    for (const SearchedTree& one : trees)
      out += (out.empty() ? "" : "\n") + depend::tree_text(graph_, labels_, one, {options_.width, asked_.has_color});
    return out + cut_text();
  }

  [[nodiscard]] std::string cut_text() const {
    if (cut_ == 0) return {};
    return "of " + std::to_string(cut_) + " variables not all triples were looked at: there are very many\n";
  }

  void add_triples(const SearchedTree& one) {
    for (const depend::TreeFinding& finding : one.findings)
      for (const depend::FindingBetween& between : finding.between) {
        std::string line = depend::to_text(program_, between.triple) + "\n";
        if (std::ranges::find(lines_, line) == lines_.end()) lines_.push_back(std::move(line));
      }
  }

  [[nodiscard]] std::string triples_text() const {
    std::string out;
    for (const std::string& line : lines_) out += line;
    return out;
  }

  const Program& program_;
  const depend::System& system_;
  depend::AccessFacts& facts_;
  const DependOptions& options_;
  const TreeOptions& asked_;
  depend::DependenceGraph graph_;
  depend::NodeLabels labels_;
  depend::CandidateFinder candidate_finder_;
  depend::TreeLimits limits_;
  std::vector<std::string> lines_;  ///< triples, each once
  std::size_t cut_ = 0;             ///< variables with more triples than are looked for
};

}  // namespace

Result<DependedTrees> depend_trees(const Input& input, const DependOptions& options, const TreeOptions& trees,
                                   const Tell& tell) {
  const Result<PreparedDepend> prepared = prepare_depend(input, options, tell);
  if (!prepared) return std::unexpected(prepared.error());
  const Program& program = prepared->loaded.program;
  // entries, priorities, masks
  const Result<depend::System> system = system_of(*prepared);
  if (!system) return std::unexpected(system.error());
  // dependence, trees, races in them
  const alias::AliasFacts aliases = alias::find_aliases(program, prepared->models, {});
  depend::AccessFacts facts(program, *system, aliases);
  return TreeMaker(facts, options, trees).run();
}

}  // namespace heddle::pipeline
