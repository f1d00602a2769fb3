// What the console's pages are made of: elements, pictures, texts. All texts become text nodes, never HTML.

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an element: h('a', {href: '#/'}, 'text', child). What is null or false is left out. */
export function h(name, attributes, ...children) {
  const made = document.createElement(name);
  return filled(made, attributes, children);
}

function s(name, attributes, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  for (const child of children.flat(9)) {
    if (child !== null && child !== undefined && child !== false) {
      made.append(child instanceof Node ? child : visible(String(child)));
    }
  }
  return made;
}

/** As the log has it: what others write gives no command, and does not turn the direction of writing. */
function visible(text) {
  return text.replace(/[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g,
    each => '\\u' + each.charCodeAt(0).toString(16).padStart(4, '0'));
}

/** Makes what is shown like what is wanted, and keeps all elements that can stay: focus, selection and scrolling, too. */
export function show(place, ...wanted) {
  const next = h('div', null, wanted);
  const focused = document.activeElement;
  morphChildren(place, next);
  if (document.activeElement !== focused && place.contains(focused)) {
    focused.focus({ preventScroll: true }); // what is moved loses it
  }
}

/** Elements with a key stay what they are wherever they are now, such as the rows of objects that change their order. */
function morphChildren(now, wanted) {
  const from = [...wanted.childNodes];
  const keys = new Set(from.map(keyOf));
  [...now.childNodes].filter(old => !keys.has(keyOf(old))).forEach(old => old.remove());
  from.forEach((node, at) => {
    const there = now.childNodes[at];
    const old = sameFrom(there, node);
    if (!old) {
      if (there && keyOf(there) === undefined) {
        there.replaceWith(node);
      } else {
        now.insertBefore(node, there ?? null);
      }
      return;
    }
    if (old !== there) {
      now.insertBefore(old, there);
    }
    if (old.nodeType !== Node.TEXT_NODE) {
      morphAttributes(old, node);
      morphChildren(old, node);
    } else if (old.data !== node.data) {
      old.data = node.data;
    }
  });
  while (now.childNodes.length > from.length) {
    now.lastChild.remove();
  }
}

/** What the wanted node is now: the one in its place, or one with its key further on. */
function sameFrom(there, node) {
  const key = keyOf(node);
  let old = there;
  while (old && key !== undefined && keyOf(old) !== key) {
    old = old.nextSibling;
  }
  return old && old.nodeName === node.nodeName && keyOf(old) === key ? old : null;
}

function keyOf(node) {
  return node.dataset?.key;
}

function morphAttributes(old, wanted) {
  for (const name of old.getAttributeNames()) {
    if (!wanted.hasAttribute(name)) {
      old.removeAttribute(name);
    }
  }
  for (const name of wanted.getAttributeNames()) {
    if (old.getAttribute(name) !== wanted.getAttribute(name)) {
      old.setAttribute(name, wanted.getAttribute(name));
    }
  }
}

/** A panel with a heading. */
export function panel(title, note, ...children) {
  const id = 'panel-' + title.toLowerCase().replace(/[^a-z]+/g, '-');
  return h('section', { class: 'panel', 'aria-labelledby': id, 'data-key': id },
    h('header', null, h('h2', { id }, title), note ? h('span', { class: 'note' }, note) : null),
    children);
}

/** A table in a box that scrolls if it is too wide: columns are [title, class]. */
export function table(label, columns, rows) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': label },
    h('table', null,
      h('thead', null, h('tr', null, columns.map(([title, kind]) => h('th', { scope: 'col', class: kind }, title)))),
      h('tbody', null, rows)));
}

export function pill(text, kind) {
  return h('span', { class: 'pill ' + (kind ?? '') }, text);
}

export function number(value) {
  return h('td', { class: 'num' + (value ? '' : ' zero') }, count(value));
}

export function count(value) {
  return Number(value ?? 0).toLocaleString('en-US', { maximumFractionDigits: 1 });
}

/** Milliseconds in words: 0.4 ms, 12 ms, 3.1 s, 4 min, 2 h, 3 d. */
export function duration(millis) {
  if (millis === null || millis === undefined) {
    return '–';
  }
  const steps = [[1, 'ms'], [1000, 's'], [60000, 'min'], [3600000, 'h'], [86400000, 'd']];
  const [unit, word] = steps.findLast(([size]) => millis >= size * (size > 1000 ? 1.5 : 1)) ?? steps[0];
  const value = millis / unit;
  return (value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)) + ' ' + word;
}

/** How long ago a moment was, or how far away it is. */
export function away(moment, now) {
  const millis = Date.parse(moment) - Date.parse(now);
  return Math.abs(millis) < 1000 ? 'now' : millis > 0 ? 'in ' + duration(millis) : duration(-millis) + ' ago';
}

/** The time of day where the reader is, as the log of the operator and `kopf4j history` tell it where they run. */
export function clock(moment, digits) {
  return new Date(moment).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: digits });
}

export function time(moment, now, words) {
  return h('time', { datetime: moment, title: moment }, words ?? away(moment, now));
}

const WIDTH = 300;
const HEIGHT = 60;

/**
 * A chart of the last minutes: an area of how many, with red bars of failures; or, with marks in place of an area, a bar
 * for each moment, whose dark part is the median. null is a gap.
 */
export function chart(title, unit, step, values, { bars = [], medians = null } = {}) {
  const known = values.filter(value => value !== null);
  const top = Math.max(1e-9, ...known);
  const width = WIDTH / values.length;
  const x = at => (at * width).toFixed(1);
  const y = value => (HEIGHT - value * (HEIGHT - 4) / top).toFixed(1);
  const columns = series => series.map((value, at) => value ? `M${x(at)} ${HEIGHT}V${y(value)}h${(width * 0.9).toFixed(1)}V${HEIGHT}Z` : '').join('');
  const line = values.map((value, at) => (at ? 'L' : 'M') + x(at + 0.5) + ' ' + y(value ?? 0)).join('');
  const last = values.findLast(value => value !== null);
  const most = unit(known.length ? Math.max(...known) : 0);
  const words = `${title}, the last ${Math.round(values.length * step / 60)} minutes: now ${unit(last ?? 0)}, at most ${most}`;
  return h('figure', { class: 'chart' },
    h('figcaption', null, h('span', null, title), h('span', null, h('b', null, last === undefined ? '–' : unit(last)), ' · max ', most)),
    s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': words },
      s('path', { class: 'base', d: `M0 ${HEIGHT}H${WIDTH}` }),
      medians
        ? [s('path', { class: 'high', d: columns(values) }), s('path', { class: 'median', d: columns(medians) })]
        : [s('path', { class: 'area', d: line + `L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z` }), s('path', { class: 'line', d: line }), s('path', { class: 'bars', d: columns(bars) })]));
}

/** A request that has not been answered for so long, will not be: what is shown would be old without a word of it. */
export const PATIENCE = 10000;

/** Asks for JSON; null if there is nothing of that name any more. */
export async function ask(path) {
  const answer = await fetch(path, { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(PATIENCE) });
  if (answer.status === 404) {
    return null;
  }
  if (!answer.ok) {
    throw new Error((await answer.text()).trim() || 'status ' + answer.status);
  }
  return answer.json();
}
