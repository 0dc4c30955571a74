'use strict';
// The table of findings: filters, search, order, groups. Only the rows in view are in the document.
const $ = id => document.getElementById(id);
function trouble(text) {
  $('trouble').textContent = text;
  $('trouble').hidden = false;
}

const report = { ...JSON.parse($('findings').textContent), ...JSON.parse($('names').textContent) },
  pictures = JSON.parse($('pictures').textContent);
const pictured = Object.keys(pictures).length > 0;
const VERDICTS = ['identical', 'a_in_b', 'b_in_a', 'overlapping', 'touching', 'near', 'not-evaluated'],
  STATUSES = ['new', 'active', 'reviewed', 'approved', 'resolved'],
  TONES = {
    identical: '#d55e00',
    a_in_b: '#d55e00',
    b_in_a: '#d55e00',
    overlapping: '#d55e00',
    touching: '#e69f00',
    near: '#cc79a7',
    'not-evaluated': '#8a8a85',
    new: '#d55e00',
    active: '#e69f00',
    reviewed: '#56b4e9',
    approved: '#009e73',
    resolved: '#8a8a85',
  };

// What the page says of all rows alike stands there once. Paths are the names that they share with the path before, and the rest.
const entry = (name, i) => (Array.isArray(report[name]) ? report[name][i] : report[name]);
report.paths = [];
report.rests.reduce((names, rest, i) => {
  const path = [...names.slice(0, report.shared[i]), rest].join('/');
  report.paths.push(path);
  return path.split('/');
}, []);
const rows = Array.from({ length: report.rows }, (_, i) => {
  const point = ['x', 'y', 'z'].map(k => entry(k, i));
  return {
    position: i,
    id: report.ids.slice(16 * i, 16 * i + 16),
    status: STATUSES[entry('status', i)],
    verdict: VERDICTS[entry('verdict', i)],
    test: report.tests[entry('test', i)],
    a: entry('a', i),
    b: entry('b', i),
    distance: entry('distance', i),
    depth: entry('depth', i),
    group: entry('group', i),
    point,
    region: ['low_x', 'low_y', 'low_z', 'high_x', 'high_y', 'high_z'].map((k, j) => point[j % 3] + entry(k, i)),
    pairs: entry('pairs', i),
    first_run: entry('first_run', i),
    date: report.texts[entry('date_text', i)],
    note: report.texts[entry('note', i)],
    reason: report.texts[entry('reason', i)],
  };
});
const path_of = part => report.paths[part],
  name_of = part => report.names[part] || report.paths[part],
  model_of = part => path_of(part).slice(0, path_of(part).indexOf('/')),
  short = name => name.slice(name.indexOf('/') + 1);
for (const r of rows)
  r.text = [r.id, r.test, path_of(r.a), path_of(r.b), name_of(r.a), name_of(r.b), r.note, r.reason, r.status, r.verdict].join('\n').toLowerCase();

const number = x => (x === null || x === undefined ? '' : String(+x.toPrecision(5)));
const by_text = new Intl.Collator('en', { numeric: true }).compare;
const COLUMNS = [
  { name: '', key: 'picture', width: '78px', picture: true },
  { name: 'Status', key: 'status', width: '84px', order: r => STATUSES.indexOf(r.status) },
  { name: 'Verdict', key: 'verdict', width: '112px', order: r => VERDICTS.indexOf(r.verdict) },
  { name: 'Test', key: 'test', width: 'minmax(50px, 0.5fr)', order: r => r.test },
  { name: 'A', key: 'a', width: 'minmax(120px, 2fr)', order: r => name_of(r.a) },
  { name: 'B', key: 'b', width: 'minmax(120px, 2fr)', order: r => name_of(r.b) },
  { name: 'Distance', key: 'distance', width: '76px', order: r => r.distance, number: true },
  { name: 'Depth', key: 'depth', width: '70px', order: r => (r.depth === null ? -1 : r.depth), number: true },
  { name: 'Group', key: 'group', width: '54px', order: r => r.group || Infinity, number: true },
].filter(c => !c.picture || pictured);

const filters = { status: new Set(), verdict: new Set(), test: new Set() };
let words = [],
  grouping = 'none',
  sort = { key: '', down: false }, // '': the worst first, as they are in the page
  folded = new Set(),
  items = [], // what the table shows: rows, and bands above groups
  tops = new Float64Array(1),
  chosen = -1; // position of a finding
const ROW = pictured ? 56 : 40,
  BAND = 30;

// ---- what is shown

function cell_size() {
  const x = +$('cell').value;
  return x > 0 ? x : report.cell;
}
const often = new Map(); // in how many findings a part is
for (const r of rows) for (const part of [r.a, r.b]) often.set(part, (often.get(part) || 0) + 1);
const GROUPINGS = {
  group: r => (r.group ? 'Group ' + r.group : 'Resolved'),
  part: r => name_of(often.get(r.b) > often.get(r.a) ? r.b : r.a),
  models: r => [model_of(r.a), model_of(r.b)].sort(by_text).join('  |  '),
  cell: r => {
    const size = cell_size(),
      [x, y, z] = r.point.map(v => Math.floor(v / size) * size);
    return `x ${number(x)}, y ${number(y)}, z ${number(z)}`;
  },
};

function update() {
  const passes = r =>
    Object.keys(filters).every(k => filters[k].size === 0 || filters[k].has(r[k])) && words.every(word => r.text.includes(word));
  const shown = rows.filter(passes),
    column = COLUMNS.find(c => c.key === sort.key);
  if (column) {
    const keys = new Map(shown.map(r => [r, column.order(r)]));
    shown.sort((x, y) => {
      const p = keys.get(x),
        q = keys.get(y),
        order = typeof p === 'string' ? by_text(p, q) : p < q ? -1 : p > q ? 1 : 0;
      return (sort.down ? -order : order) || x.position - y.position;
    });
  }
  items = [];
  if (grouping === 'none') items = shown;
  else {
    const groups = new Map();
    for (const r of shown) {
      const name = GROUPINGS[grouping](r);
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(r);
    }
    for (const [name, members] of [...groups].sort((x, y) => y[1].length - x[1].length || by_text(x[0], y[0]))) {
      items.push({ band: name, members });
      if (!folded.has(name)) items.push(...members);
    }
  }
  tops = new Float64Array(items.length + 1);
  for (let i = 0; i < items.length; ++i) tops[i + 1] = tops[i] + (items[i].band === undefined ? ROW : BAND);
  $('space').style.height = tops[items.length] + 'px';
  $('shown').textContent = shown.length === rows.length ? `${rows.length} findings` : `${shown.length} of ${rows.length} findings`;
  $('fold').hidden = grouping === 'none';
  $('cell_label').hidden = grouping !== 'cell';
  for (const node of nodes.values()) node.remove();
  nodes.clear();
  $('table').setAttribute('aria-rowcount', items.length);
  state.shown = shown.length;
  state.visible = shown;
  paint();
}

// ---- rows in view

const nodes = new Map();
function element(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}
function badge(text) {
  const e = element('span', 'badge', text);
  e.style.setProperty('--tone', TONES[text]);
  return e;
}
function part_cell(part) {
  const name = name_of(part),
    e = element('div', 'part', short(name));
  e.title = path_of(part) + (name === path_of(part) ? '' : '\n' + name);
  e.append(element('small', '', model_of(part)));
  return e;
}
function cell_of(r, c) {
  if (c.picture) {
    const e = element('div');
    if (pictures[r.id]) {
      const image = element('img');
      image.src = pictures[r.id];
      image.alt = '';
      e.append(image);
    }
    return e;
  }
  if (c.key === 'a' || c.key === 'b') return part_cell(r[c.key]);
  const e = element('div', c.number ? 'number' : '');
  if (c.key === 'status' || c.key === 'verdict') e.append(badge(r[c.key]));
  else if (c.key === 'group') e.textContent = r.group || '';
  else e.textContent = c.number ? number(r[c.key]) : r[c.key];
  return e;
}
function node_of(i) {
  const item = items[i];
  let e;
  if (item.band !== undefined) {
    e = element('div', 'band', (folded.has(item.band) ? '\u25b8 ' : '\u25be ') + item.band);
    e.append(element('small', '', `${item.members.length}`));
    e.addEventListener('click', () => toggle(item.band));
  } else {
    e = element('div', 'row');
    e.setAttribute('role', 'row');
    e.setAttribute('aria-rowindex', i + 1);
    e.setAttribute('aria-selected', item.position === chosen);
    e.dataset.id = item.id;
    for (const c of COLUMNS) {
      const cell = cell_of(item, c);
      cell.setAttribute('role', 'gridcell');
      e.append(cell);
    }
    e.addEventListener('click', () => choose(item.position));
  }
  e.style.top = tops[i] + 'px';
  return e;
}
/// The item at a height.
function item_at(y) {
  let low = 0,
    high = items.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if (tops[half + 1] <= y) low = half + 1;
    else high = half;
  }
  return low;
}
function paint() {
  const top = $('scroller').scrollTop,
    from = Math.max(0, item_at(top) - 4),
    to = Math.min(items.length, item_at(top + $('scroller').clientHeight) + 5);
  for (const [i, node] of nodes) {
    if (i >= from && i < to) continue;
    node.remove();
    nodes.delete(i);
  }
  for (let i = from; i < to; ++i) {
    if (nodes.has(i)) continue;
    const node = node_of(i);
    nodes.set(i, node);
    $('space').append(node);
  }
  let none = $('space').querySelector('.empty');
  if (items.length > 0 && none) none.remove();
  if (items.length === 0 && !none)
    $('space').append(element('div', 'empty', rows.length ? 'No finding is like this. Reset shows all again.' : 'Nothing was found.'));
  state.painted = nodes.size;
}
let paint_pending = false;
function paint_soon() {
  if (paint_pending) return;
  paint_pending = true;
  requestAnimationFrame(() => {
    paint_pending = false;
    paint();
  });
}
function toggle(band) {
  if (!folded.delete(band)) folded.add(band);
  update();
}

// ---- the chosen finding

function choose(position, seek = false) {
  chosen = position;
  for (const node of nodes.values()) if (node.dataset.id) node.setAttribute('aria-selected', node.dataset.id === rows[position].id);
  if (seek) {
    const i = items.findIndex(x => x.position === position),
      box = $('scroller'),
      height = box.clientHeight - $('heads').offsetHeight;
    if (tops[i] < box.scrollTop) box.scrollTop = tops[i];
    if (tops[i + 1] > box.scrollTop + height) box.scrollTop = tops[i + 1] - height;
    paint();
  }
  state.chosen = rows[position].id;
  show_facts(rows[position]);
  show_shapes(rows[position]);
}
function step(by) {
  const list = items.filter(x => x.band === undefined);
  if (list.length === 0) return;
  const now = list.findIndex(x => x.position === chosen),
    next = now < 0 ? 0 : Math.max(0, Math.min(list.length - 1, now + by));
  choose(list[next].position, true);
}
function show_facts(r) {
  const list = element('dl');
  const add = (name, content) => {
    if (content === '' || content === null || content === undefined) return;
    const value = element('dd');
    value.append(content);
    list.append(element('dt', '', name), value);
  };
  const part = (part, color) => {
    const e = element('span'),
      mark = element('i');
    mark.style.background = color;
    e.append(mark, name_of(part));
    if (name_of(part) !== path_of(part)) e.append(element('small', '', ' ' + path_of(part)));
    return e;
  };
  const length = x => `${number(x)} ${report.unit}`,
    place = v => '(' + v.map(number).join(', ') + ')',
    size = [0, 1, 2].map(k => r.region[k + 3] - r.region[k]);
  const both = element('span');
  both.append(badge(r.verdict), ' ', badge(r.status));
  add('Finding', both);
  add('A', part(r.a, '#56b4e9'));
  add('B', part(r.b, '#e69f00'));
  add('Test', r.test);
  if (r.verdict === 'near') add('Distance', length(r.distance));
  if (r.depth !== null) add('Depth', length(r.depth));
  add('At', place(r.point) + ' ' + report.unit);
  if (size.some(x => x > 0)) add('Region', size.map(number).join(' x ') + ' ' + report.unit);
  if (r.pairs > 0) add('Triangles', `${r.pairs} ${r.pairs === 1 ? 'pair touches' : 'pairs touch'}`);
  add('Group', r.group || '');
  add('Since', `run ${r.first_run}` + (r.date ? `, ${r.date}` : ''));
  add('Reason', r.reason);
  add('Note', r.note);
  add('Id', element('code', '', r.id));
  $('facts').replaceChildren(list);
}

// ---- controls

function chips() {
  for (const [key, title, all] of [
    ['status', 'Status', STATUSES],
    ['verdict', 'Verdict', VERDICTS],
    ['test', 'Test', report.tests],
  ]) {
    const counts = new Map();
    for (const r of rows) counts.set(r[key], (counts.get(r[key]) || 0) + 1);
    const here = all.filter(x => counts.has(x));
    if (key === 'test' && here.length < 2) continue;
    const set = element('fieldset');
    set.append(element('legend', '', title));
    for (const value of here) {
      const b = element('button', 'chip', value + ' ');
      b.append(element('small', '', counts.get(value)));
      b.dataset[key] = value;
      b.setAttribute('aria-pressed', 'false');
      b.addEventListener('click', () => {
        if (!filters[key].delete(value)) filters[key].add(value);
        b.setAttribute('aria-pressed', filters[key].has(value));
        update();
      });
      set.append(b);
    }
    $('filters').append(set);
  }
}
function heads() {
  $('heads').replaceChildren();
  for (const c of COLUMNS) {
    const e = element('div', c.number ? 'number' : '');
    e.setAttribute('role', 'columnheader');
    if (c.order) {
      const here = sort.key === c.key,
        b = element('button', '', c.name + (here ? (sort.down ? ' \u25be' : ' \u25b4') : ''));
      e.setAttribute('aria-sort', here ? (sort.down ? 'descending' : 'ascending') : 'none');
      b.dataset.sort = c.key;
      b.title = 'Sort; a third click brings the worst to the top again';
      b.addEventListener('click', () => {
        sort = !here ? { key: c.key, down: false } : sort.down ? { key: '', down: false } : { key: c.key, down: true };
        heads();
        update();
      });
      e.append(b);
    }
    $('heads').append(e);
  }
}
function reset() {
  for (const set of Object.values(filters)) set.clear();
  for (const b of document.querySelectorAll('.chip')) b.setAttribute('aria-pressed', 'false');
  $('search').value = '';
  words = [];
  sort = { key: '', down: false };
  folded.clear();
  heads();
  update();
}

// All rows that are shown, as a plain table, for the printer.
const MOST_PRINTED = 5000;
function print_rows() {
  const table = element('table'),
    head = element('thead'),
    body = element('tbody'),
    line = element('tr');
  for (const c of COLUMNS) line.append(element('th', c.number ? 'number' : '', c.name));
  head.append(line);
  let n = 0;
  for (const item of items) {
    if (n >= MOST_PRINTED) break;
    const tr = element('tr');
    if (item.band !== undefined) {
      const td = element('td', '', `${item.band} (${item.members.length})`);
      td.colSpan = COLUMNS.length;
      tr.append(td);
    } else {
      ++n;
      for (const c of COLUMNS) {
        const td = element('td', c.number ? 'number' : '');
        if (c.key === 'a' || c.key === 'b') td.textContent = name_of(item[c.key]);
        else td.append(...cell_of(item, c).childNodes);
        tr.append(td);
      }
    }
    body.append(tr);
  }
  table.append(head, body);
  $('print').replaceChildren(table);
  if (state.shown > MOST_PRINTED) $('print').append(element('p', '', `The first ${MOST_PRINTED} of ${state.shown} findings.`));
}

const state = { rows, path_of, shown: 0, painted: 0, chosen: '', drawn: 0, print_rows, visible: rows };
window.graze = state;

function start() {
  document.title = $('title').textContent = report.title;
  const n = report.counts;
  $('counts').textContent =
    `${rows.length + report.left_out} findings in run ${report.run}${report.date ? ' of ' + report.date : ''}: ` +
    STATUSES.map(s => [s, rows.filter(r => r.status === s).length])
      .filter(([, count]) => count > 0)
      .map(([s, count]) => `${count} ${s}`)
      .concat(report.left_out > 0 ? [`${report.left_out} left out`] : [])
      .join(', ') +
    `. ${n.parts} parts, ${n.triangles} triangles, ${n.pairs} pairs tested. Lengths in ${report.unit}.`;
  if (report.left_out > 0)
    report.missing.unshift(`The table has the first ${rows.length} findings; ${report.left_out} that come after them are in clash.json and clash.csv only.`);
  for (const note of [...report.notes, ...report.missing]) $('notes').append(element('li', '', note));
  $('notes').hidden = !$('notes').firstChild;
  $('cell').value = number(report.cell);
  $('cell_unit').textContent = report.unit;
  document.documentElement.style.setProperty('--row', ROW + 'px');
  document.documentElement.style.setProperty('--columns', COLUMNS.map(c => c.width).join(' '));
  document.documentElement.style.setProperty('--least', '760px');
  chips();
  heads();
  $('search').addEventListener('input', e => {
    words = e.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    update();
  });
  $('grouping').addEventListener('change', e => {
    grouping = e.target.value;
    folded.clear();
    update();
  });
  $('cell').addEventListener('input', update);
  $('fold').addEventListener('click', () => {
    const names = items.filter(x => x.band !== undefined).map(x => x.band);
    if (names.some(x => !folded.has(x))) names.forEach(x => folded.add(x));
    else folded.clear();
    update();
  });
  $('clear').addEventListener('click', reset);
  $('scroller').addEventListener('scroll', paint_soon, { passive: true });
  new ResizeObserver(paint_soon).observe($('scroller'));
  window.addEventListener('beforeprint', print_rows);
  window.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const in_text = ['INPUT', 'SELECT'].includes(e.target.tagName),
      page = Math.max(1, Math.floor($('scroller').clientHeight / ROW) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length }[e.key];
    if (e.key === '/' && !in_text) $('search').focus();
    else if (e.key === 'Escape' && e.target === $('search')) $('table').focus();
    else if (e.target === $('search') && e.key === 'ArrowDown') {
      $('table').focus();
      step(chosen < 0 ? 0 : 1);
    } else if (in_text) return;
    else if (by !== undefined) step(by);
    else if (!stage_key(e.key)) return;
    e.preventDefault();
  });
  update();
  if (rows.length > 0) choose(items[0].position);
  else show_shapes(null);
}
