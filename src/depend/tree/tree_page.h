// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixed parts of the page of trees: style and script. The page holds its data as JSON; the script makes elements of
// it when they are unfolded, and writes text as text only, so that no name in a program becomes code.
#pragma once
#include <string_view>

namespace heddle::depend {

inline constexpr std::string_view tree_page_style = R"css(
:root { color-scheme: light dark; --line: #8886; --mark: #ffe58a; --alarm: #c81e1e; --soft: #777; --ok: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --mark: #5a4a00; --alarm: #ff7b72; --soft: #999; --ok: #56d364; } }
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.45 system-ui, sans-serif; height: 100vh; display: flex; flex-direction: column; }
header { padding: .6em 1em; border-bottom: 1px solid var(--line); max-height: 40vh; overflow: auto; flex: none; }
h1 { font-size: 1.1em; margin: 0 .8em 0 0; display: inline; }
select, button { font: inherit; }
main { flex: 1; display: flex; min-height: 0; }
#tree { flex: 1; overflow: auto; padding: .6em; border-right: 1px solid var(--line); }
#source { flex: 1; overflow: auto; padding: .6em 0; font: 13px/1.4 ui-monospace, monospace; }
#source h2 { font: inherit; font-weight: bold; margin: 0 1em .4em; }
#source div { white-space: pre; padding: 0 1em; }
#source div.here { background: var(--mark); }
#source i { color: var(--soft); font-style: normal; display: inline-block; width: 4em; user-select: none; }
ul { list-style: none; margin: 0; padding-left: 1.3em; border-left: 1px dotted var(--line); }
#tree > ul { border: 0; padding: 0; }
.row { display: inline-flex; align-items: center; gap: .35em; cursor: pointer; padding: 0 .3em; border-radius: 3px;
  white-space: nowrap; font-family: ui-monospace, monospace; font-size: 13px; }
.row { vertical-align: top; line-height: 1.4; }
.row:hover { outline: 1px solid var(--line); }
.row.chosen { background: var(--mark); }
.row.marked { color: var(--alarm); font-weight: bold; }
.row.again:not(.marked) { color: var(--soft); }
.fold { width: 1em; min-height: 1.4em; text-align: center; color: var(--soft); user-select: none; }
.icon { width: 1.3em; height: 1.3em; flex: none; }
.finding { margin: .5em 0 0; padding: .4em .7em; border-left: 4px solid var(--alarm); }
.finding b { color: var(--alarm); }
.finding a { color: inherit; cursor: pointer; text-decoration: underline; font-family: ui-monospace, monospace; }
.finding p { margin: .15em 0; }
.none { color: var(--ok); margin: .4em 0 0; }
.legend { color: var(--soft); font-size: 12px; display: inline-flex; gap: 1em; margin-left: 1em; flex-wrap: wrap; }
.legend span { display: inline-flex; align-items: center; gap: .3em; }
)css";

inline constexpr std::string_view tree_page_script = R"js(
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const svg = (inner) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  element.setAttribute('viewBox', '0 0 16 16');
  element.setAttribute('class', 'icon');
  for (const [tag, attributes, text] of inner) {
    const part = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
    if (text) part.textContent = text;
    element.append(part);
  }
  return element;
};
const letter = (text) => ['text', {x: 8, y: 11.5, 'text-anchor': 'middle', 'font-size': 10, fill: '#fff'}, text];
const arrow = ['path', {d: 'M16 0 L6.5 4 L10 6 L12 9.5 Z', fill: '#e00', stroke: '#fff', 'stroke-width': .6}];
const icons = {
  variable: [['circle', {cx: 8, cy: 8, r: 7, fill: '#2e8b40'}], letter('v')],
  constant: [['circle', {cx: 8, cy: 8, r: 7, fill: '#808080'}], letter('c')],
  control: [['path', {d: 'M8 1 L15 8 L8 15 L1 8 Z', fill: '#3b6fb6'}]],
  call: [['rect', {x: 1.5, y: 1.5, width: 13, height: 13, rx: 2, fill: '#7a4fa3'}], letter('f')],
  again: [['path', {d: 'M5 1 H11 L15 5 V11 L11 15 H5 L1 11 V5 Z', fill: '#e0b000'}],
          ['rect', {x: 4, y: 7, width: 8, height: 2, fill: '#fff'}]],
};
const iconOf = (node) => {
  const parts = node.again ? icons.again : icons[node.kind] || icons.variable;
  return svg(node.interferes ? [...parts, arrow] : parts);
};

let tree, children, items;
const place = document.getElementById('tree');
const source = document.getElementById('source');

function showSource(node) {
  source.replaceChildren();
  if (!node.file) return;
  source.append(make('h2', '', node.file + ':' + node.line + '   ' + node.calls));
  const lines = data.sources[node.file];
  if (!lines) { source.append(make('div', '', 'the source could not be read')); return; }
  let here;
  lines.forEach((text, i) => {
    const row = make('div', i + 1 === node.line ? 'here' : '');
    row.append(make('i', '', i + 1), text);
    if (i + 1 === node.line) here = row;
    source.append(row);
  });
  if (here) here.scrollIntoView({block: 'center'});
}
function choose(index) {
  for (const row of document.querySelectorAll('.chosen')) row.classList.remove('chosen');
  items[index].firstChild.classList.add('chosen');
  showSource(tree.nodes[index]);
}
function setOpen(index, open) {
  const item = items[index];
  if (children[index].length === 0) return;
  if (open && !item.list) {
    item.list = make('ul');
    for (const child of children[index]) item.list.append(itemOf(child));
    item.append(item.list);
  }
  if (item.list) item.list.hidden = !open;
  item.isOpen = open;
  item.querySelector('.fold').textContent = open ? '▾' : '▸';
}
function itemOf(index) {
  const node = tree.nodes[index];
  const item = make('li');
  const row = make('span', 'row' + (node.marks ? ' marked' : '') + (node.again ? ' again' : ''));
  const fold = make('span', 'fold', children[index].length ? '▸' : '');
  fold.onclick = (event) => { event.stopPropagation(); setOpen(index, !item.isOpen); };
  row.append(fold, iconOf(node), make('span', '', node.label));
  row.onclick = () => choose(index);
  row.ondblclick = () => setOpen(index, !item.isOpen);
  item.append(row);
  items[index] = item;
  return item;
}
function reveal(index) {
  const way = [];
  for (let up = tree.nodes[index].parent; up !== undefined; up = tree.nodes[up].parent) way.push(up);
  for (const up of way.reverse()) setOpen(up, true);
  choose(index);
  items[index].scrollIntoView({block: 'nearest'});
}
function openSome(index, most) {
  const todo = [index];
  for (let i = 0; i < todo.length && todo.length < most; ++i) {
    setOpen(todo[i], true);
    todo.push(...children[todo[i]]);
  }
}
function link(index) {
  const node = tree.nodes[index];
  const element = make('a', '', node.file ? node.name + ' (L:' + node.line + '@' + node.function + ')' : tree.root);
  element.onclick = () => reveal(index);
  return element;
}
function showFindings() {
  const list = document.getElementById('findings');
  list.replaceChildren();
  if (tree.findings.length === 0 && !tree.forward) list.append(make('p', 'none', 'no risk found below this root'));
  const most = 200;
  if (tree.findings.length > most)
    list.append(make('p', '', 'the first ' + most + ' of ' + tree.findings.length + ' risks; all are marked in the tree'));
  tree.findings.slice(0, most).forEach((finding, i) => {
    const block = make('div', 'finding');
    const title = make('p');
    title.append(make('b', '', 'risk ' + (i + 1) + ': '), finding.title);
    const nodes = make('p', '', 'common ancestor ');
    nodes.append(link(finding.ancestor), ' ← ', link(finding.first), ', ', link(finding.second), '; between them ');
    finding.between.forEach((index, k) => nodes.append(k ? ', ' : '', link(index)));
    block.append(title, nodes);
    if (finding.source) block.append(make('p', '', 'both made of ' + finding.source));
    block.append(make('p', '', finding.entries.join('; ') + '; interval: ' + finding.interval));
    block.append(make('p', '', 'fix: ' + finding.fix));
    list.append(block);
  });
}
function showTree(number) {
  tree = data.trees[number];
  children = tree.nodes.map(() => []);
  items = [];
  tree.nodes.forEach((node, i) => { if (node.parent !== undefined) children[node.parent].push(i); });
  const list = make('ul');
  place.replaceChildren(list);
  list.append(itemOf(0));
  openSome(0, 300);
  showFindings();
  if (tree.findings.length) reveal(tree.findings[0].first); else choose(0);
}
const roots = document.getElementById('roots');
data.trees.forEach((one, i) => {
  const option = make('option', '', one.root + (one.forward ? ' (forward)' : ' (risk=' + one.risk + ')'));
  option.value = i;
  roots.append(option);
});
roots.onchange = () => showTree(Number(roots.value));
document.getElementById('open').onclick = () => openSome(0, 5000);
document.getElementById('close').onclick = () => items.forEach((item, i) => { if (item && i > 0) setOpen(i, false); });
const legend = document.getElementById('legend');
for (const [kind, word] of [['variable', 'variable'], ['constant', 'constant'], ['control', 'control'],
                            ['call', 'outside'], ['again', 'already shown']]) {
  const part = make('span');
  part.append(svg(icons[kind]), word);
  legend.append(part);
}
const part = make('span');
part.append(svg([...icons.variable, arrow]), '≪ write side of an interference');
legend.append(part);
if (data.trees.length) showTree(0);
)js";

}  // namespace heddle::depend
