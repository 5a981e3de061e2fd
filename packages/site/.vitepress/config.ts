import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { transformerStyleToClass } from '@shikijs/transformers'
import { defineConfig } from 'vitepress'
import { contents, pages } from './contents.ts'

const docs = join(import.meta.dirname, '../../../docs')

/**
 * The placeholder for the nonce of scripts and styles. The service replaces it in each answer
 * (`src/http/built-pages.ts`).
 */
const NONCE = 'NONCE-OF-THE-ANSWER'

/**
 * Converts the colors of code into classes, because the Content-Security-Policy of the pages forbids inline styles.
 */
const toClasses = transformerStyleToClass({ classPrefix: 'c-' })

/** Returns the text of a page with the tables that it includes, and without the parts that only its writers need. */
function textOf(page: string): string {
  const text = readFileSync(join(docs, `${page}.md`), 'utf8')
  const included = text.replace(/^<!--@include: (\S+?)(?:\{(\d+),\})?-->$/gm, (_, path: string, from = '1') =>
    readFileSync(join(docs, dirname(page), path), 'utf8')
      .split('\n')
      .slice(Number(from) - 1)
      .join('\n'),
  )
  return included
    .replace(/^<!-- Written by .*-->\n/gm, '')
    .replace(/```mermaid\n[\s\S]*?```\n/g, '')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
}

/** The folder of the pages that are built. It is beside the libraries of the build, because pages import them. */
const source = join(import.meta.dirname, '../.made/pages')
function writePages(into: string): void {
  rmSync(into, { recursive: true, force: true })
  for (const page of pages) {
    const file = join(into, `${page}.md`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, textOf(page))
  }
}
writePages(source)
cpSync(join(docs, 'pictures'), join(source, 'pictures'), { recursive: true })

/** Returns a page as plain Markdown. The blocks of a code group follow each other, each under its label. */
const withoutTabs = (text: string): string =>
  text
    .replace(/^:::.*\n+/gm, '')
    .replace(/^```(\w+)(?: (?:example|browser|run)(?: error)?)?(?: \[([^\]]+)\])?[ \t]*$/gm, (_, language: string, label?: string) =>
      label === undefined ? `\`\`\`${language}` : `${label}:\n\n\`\`\`${language}`,
    )

/** Writes each page as Markdown for programs, and a list of all pages (https://llmstxt.org). */
function forPrograms(out: string): void {
  for (const page of pages) {
    mkdirSync(dirname(join(out, page)), { recursive: true })
    writeFileSync(join(out, `${page}.md`), withoutTabs(readFileSync(join(source, `${page}.md`), 'utf8')))
  }
  const lines = contents.flatMap(({ text, items }) => [
    `## ${text}`,
    '',
    ...items.map(item => `- [${item.text}](/docs${item.link}.md)`),
    '',
  ])
  const head = ['# Switchyard', '', '> Payment orchestration: integrate once, route every payment to the best processor.', '']
  const reference = ['## Reference', '', '- [OpenAPI](/openapi.json): every operation, with what it answers and refuses', '']
  writeFileSync(join(out, 'llms.txt'), [...head, ...lines, ...reference].join('\n'))
}

/**
 * Compresses the files of the site. The service sends these files, because it should not compress while payments wait.
 */
function compress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (!/\.(js|css|svg)$/.test(name) || !statSync(file).isFile()) continue
    const bytes = readFileSync(file)
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    writeFileSync(`${file}.br`, brotliCompressSync(bytes))
  }
}

/** Returns the address on the site for a link of a page, or null for links to files of the repository. */
function siteLink(href: string, page: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [path = '', hash] = href.split('#')
  const target = posix.normalize(posix.join(posix.dirname(`/${page}`), path)).replace(/\.md$/, '')
  if (target.endsWith('/openapi.json')) return '/docs/reference'
  if (!pages.includes(target)) return null
  return hash === undefined ? target : `${target}#${hash}`
}

export default defineConfig({
  title: 'Switchyard',
  description: 'Payment orchestration: integrate once, route every payment to the best processor.',
  base: '/docs/',
  srcDir: '.made/pages',
  outDir: './dist',
  cleanUrls: true,
  metaChunk: true,
  lastUpdated: false,
  // With transitions the library adds a style sheet while colors change, which the Content-Security-Policy forbids.
  appearance: { disableTransition: false },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  ignoreDeadLinks: [/^\/reference/],
  markdown: {
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [toClasses],
    config(md) {
      // Columns of numbers are aligned by a class, because the Content-Security-Policy forbids inline styles.
      md.core.ruler.push('columns-of-the-site', state => {
        for (const token of state.tokens) {
          const side = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '')?.[1]
          if (side === undefined) continue
          token.attrs = token.attrs!.filter(([name]) => name !== 'style')
          token.attrJoin('class', `align-${side}`)
        }
      })
      md.core.ruler.push('links-of-the-site', state => {
        const page = String(state.env.relativePath ?? '').replace(/\.md$/, '')
        for (const { children } of state.tokens) {
          let isNowhere = false
          for (const token of children ?? []) {
            if (token.type === 'link_open') {
              const href = siteLink(token.attrGet('href') ?? '', page)
              isNowhere = href === null
              if (href !== null) token.attrSet('href', href)
              // Links to other documents of the service load a new page instead of a page of the site.
              if (href !== null && /^\/(docs\/reference|.*\.(json|txt)$)/.test(href)) token.attrSet('target', '_self')
            }
            if (isNowhere && /^link_/.test(token.type))
              Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0, attrs: null })
          }
        }
      })
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/first-payment', activeMatch: '/guides/' },
      { text: 'Reference', link: '/reference', target: '_self' },
    ],
    sidebar: contents.map(({ text, items }) => ({ text, items: [...items] })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
  },
  vite: {
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4000 },
  },
  transformHtml(html) {
    // The styles that the library writes inline are in `site.css`.
    const plain = html.replace(/ style="(position:relative;|--vp-vh:0px;)"/g, '')
    return plain.replace(/<script(?=[ >])/g, `<script nonce="${NONCE}"`).replace(/<style(?=[ >])/g, `<style nonce="${NONCE}"`)
  },
  async buildEnd({ outDir }) {
    const assets = join(outDir, 'assets')
    const sheet = readdirSync(assets).find(name => /^style\..*\.css$/.test(name))
    if (sheet) writeFileSync(join(assets, sheet), readFileSync(join(assets, sheet), 'utf8') + toClasses.getCSS())
    forPrograms(outDir)
    compress(outDir)
  },
})
