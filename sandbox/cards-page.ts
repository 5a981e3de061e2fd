// Prints the card tables of README.md from cards.ts: `node sandbox/cards-page.ts`.

import { readFileSync, writeFileSync } from 'node:fs'
import { type Behaviour, cards } from './cards.ts'

const readme = new URL('README.md', import.meta.url)

const tables = {
  cards: { heading: 'what happens', holds: (does: Behaviour) => does.fault === undefined },
  faults: { heading: 'fault', holds: (does: Behaviour) => does.fault !== undefined },
}

function print(table: keyof typeof tables): string {
  const { heading, holds } = tables[table]
  const rows = Object.values(cards)
    .filter(card => holds(card.does))
    .map(card => [card.numbers.join(', '), card.outcome] as const)
  return `<!-- ${table}: printed by cards-page.ts -->\n\n${align([['number', heading], ...rows])}\n\n<!-- /${table} -->`
}

/** Aligns the table as the formatter does, so that printing and formatting agree. */
function align([head, ...rows]: (readonly [string, string])[]): string {
  const left = Math.max(...[head!, ...rows].map(row => row[0].length))
  const right = Math.max(...[head!, ...rows].map(row => row[1].length))
  const lines = [head!, ['-'.repeat(left), '-'.repeat(right)] as const, ...rows]
  return lines.map(row => `| ${row[0].padEnd(left)} | ${row[1].padEnd(right)} |`).join('\n')
}

export function readPage(): string {
  return readFileSync(readme, 'utf8')
}

export function printInto(page: string): string {
  return (['cards', 'faults'] as const).reduce((text, table) => {
    const place = new RegExp(`<!-- ${table}:.*?<!-- /${table} -->`, 's')
    if (!place.test(text)) throw new Error(`README.md has no place for the table of ${table}`)
    return text.replace(place, () => print(table))
  }, page)
}

if (import.meta.main) writeFileSync(readme, printInto(readPage()))
