// The console of a dev cluster: what is in it, requests as they come, faults that are on. It reads, and changes nothing.

import { ask, away, chart, count, duration, h, number, panel, pill, show, table } from './page.js';

const REFRESH = 1000;
const main = document.getElementById('main');
const search = document.getElementById('q');
const lost = document.getElementById('lost');
let chosen = null;
let paths = [];
let timer = null;
let asked = 0;

// #/ is the overview, #/api/v1/pods the objects of a kind.

function opened() {
  const path = location.hash.slice(1);
  return path.startsWith('/api') ? path : null;
}

async function refresh() {
  clearTimeout(timer);
  const mine = ++asked;
  try {
    const path = opened();
    const [told, rows] = await Promise.all([ask('/snapshot'), path === null ? null : ask('/table?path=' + encodeURIComponent(path))]);
    if (mine !== asked) {
      return;
    }
    lost.hidden = true;
    status(told);
    if (path === null) {
      overview(told);
    } else {
      objects(told, path, rows);
    }
  } catch (error) {
    if (mine === asked) {
      lost.textContent = 'The dev cluster does not answer: what is shown is old. ' + (error instanceof TypeError || error instanceof DOMException ? '' : error.message);
      lost.hidden = false;
    }
  }
  if (mine === asked) {
    timer = setTimeout(refresh, document.hidden ? 10 * REFRESH : REFRESH);
  }
}

function status(told) {
  show(document.getElementById('status'),
    told.damage ? pill('damaged data', 'bad') : pill('running', 'good live'),
    told.faults.length ? pill(told.faults.length === 1 ? '1 fault' : told.faults.length + ' faults', 'warn') : null,
    told.clockOffsetMillis ? pill('clock is off by ' + duration(Math.abs(told.clockOffsetMillis)), 'warn') : null);
  show(document.getElementById('about'), told.url + ' · started ' + away(told.started, told.at));
}

function wanted(...texts) {
  const text = search.value.trim().toLowerCase();
  return !text || texts.some(each => each.toLowerCase().includes(text));
}

function overview(told) {
  document.title = 'kopf4j dev cluster';
  show(main,
    h('h1', { class: 'skip' }, 'The dev cluster'),
    told.damage ? pill(told.damage, 'wrap bad') : null,
    panel('The last minutes', 'red: refused',
      h('div', { class: 'charts' },
        chart('Requests', value => count(value) + '/s', 1, told.perSecond, { bars: told.refusedPerSecond }))),
    h('div', { class: 'split', 'data-key': 'split' },
      requests(told),
      h('div', { class: 'aside' }, faults(told), kinds(told), totals(told))));
}

function requests(told) {
  const rows = told.requests.filter(each => wanted(each.path, each.verb, each.agent));
  return panel('Requests', 'as they come, the newest first',
    rows.length
      ? table('Requests', [['When'], ['Request'], ['Status'], ['From', 'wide']], rows.map(each => h('tr', { 'data-key': each.n },
        h('td', { class: 'moment note' }, each.at.slice(11, 23)),
        h('td', { class: 'mono' }, h('b', null, each.verb), ' ', each.path),
        h('td', null, code(each.status)),
        h('td', { class: 'wide note' }, each.agent.split(' ')[0]))))
      : h('p', { class: 'hint' }, told.requests.length ? 'No request matches.' : 'Nobody has asked for anything yet.'));
}

function code(status) {
  return status === 0 ? pill('broken off', 'bad') : status >= 400 ? pill(String(status), 'bad') : String(status);
}

function faults(told) {
  return panel('Faults', null,
    told.faults.length
      ? h('ul', { class: 'plain' }, told.faults.map(rule => h('li', { class: 'mono' }, rule)))
      : h('p', { class: 'hint' }, 'None are on.'));
}

function kinds(told) {
  const rows = told.kinds.filter(kind => wanted(kind.resource, kind.kind, kind.apiVersion) && (kind.objects || search.value.trim()));
  paths = rows.map(kind => kind.path);
  const empty = told.kinds.filter(kind => !kind.objects).length;
  return panel('What is in it', search.value.trim() ? null : `${empty} kinds without objects are left out`,
    table('Kinds', [['Resource'], ['Objects', 'num']], rows.map(kind =>
      h('tr', { class: 'link' + (kind.path === chosen ? ' chosen' : ''), 'data-path': kind.path, 'data-key': kind.path },
        h('td', null, h('a', { href: '#' + kind.path }, kind.resource), h('span', { class: 'sub' }, kind.apiVersion)),
        number(kind.objects)))));
}

function totals(told) {
  return panel('All requests', 'since the start',
    table('All requests', [['Verb'], ['Status'], ['Requests', 'num']], Object.entries(told.totals).map(([key, value]) => {
      const [verb, status] = key.split(' ');
      return h('tr', null, h('td', null, verb), h('td', null, code(Number(status))), number(value));
    })));
}

function objects(told, path, rows) {
  const kind = told.kinds.find(each => each.path === path);
  document.title = (kind?.resource ?? 'gone') + ' · kopf4j dev cluster';
  if (rows === null || !kind) {
    show(main, h('p', { class: 'hint' }, 'The cluster has no such kind (any more).'), h('p', null, h('a', { href: '#/' }, 'The cluster')));
    return;
  }
  const namespaced = rows.rows.some(row => row.namespace);
  const shown = rows.rows.filter(row => wanted(row.namespace, ...row.cells));
  show(main,
    h('div', { class: 'crumbs', 'data-key': 'crumbs' }, h('a', { href: '#/' }, 'The cluster'), h('h1', null, kind.resource), h('span', { class: 'note' }, `${kind.kind} · ${kind.apiVersion}`)),
    panel('Objects', count(kind.objects) + (rows.more ? `, of which the first ${rows.rows.length} are shown` : ''),
      shown.length
        ? table('Objects', [...(namespaced ? [['Namespace']] : []), ...rows.columns.map((column, at) => [column, at > 2 ? 'wide' : null])],
          shown.map(row => h('tr', { 'data-key': row.uid },
            namespaced ? h('td', { class: 'note' }, row.namespace) : null,
            row.cells.map((cell, at) => h('td', { class: at > 2 ? 'wide' : null }, at ? cell : h('b', null, cell))))))
        : h('p', { class: 'hint' }, rows.rows.length ? 'No object matches.' : 'There are none.')));
}

// What people do.

search.addEventListener('input', () => {
  chosen = null;
  refresh();
});

document.getElementById('search').addEventListener('submit', event => {
  event.preventDefault();
  if (opened() === null && paths.length) {
    location.hash = chosen ?? paths[0];
  }
});

main.addEventListener('click', event => {
  const row = event.target.closest('tr.link');
  if (row && !event.target.closest('a') && !String(getSelection())) {
    location.hash = row.dataset.path;
  }
});

function choose(step) {
  if (!paths.length || opened() !== null) {
    return;
  }
  const at = paths.indexOf(chosen);
  chosen = paths[at < 0 ? step > 0 ? 0 : paths.length - 1 : Math.min(paths.length - 1, Math.max(0, at + step))];
  main.querySelectorAll('tr.link').forEach(row => row.classList.toggle('chosen', row.dataset.path === chosen));
  main.querySelector('tr.chosen a')?.focus({ preventScroll: true });
  main.querySelector('tr.chosen')?.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('keydown', event => {
  const typing = event.target === search;
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById('keys').open) {
    return;
  }
  if (event.key === '/' && !typing) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === '?' && !typing) {
    document.getElementById('keys').showModal();
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && opened() === null) {
    event.preventDefault();
    choose(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Escape') {
    if (search.value) {
      search.value = '';
      refresh();
    } else if (opened() !== null) {
      location.hash = '/';
    } else {
      chosen = null;
      document.activeElement?.blur();
      refresh();
    }
  }
});

document.getElementById('help').addEventListener('click', () => document.getElementById('keys').showModal());
document.addEventListener('visibilitychange', () => document.hidden || refresh());
addEventListener('hashchange', () => {
  search.value = '';
  show(main);
  scrollTo(0, 0);
  refresh();
});
refresh();
