// Looks at the pages of an operator's console in a real Chromium, with an operator that says what each rule wants to have shown. Prints the rules that do not
// hold, and why. Ends with 1 if there are some, with 3 if there is no Chromium.
//
//   node console.mjs [RULE...]      all rules, or these
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import puppeteer from 'puppeteer-core'

const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(file => file && existsSync(file))
if (!chromium) {
  console.error('console: there is no Chromium; install it, or name it in CHROMIUM')
  process.exit(3)
}

const AT = '2026-01-01T00:00:30Z'
const operator = { version: 'kopf4j/1', started: '2026-01-01T00:00:00Z', ready: true, begun: true, scope: [], paused: [], troubles: [], missingRights: [] }
const none = Array(60).fill(0)
const figures = Object.fromEntries(['events', 'calls', 'failures', 'requests', 'refused', 'waitedHigh', 'waitedMedian', 'callHigh', 'callMedian', 'requestHigh', 'requestMedian'].map(name => [name, none]))
const kind = { resource: 'vaults.v1.kopf.dev', kind: 'Vault', objects: 3, failing: 0, paused: 0, working: 0, queued: 0, blocked: 0, waiting: 0, resting: 3, throttled: 0 }

function object(name, more) {
  return { uid: 'uid-' + name, resource: 'vaults.v1.kopf.dev', kind: 'Vault', namespace: 'default', name, state: 'resting', activity: 'resting', ...more }
}

function snapshot(...objects) {
  return { at: AT, operator, streams: [], kinds: [kind], objects, matching: objects.length, all: objects.length, figures: { stepSeconds: 5, ...figures }, handlers: [], requests: {}, indices: [], settings: [] }
}

function told(name, more) {
  return { at: AT, operator, ...object(name), troubles: [], memory: {}, childrenCount: 0, children: [], exists: true, metadata: {}, why: 'it is as it was handled', handlers: [], ...more }
}

function line(n, more) {
  return { n, at: AT, step: 'woken', why: 'step ' + n, ...more }
}

/** What an operator answers; null for an object that it does not know, a number for a status, a promise for what takes its time. */
const answers = { '/snapshot': () => snapshot(), '/object': () => null, '/events': () => [] }

const files = new URL('../core/src/main/resources/dev/kopf4j/engine/console/', import.meta.url)
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://console')
  const file = new URL(pathname === '/' ? 'console.html' : pathname.slice(1), files)
  if (!answers[pathname]) {
    return existsSync(file) ? response.writeHead(200, { 'Content-Type': types[file.pathname.split('.').pop()] }).end(readFileSync(file)) : response.writeHead(404).end()
  }
  const answer = await answers[pathname]()
  if (pathname === '/events') {
    const lines = answer.map(each => `id: ${each.n}\ndata: ${JSON.stringify(each)}\n\n`).join('')
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(`retry: 100\n\n${lines}event: position\ndata: 0\n\n`)
  } else if (answer === null || typeof answer === 'number') {
    response.writeHead(answer ?? 404).end(answer === 503 ? 'Not all objects are known yet.' : '')
  } else {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
  }
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${server.address().port}/`
const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })

async function open(hash, { width = 1280 } = {}) {
  const page = await browser.newPage()
  await page.setViewport({ width, height: 900 })
  await page.goto(address + hash, { waitUntil: 'load' })
  return page
}

/** Until the page has the text, and then all that is to be seen of it. */
async function seen(page, text) {
  await page.waitForFunction(wanted => document.body.innerText.includes(wanted), { timeout: 10000 }, text)
    .catch(async () => assert.fail(`'${text}' is not shown, but: ${await page.evaluate(() => document.body.innerText)}`))
  return page.evaluate(() => document.body.innerText)
}

const wider = selector => [...document.querySelectorAll(selector)].some(each => each.scrollWidth > each.clientWidth)

const rules = {
  async 'long names stay in their column'() {
    const name = 'a'.repeat(250)
    answers['/snapshot'] = () => snapshot(object('first'), object(name))
    for (const width of [1280, 360]) {
      const page = await open('', { width })
      await seen(page, 'default/first')
      assert.equal(await page.evaluate(wider, '[aria-label=Objects]'), false, `the table of objects is wider than its place at ${width} pixels`)
    }
    answers['/object'] = () => told(name, {
      metadata: { finalizers: [name], owners: [{ kind: 'Vault', name, uid: 'uid-' + name }] },
      childrenCount: 1, children: [{ name, resource: 'secrets.v1', handler: 'make', settled: true }],
    })
    answers['/events'] = () => [line(1, { step: 'request', verb: 'PATCH', path: '/apis/kopf.dev/v1/namespaces/default/vaults/' + name, status: 200 })]
    for (const width of [1280, 360]) {
      const other = await open('#/object/uid-' + name, { width })
      await seen(other, 'PATCH /apis')
      assert.equal(await other.evaluate(wider, 'html, .facts, .line-list, [aria-label=Children]'), false, `the page of an object is wider than ${width} pixels`)
    }
  },
  async 'a trouble with a long name stays on the page'() {
    answers['/snapshot'] = () => ({ ...snapshot(object('first')), operator: { ...operator, troubles: ['no room for ' + 'a'.repeat(250)] } })
    for (const width of [1280, 360]) {
      const page = await open('', { width })
      await seen(page, 'no room for')
      assert.equal(await page.evaluate(wider, 'html'), false, `the overview is wider than ${width} pixels`)
    }
  },
  async 'what others write does not turn the direction of writing'() {
    answers['/snapshot'] = () => snapshot(object('first', { state: 'retrying', trouble: { handler: 'make', attempt: 1, message: 'no \u202eevil\u2066 \u0007' } }))
    await seen(await open(''), 'no \\u202eevil\\u2066 \\u0007')
  },
  async 'the foot is told on each page'() {
    answers['/object'] = () => told('first')
    await seen(await open('#/object/uid-first'), 'started 30 s ago')
  },
  async 'the chosen object stays chosen when the order changes'() {
    answers['/snapshot'] = () => snapshot(object('first'), object('second'), object('third'))
    answers['/object'] = () => told('second')
    const page = await open('')
    await seen(page, 'default/third')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    answers['/snapshot'] = () => snapshot(object('second'), object('third'), object('fourth'), object('first'))
    const shown = await seen(page, 'default/fourth')
    assert.match(shown, /second[^]*third[^]*fourth[^]*first/)
    await page.keyboard.press('Enter')
    await seen(page, 'All objects')
    assert.equal(await page.evaluate(() => location.hash), '#/object/uid-second')
  },
  async 'what is known of an object goes on while its page is open'() {
    answers['/object'] = () => told('first')
    answers['/events'] = () => [line(1)]
    const page = await open('#/object/uid-first')
    await seen(page, 'woken up: step 1')
    let number = 1
    answers['/events'] = () => [line(++number)]
    answers['/object'] = () => new Promise(resolve => setTimeout(resolve, 2000, told('first', { unreadable: 'no answer in time' })))
    const late = await page.waitForFunction(() => document.body.innerText.includes('no answer in time')
      && Math.max(...[...document.querySelectorAll('.line-list li')].map(each => each.dataset.key)) > 5, { timeout: 15000 }).catch(() => null)
    assert.notEqual(late, null, 'the page waits for ever for the server, as the history goes on')
    const known = await page.$$eval('.line-list li', all => all.map(each => Number(each.dataset.key)))
    assert.deepEqual(known, known.toSorted((a, b) => b - a), 'the newest come first')
  },
  async 'the history stays while the operator starts'() {
    answers['/object'] = () => told('first')
    answers['/events'] = () => [line(1)]
    const page = await open('#/object/uid-first')
    await seen(page, 'woken up: step 1')
    answers['/object'] = () => 503
    answers['/events'] = () => []
    const shown = await seen(page, 'Not all objects are known yet.')
    assert.match(shown, /woken up: step 1/)
    assert.doesNotMatch(shown, /does not answer/)
  },
  async 'nothing is called old before something is shown'() {
    answers['/object'] = () => 503
    const shown = await seen(await open('#/object/uid-first'), 'Not all objects are known yet.')
    assert.doesNotMatch(shown, /What is shown is old/)
  },
  async 'a link that was cut is that of no object'() {
    const shown = await seen(await open('#/object/%'), 'does not know this object')
    assert.doesNotMatch(shown, /URI|does not answer/)
  },
  async 'children that cannot be written are told with the reason'() {
    answers['/object'] = () => told('first', { memory: { children: { failures: { 'Secret key': 'expected map, got string' } } } })
    await seen(await open('#/object/uid-first'), 'expected map, got string')
  },
  async 'the last failure is told on a phone too'() {
    answers['/object'] = () => told('first', {
      troubles: [{ handler: 'make', kind: 'create', outcome: 'temporary', attempt: 3, message: 'no database yet', at: AT }],
      handlers: [{ id: 'make', kind: 'create', verdict: 'waits', words: 'it waits', next: AT, attempt: 4 }],
    })
    for (const width of [360, 1280]) {
      const shown = await seen(await open('#/object/uid-first', { width }), 'no database yet')
      assert.equal(shown.split('no database yet').length, 2, 'it is told once')
    }
  },
}

let broken = 0
try {
  for (const [name, check] of Object.entries(rules)) {
    if (process.argv.length > 2 && !process.argv.slice(2).includes(name)) continue
    Object.assign(answers, { '/snapshot': () => snapshot(), '/object': () => null, '/events': () => [] })
    await check().catch(failure => {
      broken++
      console.error(`${name}: ${failure.message}`)
    })
    for (const page of (await browser.pages()).slice(1)) await page.close()
  }
} finally {
  await browser.close()
  server.close()
  server.closeAllConnections()
}
console.log(`${Object.keys(rules).length} rules, ${broken} do not hold`)
process.exitCode = broken === 0 ? 0 : 1
