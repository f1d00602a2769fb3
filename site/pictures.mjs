// Makes docs/pictures/NAME.svg of each NAME.dot, so that repositories show them, too. With --check it only says which are not up to date.
import { instance } from '@viz-js/viz'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'

const folder = new URL('../docs/pictures/', import.meta.url)
const viz = await instance()
const check = process.argv.includes('--check')
let old = 0
for (const name of readdirSync(folder).filter(each => each.endsWith('.dot'))) {
  const svg = viz
    .renderString(readFileSync(new URL(name, folder), 'utf8'), {
      format: 'svg',
      graphAttributes: { bgcolor: 'transparent', fontname: 'sans-serif', pad: 0.1 },
      nodeAttributes: { margin: '0.25,0.1', fontname: 'sans-serif', fontsize: 12, color: 'currentColor', fontcolor: 'currentColor' },
      edgeAttributes: { fontname: 'sans-serif', fontsize: 10, color: 'currentColor', fontcolor: 'currentColor' },
    })
    .replace('<svg ', '<svg color="#57606a" ')
  const file = new URL(name.replace(/dot$/, 'svg'), folder)
  const same = existsSync(file) && readFileSync(file, 'utf8') === svg
  if (same) continue
  old++
  if (check) console.error(`docs/pictures/${name} has changed: node site/pictures.mjs`)
  else writeFileSync(file, svg)
}
process.exitCode = check && old > 0 ? 1 : 0
