// Looks at pages in a real Chromium, as people do: on a phone and on a desk, in light and dark. Prints what is wrong: errors of the page, requests to
// other hosts, what is wider than the screen, and what axe finds hard to use. Ends with 1 if there is something, with 3 if there is no Chromium.
//
//   node browse.mjs [--screens FOLDER] [--wait SELECTOR] URL...     the given pages
//   node browse.mjs [--screens FOLDER]                              ten pages of the built site
import { createServer } from 'node:http'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import puppeteer from 'puppeteer-core'

const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(file => file && existsSync(file))
if (!chromium) {
  console.error('browse: there is no Chromium; install it, or name it in CHROMIUM')
  process.exit(3)
}

const options = { screens: null, wait: 'body', urls: [] }
for (let i = 2; i < process.argv.length; i++) {
  const word = process.argv[i]
  if (word === '--screens') options.screens = process.argv[++i]
  else if (word === '--wait') options.wait = process.argv[++i]
  else options.urls.push(word)
}
if (options.screens) mkdirSync(options.screens, { recursive: true })

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.json': 'application/json' }

/** Serves the built site at a free port. */
function serve() {
  const root = fileURLToPath(new URL('target/site/', import.meta.url))
  const server = createServer((request, response) => {
    const file = path.join(root, decodeURIComponent(new URL(request.url, 'http://site').pathname).replace(/\/$/, '/index.html'))
    if (!file.startsWith(root) || !existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
}

const tenPages = ['', 'first-operator.html', 'examples/00-tutorial.html', 'handlers.html', 'settings.html', 'guarantees.html', 'coming-from-kopf.html',
  'command-line.html', 'observability.html', 'architecture.html']
const screens = [
  { name: 'phone', width: 390, height: 844, colours: 'light' },
  { name: 'desk', width: 1280, height: 900, colours: 'light' },
  { name: 'dark', width: 1280, height: 900, colours: 'dark' },
]

const problems = new Set()
const axe = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

async function look(browser, url, screen) {
  const page = await browser.newPage()
  const told = problem => problems.add(`${url} (${screen.name}): ${problem}`)
  page.on('pageerror', error => told(`fails: ${error.message}`))
  page.on('console', line => line.type() === 'error' && told(`logs an error: ${line.text()}`))
  page.on('request', request => {
    const asked = new URL(request.url())
    if (!['data:', 'blob:'].includes(asked.protocol) && asked.host !== new URL(url).host) told(`asks another host: ${request.url()}`)
  })
  await page.setViewport({ width: screen.width, height: screen.height })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: screen.colours }, { name: 'prefers-reduced-motion', value: 'reduce' }])
  // A page with a stream of events is never without traffic.
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForSelector(options.wait, { timeout: 15000 })
  await page.evaluate(() => document.fonts.ready)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) told(`is ${wide} pixels wider than the screen`)
  if (options.screens) {
    const name = url.replace(/^https?:\/\/[^/]+\//, '').replace(/[^a-z0-9-]+/gi, '_') || 'start'
    await page.screenshot({ path: path.join(options.screens, `${name}-${screen.name}.png`) })
  }
  await page.evaluate(axe)
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  for (const violation of found.violations) {
    told(`axe: ${violation.id}: ${violation.help}: ${violation.nodes.slice(0, 3).map(node => node.target.join(' ')).join(', ')}`)
  }
  await page.close()
}

const server = options.urls.length === 0 ? await serve() : null
const urls = server === null ? options.urls : tenPages.map(page => `http://127.0.0.1:${server.address().port}/${page}`)
const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] })
try {
  for (const url of urls) {
    for (const screen of screens) await look(browser, url, screen)
  }
} finally {
  await browser.close()
  server?.close()
}
problems.forEach(problem => console.error(problem))
console.log(`${urls.length} pages on ${screens.length} screens, ${problems.size} problems`)
process.exitCode = problems.size === 0 ? 0 : 1
