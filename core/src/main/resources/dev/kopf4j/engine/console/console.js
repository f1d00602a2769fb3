// The console of an operator: an overview, and a page of each object. It reads, and changes nothing.

import { PATIENCE, ask, away, chart, clock, count, duration, h, number, panel, pill, show, table, time } from './page.js';

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
let underWay = null; // what was asked last, while it is not answered
let shown = null; // the object of the page, as it was told last
let rowsMax = matchMedia('(max-width: 40rem)').matches ? 15 : 40;

// What is where: #/ is the overview, #/object/UID an object.

function route() {
  const match = location.hash.match(/^#\/object\/(.+)$/);
  return { object: match ? decoded(match[1]) : null };
}

function decoded(uid) {
  try {
    return decodeURIComponent(uid);
  } catch {
    return uid; // the link was cut: nothing has that uid
  }
}

function go(hash) {
  location.hash = hash;
}

/** Asks for what is to be shown, if that is not under way: asked again and again, it would never have an answer in time. */
async function refresh() {
  const { object } = route();
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
  const path = object === null ? '/snapshot?' + query : '/object?uid=' + encodeURIComponent(object);
  if (path === underWay) {
    return;
  }
  clearTimeout(timer);
  underWay = path;
  const mine = ++asked;
  try {
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
      const silent = error instanceof TypeError || error instanceof DOMException;
      const isShown = main.querySelector('h1') !== null;
      lost.textContent = silent ? 'The operator does not answer' + (isShown ? ': what is shown is old.' : '.') : (isShown ? 'What is shown is old: ' : '') + error.message;
      lost.hidden = false;
    }
  }
  if (mine === asked) {
    underWay = null;
    timer = setTimeout(refresh, document.hidden ? 10 * REFRESH : REFRESH);
  }
}

// The overview.

function overview(told) {
  document.title = 'kopf4j console';
  status(told);
  show(main,
    h('h1', { class: 'skip' }, 'The operator'),
    troubles(told),
    tiles(told),
    charts(told.figures),
    h('div', { class: 'split', 'data-key': 'split' },
      objects(told),
      h('div', { class: 'aside' },
        kinds(told), streams(told), handlers(told), indices(told), requests(told), settings(told))));
}

/** The head and the foot of all pages. */
function status({ operator, at }) {
  const { paused } = operator;
  show(document.getElementById('about'),
    operator.version + ' · started ' + away(operator.started, at) + ' · '
    + (operator.scope.length ? 'namespaces ' + operator.scope.join(', ') : 'the whole cluster'));
  show(document.getElementById('status'),
    operator.ready ? paused.length ? null : pill('ready', 'good live') : operator.begun ? pill('in trouble', 'bad') : pill('not ready', 'warn live'),
    paused.length ? pill(operator.leads === false ? 'stands by' : 'paused', 'warn') : null,
    operator.leads ? pill('leads', '') : null,
    operator.shards ? pill(`${operator.shards.served} of ${operator.shards.of} shards`, '') : null);
}

function troubles(told) {
  const { operator } = told;
  const all = [
    ...operator.troubles.map(text => [text, 'bad']),
    ...told.streams.filter(stream => stream.trouble).map(stream => [`${stream.resource}: ${stream.trouble}`, 'bad']),
    ...(operator.missingRights ?? []).map(({ right, count: times }) => [`The account may not ${right} (asked ${times} times)`, 'bad']),
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
  return panel('The last minutes', 'red: not succeeded; dark: median',
    h('div', { class: 'charts' },
      chart('Events', rate, step, perSecond(figures.events)),
      chart('Handler calls', rate, step, perSecond(figures.calls), { bars: perSecond(figures.failures) }),
      chart('Requests', rate, step, perSecond(figures.requests), { bars: perSecond(figures.refused) }),
      chart('Events wait', duration, step, figures.waitedHigh, { medians: figures.waitedMedian }),
      chart('Calls take', duration, step, figures.callHigh, { medians: figures.callMedian }),
      chart('Requests take', duration, step, figures.requestHigh, { medians: figures.requestMedian })));
}

function objects(told) {
  uids = told.objects.slice(0, rowsMax).map(object => object.uid);
  const kinds = new Set(told.kinds.map(kind => kind.resource));
  const shown = told.objects.length;
  const note = told.matching > shown ? `the ${shown} most interesting of ${count(told.matching)}` : count(told.matching) + (told.matching === told.all ? '' : ' of ' + count(told.all));
  const chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds' },
    [...kinds].map(kind => h('button', { type: 'button', 'data-kind': kind, 'aria-pressed': String(filter.kind === kind) }, kind)));
  return panel('Objects', note + (told.troublesIncomplete ? '; more have failed than are remembered' : ''),
    kinds.size > 1 ? chips : null,
    shown
      ? [table('Objects', [['Object'], ['State'], ['When', 'wide'], ['What is known', 'wide']], told.objects.slice(0, rowsMax).map(object => objectRow(object, told))),
        shown > rowsMax ? h('p', { class: 'more' }, h('button', { type: 'button', 'data-more': 'true' }, `Show ${shown - rowsMax} more`)) : null]
      : h('p', { class: 'hint' }, told.all ? 'No object matches.' : 'There are no objects yet.'));
}

function objectRow(object, told) {
  const [word, kind] = STATES[object.state];
  const moment = object.waitedMillis !== undefined ? 'for ' + duration(object.waitedMillis)
    : object.next ? time(object.next, told.at) : '';
  const trouble = object.trouble;
  return h('tr', { class: 'link' + (object.uid === chosen ? ' chosen' : ''), 'data-uid': object.uid, 'data-key': object.uid },
    h('td', { class: 'name' },
      h('a', { href: '#/object/' + encodeURIComponent(object.uid) }, (object.namespace ? object.namespace + '/' : '') + object.name),
      h('span', { class: 'sub' }, object.kind),
      trouble ? h('span', { class: 'message narrow' }, failure(trouble)) : null),
    h('td', null, pill(word, kind)),
    h('td', { class: 'wide moment' }, moment, object.events > 1 ? ` · ${object.events} events` : null),
    h('td', { class: 'wide' },
      trouble ? h('span', { class: 'message' }, failure(trouble)) : null,
      object.daemons && !trouble ? h('span', { class: 'message' }, 'has daemons or timers') : null));
}

function failure(trouble) {
  return `${trouble.handler}, attempt ${trouble.attempt}: ${trouble.message || trouble.outcome}`;
}

/** A resource with its version and group below it. */
function resource(name) {
  const dot = name.indexOf('.');
  return [name.slice(0, dot), h('span', { class: 'sub' }, name.slice(dot + 1))];
}

function kinds(told) {
  return panel('Kinds', null,
    table('Kinds', [['Resource'], ['Objects', 'num'], ['Failing', 'num'], ['Working', 'num'], ['Queued', 'num'], ['Waiting', 'num']],
      told.kinds.map(kind => h('tr', null,
        h('td', null, resource(kind.resource)),
        number(kind.objects), number(kind.failing), number(kind.working), number(kind.queued + kind.blocked), number(kind.waiting)))));
}

function handlers(told) {
  if (!told.handlers.length) {
    return panel('Handlers', null, h('p', { class: 'hint' }, 'No handler was called yet.'));
  }
  return panel('Handlers', 'calls since the start',
    table('Handlers', [['Handler'], ['Calls', 'num'], ['Failed', 'num'], ['Median', 'num wide'], ['95%', 'num']],
      told.handlers.map(handler => {
        const all = Object.values(handler.calls).reduce((total, value) => total + value, 0);
        return h('tr', null,
          h('td', null, handler.id, h('span', { class: 'sub' }, `${handler.kind} · ${handler.resource.split('.')[0]}`)),
          number(all), number(all - (handler.calls.succeeded ?? 0)),
          h('td', { class: 'num wide' }, duration(handler.medianMillis)), h('td', { class: 'num' }, duration(handler.highMillis)));
      })));
}

function streams(told) {
  return panel('Streams', 'since the server was last heard',
    table('Streams', [['Stream'], ['State'], ['Objects', 'num'], ['Heard', 'num']],
      told.streams.map(stream => h('tr', null,
        h('td', null, stream.resource.split('.')[0], h('span', { class: 'sub' }, stream.namespace ?? 'the whole cluster')),
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

// An object.

const VERDICTS = {
  'would-run': ['runs now', 'live'],
  'done': ['done', 'good'],
  'waits': ['waits', 'warn'],
  'failed': ['failed', 'bad'],
  'paused': ['paused', 'warn'],
  'refused': ['refused', 'bad'],
  'right-missing': ['right missing', 'bad'],
  'not-watched': ['not watched', 'warn'],
  'deletion-held': ['deletion held', 'warn'],
  'wrong-cause': ['not concerned', 'quiet'],
  'filter-mismatch': ['filtered out', 'quiet'],
  'may-run': ['depends', 'quiet'],
};

function objectPage(uid, told) {
  if (told === null) {
    document.title = 'gone · kopf4j console';
    show(main, h('p', { class: 'hint' }, 'The operator does not know this object (any more): it is gone, or not watched. '),
      h('p', null, h('a', { href: '#/' }, 'All objects')));
    stopHistory();
    return;
  }
  const name = (told.namespace ? told.namespace + '/' : '') + told.name;
  document.title = name + ' · kopf4j console';
  status(told);
  const [word, kind] = STATES[told.state];
  followHistory(uid);
  shown = told;
  show(main,
    h('div', { class: 'crumbs', 'data-key': 'crumbs' },
      h('a', { href: '#/' }, 'All objects'), h('h1', null, name), pill(word, kind), h('span', { class: 'note' }, told.resource)),
    h('div', { class: 'columns', 'data-key': 'columns' }, facts(told), memory(told)),
    why(told),
    background(told),
    children(told),
    history());
}

function fact(term, ...value) {
  const known = value.flat().filter(each => each !== null && each !== undefined && each !== false && each !== '');
  return known.length ? [h('dt', null, term), h('dd', null, known)] : [];
}

function facts(told) {
  const meta = told.metadata ?? {};
  return panel('What it is', null,
    h('dl', { class: 'facts' },
      fact('Since it was handled', told.why ? told.why.replace(/^it /, 'It ') : null, told.finalizer ? ' ' + told.finalizer + '.' : null),
      fact('On the server', told.unreadable ? h('span', { class: 'message bad' }, told.unreadable) : told.exists === false ? 'It is gone.' : null),
      fact('Next look', told.next ? time(told.next, told.at) : null),
      fact('Waiting events', told.events ? [count(told.events), told.waitedMillis !== undefined ? ', for ' + duration(told.waitedMillis) : null] : null),
      fact('Created', meta.creationTimestamp ? time(meta.creationTimestamp, told.at) : null),
      fact('Deleted', meta.deletionTimestamp ? [time(meta.deletionTimestamp, told.at), '; held by finalizers'] : null),
      fact('Finalizers', (meta.finalizers ?? []).length ? h('span', { class: 'mono' }, meta.finalizers.join(', ')) : null),
      fact('Owners', (meta.owners ?? []).map((owner, at) => [at ? ', ' : '', `${owner.kind} `, objectLink(owner.uid, owner.name)])),
      fact('Version', meta.resourceVersion ? h('span', { class: 'mono' }, meta.resourceVersion) : null),
      fact('Uid', h('span', { class: 'mono' }, told.uid))));
}

function objectLink(uid, text) {
  return uid ? h('a', { href: '#/object/' + encodeURIComponent(uid) }, text) : text;
}

function memory(told) {
  const known = told.memory ?? {};
  return panel('What only memory knows', null,
    h('dl', { class: 'facts' },
      fact('At work', known.busy ? 'A worker looks at it, or it waits for one.' : 'Nobody works on it.'),
      fact('After the start', known.busy ? null : known.resumed ? 'It was handled since the operator has started.' : 'It was not handled since the operator has started.'),
      fact('Failed for good', (known.failed ?? []).join(', ')),
      fact('Errors in a row', known.errorsInRow ? count(known.errorsInRow) : null),
      fact('Not written yet', known.unsent ? 'A change could not be written, and is written first.' : null),
      fact('Waits', known.removed ? 'Something keeps removing the operator\'s annotations or finalizer (K4-027).' : null),
      fact('Holds back', known.changing ? 'The object changes each time that it is written (K4-028).' : null),
      fact('Have seen a newer state', (known.seen ?? []).join(', ')),
      fact('Ended for good', (known.ended ?? []).join(', '))));
}

function why(told) {
  const rows = told.handlers ?? [];
  const troubles = new Map((told.troubles ?? []).map(trouble => [trouble.handler, trouble]));
  return panel('Handlers', 'what each would do now, and why',
    rows.length
      ? table('Handlers of the object', [['Handler'], ['State'], ['Why'], ['Its last call', 'wide']],
        rows.map(row => {
          const [word, kind] = VERDICTS[row.verdict] ?? [row.verdict, ''];
          const found = troubles.get(row.id);
          const trouble = found?.kind === row.kind ? found : null;
          const last = trouble ? `attempt ${trouble.attempt}, ${away(trouble.at, told.at)}: ${trouble.message || trouble.outcome}` : null;
          const runs = (told.memory?.running ?? []).find(each => each.id === row.id);
          return h('tr', null,
            h('td', null, row.parent ? '↳ ' : '', row.id, h('span', { class: 'sub' }, row.kind)),
            h('td', null, runs ? pill('runs', 'good') : pill(word, kind)),
            h('td', null, row.next ? ['attempt ', count(row.attempt), ' ', time(row.next, told.at)] : runs ? 'it runs beside the object: see below' : short(row.words),
              last ? h('span', { class: 'message bad narrow' }, last) : null),
            h('td', { class: 'wide' }, last ? h('span', { class: 'message bad' }, last) : null));
        }))
      : h('p', { class: 'hint' }, told.exists ? 'No handler is for it.' : told.unreadable ? 'It cannot be told what they would do, as the API server does not tell the object.' : 'It cannot be told what they would do.'));
}

function short(words) {
  return words.replace(/^may run, depending on memory: /, '').replace(/^wrong cause: /, '');
}

function background(told) {
  const rows = told.memory?.running ?? [];
  return rows.length
    ? panel('Daemons and timers', null,
      table('Daemons and timers', [['Id'], ['State'], ['Next call'], ['Last failure', 'wide']],
        rows.map(row => h('tr', null,
          h('td', null, row.id, h('span', { class: 'sub' }, row.kind)),
          h('td', null, pill(row.state, row.state === 'working' ? 'working live' : row.state === 'abandoned' ? 'bad' : 'quiet')),
          h('td', null, row.next ? time(row.next, told.at) : '–'),
          h('td', { class: 'wide' }, row.message ? h('span', { class: 'message bad' }, `attempt ${row.attempt}: ${row.message}`) : null)))))
    : null;
}

function children(told) {
  const failures = Object.entries(told.memory?.children?.failures ?? {});
  return told.childrenCount || failures.length
    ? panel('Children', count(told.childrenCount),
      failures.length ? h('ul', { class: 'plain' }, failures.map(([child, why]) => h('li', null, child, ' ', h('span', { class: 'message bad' }, why)))) : null,
      !told.childrenCount ? null : table('Children', [['Child'], ['State'], ['Handler', 'wide']],
        told.children.map(child => h('tr', null,
          h('td', { class: 'name' }, (child.namespace ? child.namespace + '/' : '') + child.name, h('span', { class: 'sub' }, child.resource)),
          h('td', null, child.deleting ? pill('being deleted', 'warn') : child.trouble ? [pill('not ready', 'warn'), ' ', h('span', { class: 'message' }, child.trouble)] : child.settled || !child.handler ? pill('ready', 'good') : pill('to be looked at', '')),
          h('td', { class: 'wide' }, child.handler || h('span', { class: 'note' }, 'not made by this operator'))))))
    : null;
}

// The history of an object: the newest lines come first.

const LINES_MAX = 300;
const NO_CONTENT = 204;
const NOTHING_YET = 'Nothing has been recorded of it yet, or not any more.';
let followed = null;
let source = null;
let lines = [];
let position = '0';
let nothing = NOTHING_YET; // what is said if there are no lines

function history() {
  return panel('History', lines.length ? `the newest ${lines.length} steps; times of ${Intl.DateTimeFormat().resolvedOptions().timeZone}` : null,
    lines.length
      ? h('ol', { class: 'line-list', tabindex: '0', role: 'list', 'aria-label': 'History' }, lines.map(line => h('li', { 'data-key': line.n },
        h('time', { datetime: line.at, title: line.at }, clock(line.at, 3)),
        h('span', { class: 'step' }, STEP_WORDS[line.step] ?? line.step),
        h('span', { class: isBad(line) ? 'fail' : null }, words(line)))))
      : h('p', { class: 'hint' }, nothing));
}

const STEP_WORDS = { 'call-ended': 'call', 'cycle-ended': 'cycle', 'cycle-failed': 'cycle' };

function isBad(line) {
  return line.step === 'cycle-failed' || line.step === 'unreadable' || line.failure || (line.step === 'request' && (line.status === 0 || line.status >= 400));
}

function words(line) {
  const took = line.took === undefined ? '' : ` after ${duration(line.took)}`;
  switch (line.step) {
    case 'event': return `${line.type}, version ${line.version}${line.waits ? '' : ': nothing to do'}`;
    case 'woken': return `woken up: ${line.why}`;
    case 'cycle': return [line.reason, line.decision, (line.changed ?? []).join(', '), (line.handlers ?? []).length ? 'handlers ' + line.handlers.join(', ') : ''].filter(Boolean).join(' · ');
    case 'cycle-ended': return 'ends' + took + (line.next ? '; next at ' + clock(line.next) : '');
    case 'cycle-failed': return `fails: ${line.failure ?? ''}`;
    case 'call': return `${line.handler} begins` + (line.attempt > 1 ? `, attempt ${line.attempt}` : '');
    case 'call-ended': return `${line.handler} ${line.outcome}${took}` + (line.failure ? ': ' + line.failure : '');
    case 'request': return `${line.verb} ${line.path} ${line.status || 'no answer'}${took}` + ((line.paths ?? []).length ? ': ' + line.paths.join(', ') : '');
    case 'children': return 'not ready: ' + (line.notReady ?? []).join(', ');
    case 'handling': return line.state;
    default: return Object.entries(line).filter(([key]) => !['n', 'at', 'step', 'resource', 'kind', 'object', 'uid'].includes(key)).map(([key, value]) => `${key} ${value}`).join(', ');
  }
}

function followHistory(uid) {
  if (followed === uid) {
    return;
  }
  stopHistory();
  followed = uid;
  openHistory();
}

/** Nobody looks at a hidden page: it leaves its connection to others, of which a browser has six for all its tabs. */
function watchVisibility() {
  if (document.hidden) {
    closeHistory();
  } else {
    refresh();
    if (followed !== null && source === null) {
      openHistory();
    }
  }
}

function openHistory() {
  if (document.hidden) {
    return;
  }
  const path = '/events?uid=' + encodeURIComponent(followed) + '&after=' + position;
  const opened = new EventSource(path);
  source = opened;
  let news = [];
  source.addEventListener('message', event => {
    news.push(JSON.parse(event.data));
  });
  source.addEventListener('position', event => {
    position = event.lastEventId || position;
    nothing = NOTHING_YET;
    if (news.length) {
      lines = [...news.reverse(), ...lines].slice(0, LINES_MAX);
      news = [];
      if (shown?.uid === followed) {
        objectPage(followed, shown); // the lines do not wait for the server of the API, of which the rest is asked
      }
      refresh();
    }
  });
  source.addEventListener('error', () => {
    if (source === opened && opened.readyState === EventSource.CLOSED) {
      reopenHistory(path);
    }
  });
}

/** The browser does not tell why it has given up: that there is no record is for good, anything else is not. */
async function reopenHistory(path) {
  const mine = source;
  let status = 0;
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE) });
    status = answer.status;
    await answer.body?.cancel();
  } catch {
    status = 0; // nobody answers: the page says so already
  }
  if (source !== mine) {
    return;
  }
  if (status === NO_CONTENT) {
    nothing = 'Nothing is recorded (recorder.memory=0).';
    refresh();
  } else {
    nothing = 'The record cannot be read at the moment.';
    setTimeout(() => source === mine && openHistory(), REFRESH);
  }
}

function closeHistory() {
  source?.close();
  source = null;
}

function stopHistory() {
  closeHistory();
  followed = null;
  shown = null;
  lines = [];
  position = '0';
  nothing = NOTHING_YET;
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
  } else if (button?.dataset.more) {
    rowsMax = Infinity;
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
document.addEventListener('visibilitychange', watchVisibility);
addEventListener('hashchange', () => {
  show(main);
  stopHistory();
  scrollTo(0, 0);
  refresh();
});
refresh();
