// Makes docs/pictures/NAME.svg of each NAME.dot, and of each NAME.txt, which is a session at a terminal, so that repositories show them, too. With --check it only says which are not up to date.
import { instance } from '@viz-js/viz'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'

const folder = new URL('../docs/pictures/', import.meta.url)
const viz = await instance()
const check = process.argv.includes('--check')
let old = 0

function graph(text) {
  return viz
    .renderString(text, {
      format: 'svg',
      graphAttributes: { bgcolor: 'transparent', fontname: 'sans-serif', pad: 0.1 },
      nodeAttributes: { margin: '0.25,0.1', fontname: 'sans-serif', fontsize: 12, color: 'currentColor', fontcolor: 'currentColor' },
      edgeAttributes: { fontname: 'sans-serif', fontsize: 10, color: 'currentColor', fontcolor: 'currentColor' },
    })
    .replace('<svg ', '<svg color="#57606a" ')
}

/** One line comes after the other, once; at once for those who want no motion. */
function session(text) {
  const lines = text.trimEnd().split('\n')
  const escaped = line => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const height = lines.length * 20 + 40
  let time = 0
  const rows = lines.map((line, i) => {
    time += line.startsWith('$') ? 1 : 0.25
    return `<text class="${line.startsWith('$') ? 'typed' : 'told'}" x="20" y="${38 + i * 20}" style="animation-delay:${time.toFixed(2)}s">${escaped(line)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 ${height}" width="780" height="${height}">
<style>
text { font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre; animation: come 0.01s both; }
.typed { fill: #a5d6ff; } .told { fill: #e6edf3; }
@keyframes come { from { opacity: 0 } to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="780" height="${height}" rx="8" fill="#0d1117"/>
${rows.join('\n')}
</svg>
`
}

for (const name of readdirSync(folder).filter(each => /\.(dot|txt)$/.test(each))) {
  const text = readFileSync(new URL(name, folder), 'utf8')
  const svg = name.endsWith('.dot') ? graph(text) : session(text)
  const file = new URL(name.replace(/(dot|txt)$/, 'svg'), folder)
  if (existsSync(file) && readFileSync(file, 'utf8') === svg) continue
  old++
  if (check) console.error(`docs/pictures/${name} has changed: node site/pictures.mjs`)
  else writeFileSync(file, svg)
}
process.exitCode = check && old > 0 ? 1 : 0
