// The site is made of the Markdown files where they lie: this says which of them, in which order, and where links lead that are no pages.
import { defineConfig } from 'vitepress'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { navigation, sidebar } from './navigation.mjs'
import { pictures } from './pictures.mjs'
import { searchOptions } from './search.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const repository = 'https://github.com/kopf4j/kopf4j'
const tree = `${repository}/tree/main/`

// What of the repository is a page: everything else is shown where it lies, in the repository.
const pages = [/^docs\/[^/]+\.md$/, /^examples\/([^/]+\/)?README\.md$/, /^(ARCHITECTURE|CONTRIBUTING|CHANGELOG|SECURITY|CODE_OF_CONDUCT|MAINTAINERS)\.md$/,
  /^(devcluster|testing|types|cli)\/ARCHITECTURE\.md$/, /^(benchmarks|deploy)\/README\.md$/]
const isPage = file => pages.some(page => page.test(file))

/** Where a page is on the site. */
function address(file) {
  return file
    .replace(/^docs\//, '')
    .replace(/^examples\/README\.md$/, 'examples/index.md')
    .replace(/^(.+)\/ARCHITECTURE\.md$/, 'architecture-of-$1.md')
    .replace(/\/README\.md$/, '.md')
    .replace(/^[A-Z_]+\.md$/, name => name.toLowerCase().replaceAll('_', '-'))
}

/** A link of a page, from where the file lies: to a page, to the README of a folder, or to the repository. */
function resolveLink(href, file) {
  if (/^([a-z]+:|#|\/)/.test(href)) return href
  const [target, hash = ''] = href.split(/(?=#)/)
  const linked = path.posix.normalize(path.posix.join(path.posix.dirname(file), decodeURI(target))).replace(/\/$/, '')
  const onDisk = path.join(root, linked)
  if (!existsSync(onDisk)) return href // told as a dead link
  if (linked === 'README.md') return hash ? tree + linked + hash : '/first-operator.md'
  if (isPage(linked)) return `/${address(linked)}${hash}`
  if (isPage(`${linked}/README.md`) && existsSync(`${onDisk}/README.md`)) return `/${address(`${linked}/README.md`)}${hash}`
  return tree + linked + hash
}

/** Anchors are those of the repository's own pages, so that links work in both places. */
const slugify = heading => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-')

function repositoryLinks(md) {
  md.core.ruler.push('repository-links', state => {
    const file = path.relative(root, state.env.realPath ?? state.env.path ?? root)
    for (const block of state.tokens) {
      for (const token of block.children ?? []) {
        if (token.type === 'link_open') token.attrSet('href', resolveLink(token.attrGet('href'), file))
      }
    }
  })
}

/** A column without a title has no header cell, which would be read out as an empty one. */
function emptyHeads(md) {
  const tag = { th_open: '<td>', th_close: '</td>' }
  let empty = false
  md.renderer.rules.th_open = (tokens, i, options, env, self) => {
    empty = tokens[i + 1].content === ''
    return empty ? tag.th_open : self.renderToken(tokens, i, options)
  }
  md.renderer.rules.th_close = (tokens, i, options, env, self) => (empty ? tag.th_close : self.renderToken(tokens, i, options))
}

export default defineConfig({
  title: 'kopf4j',
  titleTemplate: ':title · kopf4j',
  description: 'Kubernetes operators in plain Java: annotate methods, run the file.',
  lang: 'en',
  srcDir: root,
  srcExclude: ['**/target/**', '**/node_modules/**', '**/src/**', 'README.md', 'checklist/**', 'site/**'],
  outDir: path.join(root, 'site/target/site'),
  cacheDir: path.join(root, 'site/target/cache'),
  base: process.env.SITE_BASE ?? '/',
  rewrites: file => address(file),
  cleanUrls: false,
  lastUpdated: false,
  ignoreDeadLinks: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // VitePress has no landmark for what stands on the first page.
  transformHtml: code => code.replace(/<div class="VPHome"/, '<div role="main" class="VPHome"'),
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // `{{` is Helm's and Prometheus' in our pages, never Vue's.
    attrs: { disable: true },
    anchor: { slugify },
    config(md) {
      repositoryLinks(md)
      pictures(md, root)
      emptyHeads(md)
    },
  },
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions },
      },
    },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/:path`, text: 'Change this page' },
    footer: { message: 'Apache License 2.0' },
    docFooter: { prev: 'Before', next: 'Next' },
  },
  vite: {
    plugins: [
      {
        // Pages lie outside of this folder, where nothing is installed; what is built runs inside of it.
        name: 'vue-of-the-site',
        enforce: 'pre',
        resolveId: (source, importer, { ssr }) => (ssr && /^vue(\/|$)/.test(source) ? { id: source, external: true } : null),
      },
    ],
    server: { fs: { allow: [root] } },
    build: { chunkSizeWarningLimit: 2000 },
  },
})
