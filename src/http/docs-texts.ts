import { readFileSync } from 'node:fs'
import { tags } from './endpoints.ts'

/** Rendered by the server: seen while the reference still loads, and all that is seen without JavaScript. */

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
/** Returns HTML for the Markdown that the guide's paragraphs use. */
const line = (text: string): string =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/\[([^[\]]+)\]\([^()]+\)/g, '$1')

const block = (text: string): string => {
  const [, code] = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text) ?? []
  if (code !== undefined) return `<pre>${escaped(code)}</pre>`
  const [, heading] = /^## (.*)$/.exec(text) ?? []
  return heading === undefined ? `<p>${line(text)}</p>` : `<h2>${line(heading)}</h2>`
}

/** Returns the guide up to its second heading: what the service is, and how to start. */
function introduction(): string {
  const [before = '', start = ''] = readFileSync(new URL('./guide.md', import.meta.url), 'utf8').split(/^## /m)
  const blocks = `${before}## ${start}`.match(/^```[\s\S]*?^```|^.+$/gm) ?? []
  return blocks.map(block).join('\n')
}

const slug = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

/** Returns the operations of each tag, with links to their places in the reference. */
const operations = (): string =>
  tags
    .map(({ name, description, endpoints }) => {
      const items = endpoints.map(
        ({ method, path, title, name: id }) =>
          `<li><a href="#tag/${slug(name)}/${id}">${escaped(title)}</a> <code>${method} ${escaped(path)}</code></li>`,
      )
      return `<h3>${escaped(name)}</h3>\n<p>${line(description)}</p>\n<ul>\n${items.join('\n')}\n</ul>`
    })
    .join('\n')

const style = `
  :root { color-scheme: light dark }
  #words { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem; overflow-wrap: anywhere }
  #words pre { overflow-x: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: .4rem; font-size: .8rem }
  #words code { font-size: .85em }
  #words ul { padding-left: 1.1rem }`

export const docsIntroduction = (): { style: string; body: string } => ({
  style,
  body: `<main id="words">\n<h1>Switchyard</h1>\n<p><a href="/docs">Guides</a></p>\n${introduction()}\n<h2>Operations</h2>\n${operations()}\n</main>`,
})
