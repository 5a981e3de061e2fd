/** The parts of generated pages, in Markdown. */

const note = '<!-- Written by `npm run docs` from the tables in src/. Changes here are lost. -->\n'
export const page = (title: string, ...parts: string[]): string => `${[`${note}# ${title}`, ...parts].join('\n\n')}\n`
export const code = (text: string): string => `\`${text}\``

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')
