// The console of an operator: an overview, and a page of each object. It reads, and changes nothing.

import { ask, away, chart, count, duration, h, number, panel, pill, show, table, time } from './page.js';

const REFRESH = 2000;
const STATES = {
  throttled: ['left alone after an error', 'bad'],
  failed: ['failed', 'bad'],
  retrying: ['retrying', 'warn'],
  paused: ['paused', 'warn'],
  working: ['working', 'working live'],
  queued: ['queued', ''],
  blocked: ['waits for indices', ''],
  waiting: ['waiting', 'quiet'],
  resting: ['at rest', 'quiet'],
};
const main = document.getElementById('main');
const search = document.getElementById('q');
const lost = document.getElementById('lost');
const filter = { q: '', kind: '', state: '' };
let chosen = null;
let uids = [];
let timer = null;
let asked = 0;

// What is where: #/ is the overview, #/object/UID an object.

function route() {
  const match = location.hash.match(/^#\/object\/(.+)$/);
  return match ? { object: decodeURIComponent(match[1]) } : { object: null };
}

function go(hash) {
  location.hash = hash;
}

async function refresh() {
  clearTimeout(timer);
  const mine = ++asked;
  try {
    const { object } = route();
    const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
    const path = object === null ? '/snapshot?' + query : '/object?uid=' + encodeURIComponent(object);
    const told = await ask(path);
    if (mine !== asked) {
      return;
    }
    lost.hidden = true;
    if (object === null) {
      overview(told);
    } else {
      objectPage(object, told);
    }
  } catch (error) {
    if (mine === asked) {
      lost.textContent = 'The operator does not answer: what is shown is old. ' + (error instanceof TypeError ? '' : error.message);
      lost.hidden = false;
    }
  }
  if (mine === asked) {
    timer = setTimeout(refresh, document.hidden ? 10 * REFRESH : REFRESH);
  }
}

// The overview.

function overview(told) {
  document.title = 'kopf4j console';
  status(told.operator);
  show(main,
    h('h1', { class: 'skip' }, 'The operator'),
    troubles(told),
    tiles(told),
    charts(told.figures),
    objects(told),
    h('div', { class: 'columns', 'data-key': 'columns' },
      kinds(told), handlers(told), streams(told), indices(told), requests(told), settings(told)));
  const { operator } = told;
  show(document.getElementById('about'),
    operator.version + ' · started ' + away(operator.started, told.at) + ' · '
    + (operator.scope.length ? 'namespaces ' + operator.scope.join(', ') : 'the whole cluster'));
}

function status(operator) {
  const { paused, troubles: wrong } = operator;
  show(document.getElementById('status'),
    operator.ready ? wrong.length ? pill('in trouble', 'bad') : paused.length ? null : pill('ready', 'good live') : pill('not ready', 'warn live'),
    paused.length ? pill(operator.leads === false ? 'stands by' : 'paused', 'warn') : null,
    operator.leads ? pill('leads', '') : null,
    operator.shards ? pill(`${operator.shards.served} of ${operator.shards.of} shards`, '') : null);
}

function troubles(told) {
  const { operator } = told;
  const all = [
    ...operator.troubles.map(text => [text, 'bad']),
    ...told.streams.filter(stream => stream.trouble).map(stream => [`${stream.resource}: ${stream.trouble}`, 'bad']),
    ...operator.paused.map(text => ['It does not act: ' + text, 'warn']),
  ];
  return all.length
    ? h('section', { class: 'chips', 'aria-label': 'Troubles', 'data-key': 'troubles' }, all.map(([text, kind]) => pill(text, 'wrap ' + kind)))
    : null;
}

function tiles(told) {
  const sum = name => told.kinds.reduce((total, kind) => total + kind[name], 0);
  const tile = (word, state, value, alarm) => h('li', null,
    h('button', { type: 'button', class: 'tile' + (alarm && value ? ' alarm' : ''), 'data-state': state, 'aria-pressed': String(filter.state === state) },
      h('b', null, count(value)), h('span', null, word)));
  return h('ul', { class: 'tiles', 'aria-label': 'Objects by what they do', 'data-key': 'tiles' },
    tile('objects', '', sum('objects')),
    tile('failing', 'failing', sum('failing'), true),
    tile('working', 'working', sum('working')),
    tile('queued', 'queued', sum('queued') + sum('blocked')),
    tile('waiting', 'waiting', sum('waiting')),
    tile('paused', 'paused', sum('paused')));
}

function charts(figures) {
  const step = figures.stepSeconds;
  const perSecond = values => values.map(value => value / step);
  const rate = value => count(value) + '/s';
  return panel('The last minutes', 'dashed: median; red: failures',
    h('div', { class: 'charts' },
      chart('Events', rate, step, [{ values: perSecond(figures.events) }]),
      chart('Handler calls', rate, step, [{ values: perSecond(figures.calls) }], perSecond(figures.failures)),
      chart('Requests', rate, step, [{ values: perSecond(figures.requests) }], perSecond(figures.refused)),
      chart('Wait of an event, 95%', duration, step, [{ values: figures.waitedHigh }, { values: figures.waitedMedian }]),
      chart('A call, 95%', duration, step, [{ values: figures.callHigh }, { values: figures.callMedian }]),
      chart('A request, 95%', duration, step, [{ values: figures.requestHigh }, { values: figures.requestMedian }])));
}

function objects(told) {
  uids = told.objects.map(object => object.uid);
  const kinds = new Set(told.kinds.map(kind => kind.resource));
  const shown = told.objects.length;
  const note = told.matching > shown ? `the ${shown} most interesting of ${count(told.matching)}` : count(told.matching) + (told.matching === told.all ? '' : ' of ' + count(told.all));
  const chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds' },
    [...kinds].map(kind => h('button', { type: 'button', 'data-kind': kind, 'aria-pressed': String(filter.kind === kind) }, kind)));
  return panel('Objects', note + (told.troublesIncomplete ? '; more have failed than are remembered' : ''),
    kinds.size > 1 ? chips : null,
    shown
      ? table('Objects', [['Object'], ['State'], ['Since, until', 'wide'], ['What is known', 'wide']], told.objects.map(object => objectRow(object, told)))
      : h('p', { class: 'hint' }, told.all ? 'No object matches.' : 'There are no objects yet.'));
}

function objectRow(object, told) {
  const [word, kind] = STATES[object.state];
  const moment = object.waitedMillis !== undefined ? 'for ' + duration(object.waitedMillis)
    : object.next ? time(object.next, told.at) : '';
  const trouble = object.trouble;
  return h('tr', { class: 'link' + (object.uid === chosen ? ' chosen' : ''), 'data-uid': object.uid, 'data-key': object.uid },
    h('td', null,
      h('a', { href: '#/object/' + encodeURIComponent(object.uid) }, (object.namespace ? object.namespace + '/' : '') + object.name),
      h('span', { class: 'sub' }, object.resource)),
    h('td', null, pill(word, kind)),
    h('td', { class: 'wide' }, moment, object.events > 1 ? ` · ${object.events} events` : null),
    h('td', { class: 'wide' },
      trouble ? h('span', { class: 'message' }, `${trouble.handler}, attempt ${trouble.attempt}: ${trouble.message || trouble.outcome}`) : null,
      object.daemons && !trouble ? h('span', { class: 'message' }, 'has daemons or timers') : null));
}

function kinds(told) {
  return panel('Kinds', null,
    table('Kinds', [['Resource'], ['Objects', 'num'], ['Failing', 'num'], ['Working', 'num'], ['Queued', 'num'], ['Waiting', 'num']],
      told.kinds.map(kind => h('tr', null,
        h('td', null, kind.resource),
        number(kind.objects), number(kind.failing), number(kind.working), number(kind.queued + kind.blocked), number(kind.waiting)))));
}

function handlers(told) {
  if (!told.handlers.length) {
    return panel('Handlers', null, h('p', { class: 'hint' }, 'No handler was called yet.'));
  }
  return panel('Handlers', 'calls since the start',
    table('Handlers', [['Handler'], ['Calls', 'num'], ['Not succeeded', 'num'], ['Median', 'num wide'], ['95%', 'num']],
      told.handlers.map(handler => {
        const all = Object.values(handler.calls).reduce((total, value) => total + value, 0);
        return h('tr', null,
          h('td', null, handler.id, h('span', { class: 'sub' }, `${handler.kind} · ${handler.resource}`)),
          number(all), number(all - (handler.calls.succeeded ?? 0)),
          h('td', { class: 'num wide' }, duration(handler.medianMillis)), h('td', { class: 'num' }, duration(handler.highMillis)));
      })));
}

function streams(told) {
  return panel('Streams', 'since the server was last heard',
    table('Streams', [['Stream'], ['State'], ['Objects', 'num'], ['Heard', 'num']],
      told.streams.map(stream => h('tr', null,
        h('td', null, stream.resource, h('span', { class: 'sub' }, stream.namespace ?? 'the whole cluster')),
        h('td', null, stream.paused ? pill('paused', 'warn') : stream.trouble ? pill('in trouble', 'bad') : stream.listed ? pill('watching', 'good') : pill('listing', 'live')),
        number(stream.objects),
        h('td', { class: 'num' }, stream.paused ? '–' : duration(stream.silentMillis) + ' ago')))));
}

function indices(told) {
  return told.indices.length
    ? panel('Indices', null,
      table('Indices', [['Index'], ['Keys', 'num'], ['Values', 'num']],
        told.indices.map(index => h('tr', null, h('td', null, index.id), number(index.keys), number(index.values)))))
    : null;
}

function requests(told) {
  const rows = Object.entries(told.requests);
  return rows.length
    ? panel('Requests', 'since the start',
      table('Requests', [['Verb'], ['Status'], ['Requests', 'num']],
        rows.map(([key, value]) => {
          const [verb, code] = key.split(' ');
          const wrong = code === '0' || Number(code) >= 400;
          return h('tr', null, h('td', null, verb), h('td', null, wrong ? pill(code === '0' ? 'no answer' : code, 'bad') : code), number(value));
        })))
    : null;
}

function settings(told) {
  return panel('Settings', 'those that differ from the defaults',
    told.settings.length
      ? table('Settings', [['Setting'], ['Value'], ['From', 'wide']],
        told.settings.map(setting => h('tr', null,
          h('td', { class: 'mono' }, setting.name), h('td', { class: 'mono' }, setting.value), h('td', { class: 'wide note' }, setting.origin))))
      : h('p', { class: 'hint' }, 'All have their defaults.'));
}

// What people do.

search.addEventListener('input', () => {
  filter.q = search.value.trim();
  chosen = null;
  if (route().object !== null) {
    go('#/');
  } else {
    refresh();
  }
});

document.getElementById('search').addEventListener('submit', event => {
  event.preventDefault();
  if (uids.length) {
    go('#/object/' + encodeURIComponent(chosen ?? uids[0]));
  }
});

main.addEventListener('click', event => {
  const button = event.target.closest('button');
  if (button?.dataset.state !== undefined) {
    filter.state = filter.state === button.dataset.state ? '' : button.dataset.state;
    refresh();
  } else if (button?.dataset.kind) {
    filter.kind = filter.kind === button.dataset.kind ? '' : button.dataset.kind;
    refresh();
  }
  const row = event.target.closest('tr.link');
  if (row && !event.target.closest('a') && !String(getSelection())) {
    go('#/object/' + encodeURIComponent(row.dataset.uid));
  }
});

function choose(step) {
  if (!uids.length || route().object !== null) {
    return;
  }
  const at = uids.indexOf(chosen);
  chosen = uids[at < 0 ? step > 0 ? 0 : uids.length - 1 : Math.min(uids.length - 1, Math.max(0, at + step))];
  main.querySelectorAll('tr.link').forEach(row => row.classList.toggle('chosen', row.dataset.uid === chosen));
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
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (route().object === null) {
      event.preventDefault();
      choose(event.key === 'ArrowDown' ? 1 : -1);
    }
  } else if (event.key === 'Escape') {
    escape(typing);
  }
});

function escape(typing) {
  if (route().object !== null) {
    go('#/');
  } else if (search.value || filter.kind || filter.state) {
    search.value = '';
    Object.assign(filter, { q: '', kind: '', state: '' });
    refresh();
  } else if (typing) {
    search.blur();
  } else {
    chosen = null;
    document.activeElement?.blur();
    refresh();
  }
}

document.getElementById('help').addEventListener('click', () => document.getElementById('keys').showModal());
document.addEventListener('visibilitychange', () => document.hidden || refresh());
addEventListener('hashchange', () => {
  show(main);
  scrollTo(0, 0);
  refresh();
});
refresh();
