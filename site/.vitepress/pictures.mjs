// Pictures are text: docs/pictures/NAME.dot, beside it the SVG that repositories show. `npm run pictures` makes the SVGs anew.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Puts pictures into the pages themselves, so that they take the colours of the page, light or dark. */
export function pictures(md, root) {
  const image = md.renderer.rules.image
  md.renderer.rules.image = (tokens, i, options, env, self) => {
    const source = tokens[i].attrGet('src')
    const file = path.join(root, path.relative(root, path.dirname(env.realPath ?? env.path)), source)
    if (!source.endsWith('.svg') || !existsSync(file)) return image(tokens, i, options, env, self)
    const svg = readFileSync(file, 'utf8').replace(/^[\s\S]*?<svg/, '<svg')
    const text = md.utils.escapeHtml(tokens[i].content)
    return `<span class="picture" v-pre>${svg.replace('<svg', `<svg role="img" aria-label="${text}"`)}</span>`
  }
}
