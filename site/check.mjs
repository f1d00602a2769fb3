// Judges the site as built: links and anchors that lead nowhere, menu entries without a page, pages in no menu, requests off the site, and where
// searches lead. Prints what is wrong, and ends with 1 if there is something.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import { sidebar } from './.vitepress/navigation.mjs'
import { searchOptions } from './.vitepress/search.mjs'

const site = fileURLToPath(new URL('target/site/', import.meta.url))
const found = new Set()
const problems = { push: problem => found.add(problem) }

const pages = new Map()
for (const file of readdirSync(site, { recursive: true })) {
  if (file.endsWith('.html') && file !== '404.html') pages.set(`/${file}`, readFileSync(path.join(site, file), 'utf8'))
}
const assets = new Set(readdirSync(site, { recursive: true }).map(file => `/${file}`))
const ids = new Map([...pages].map(([page, html]) => [page, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(match => decode(match[1])))]))

function decode(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
}

function pageOf(url) {
  const file = url.endsWith('/') ? `${url}index.html` : url
  return pages.has(file) ? file : pages.has(`${file}.html`) ? `${file}.html` : null
}

function checkLink(page, href) {
  const url = new URL(decode(href), `https://site${page}`)
  if (url.host !== 'site') return
  const target = pageOf(decodeURI(url.pathname))
  if (target === null) {
    if (!assets.has(decodeURI(url.pathname))) problems.push(`${page}: ${href} leads to no page`)
  } else if (url.hash && !ids.get(target).has(decodeURIComponent(url.hash.slice(1)))) {
    problems.push(`${page}: ${href} leads to no heading`)
  }
}

for (const [page, html] of pages) {
  for (const [, href] of html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) checkLink(page, href)
  for (const [, source] of html.matchAll(/<(?:script|img|iframe|source|video|audio)\s[^>]*?src="([^"]*)"/g)) {
    if (/^(https?:)?\/\//.test(source)) problems.push(`${page}: asks another host for ${source}`)
  }
  for (const [tag] of html.matchAll(/<link\s[^>]*>/g)) {
    if (/rel="(stylesheet|preload|modulepreload|icon)"/.test(tag) && /href="(https?:)?\/\//.test(tag)) problems.push(`${page}: asks another host: ${tag}`)
  }
}

const menu = sidebar.flatMap(group => group.items.map(item => item.link))
const listed = new Set()
for (const link of menu) {
  const target = pageOf(link)
  if (target === null) problems.push(`navigation: ${link} is no page`)
  else if (listed.has(target)) problems.push(`navigation: ${link} stands there twice`)
  else listed.add(target)
}
// Examples, and what is about the inside of a module, are reached from the pages that they belong to.
const elsewhere = /^\/(index|examples\/[^/]+|architecture-of-[^/]+|deploy)\.html$/
for (const page of pages.keys()) {
  if (!listed.has(page) && !elsewhere.test(page)) problems.push(`${page} is in no menu`)
}

/** The same index and the same options as the page's search box. */
function searchIndex() {
  const chunks = path.join(site, 'assets/chunks')
  const file = readdirSync(chunks).find(name => name.startsWith('@localSearchIndexroot'))
  const text = readFileSync(path.join(chunks, file), 'utf8')
  const json = /^const \w+\s*=\s*('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*")/s.exec(text)
  return MiniSearch.loadJSON(new Function(`return ${json[1]}`)(), { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] })
}

const rows = readFileSync(new URL('searches.tsv', import.meta.url), 'utf8').split('\n').filter(line => line && !line.startsWith('#'))
const index = searchIndex()
for (const row of rows) {
  const [words, wanted] = row.split('\t')
  const first = index.search(words, searchOptions)[0]
  const page = first === undefined ? 'nothing' : first.id.replace(/#.*/, '')
  if (!wanted.split(' ').includes(page)) problems.push(`search: '${words}' leads to ${first?.id ?? page} first, not to ${wanted}`)
}

found.forEach(problem => console.error(problem))
console.log(`${pages.size} pages, ${rows.length} searches, ${found.size} problems`)
process.exitCode = found.size === 0 ? 0 : 1
