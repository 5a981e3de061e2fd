import { stripVTControlCharacters, styleText } from 'node:util'

/** The output of a command. `columns` is the width of the terminal, or null without a terminal. */
export type Screen = { columns: number | null; colours: boolean; json: boolean; out(text: string): void; err(text: string): void }

export function openScreen(json: boolean): Screen {
  const { stdout, stderr, env } = process
  return {
    columns: stdout.isTTY ? stdout.columns || 80 : null,
    colours: stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb' && !json,
    json,
    out: text => void stdout.write(text),
    err: text => void stderr.write(stderr.isTTY ? text : stripVTControlCharacters(text)),
  }
}

type Colour = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

export const paint = (screen: Screen, colour: Colour, text: string): string =>
  screen.colours ? styleText(colour, text, { validateStream: false }) : text

/** Removes control characters from a value, so that foreign data cannot control the terminal. */
export const plain = (value: unknown): string => stripVTControlCharacters(String(value ?? '')).replace(/\p{Cc}/gu, ' ')

const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length

const cut = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`

/**
 * Wraps sentences between words at the width of the terminal. Lines after the first are indented by `hang`. A word
 * that is longer than a line (an address, a secret) stays whole. Without a terminal each sentence is one line.
 */
export function wrap({ columns }: Pick<Screen, 'columns'>, text: string, hang = 0): string {
  if (columns === null) return text
  return text
    .split('\n')
    .map(sentence => {
      const lines: string[] = []
      for (const word of sentence.split(' ')) {
        const last = lines.at(-1)
        if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= columns) lines[lines.length - 1] = `${last} ${word}`
        else lines.push(last === undefined ? word : ' '.repeat(hang) + word)
      }
      return lines.join('\n')
    })
    .join('\n')
}

/** Prints rows in columns. On a terminal the widest column is shortened, so that no line wraps. */
export function table(screen: Screen, head: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const cells = [head, ...rows.map(row => row.map(plain))] as string[][]
  const widths = head.map((_, i) => Math.max(...cells.map(row => widthOf(row[i] ?? ''))))
  if (screen.columns !== null)
    for (let over = widths.reduce((sum, width) => sum + width + 2, -2) - screen.columns; over > 0; over--) {
      const widest = widths.indexOf(Math.max(...widths))
      if (widths[widest]! <= 4) break
      widths[widest]!--
    }
  cells.forEach((row, at) => {
    const line = row
      .map((cell, i) => cut(cell, widths[i]!).padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
    screen.out(`${at === 0 ? paint(screen, 'dim', line) : line}\n`)
  })
}

/** Prints the members of an object, one per line. */
export function facts(screen: Screen, members: Record<string, unknown>): void {
  const shown = Object.entries(members).filter(([, value]) => value !== null && value !== undefined)
  const width = Math.max(...shown.map(([name]) => name.length))
  for (const [name, value] of shown) {
    const text = plain(typeof value === 'object' ? JSON.stringify(value) : value)
    const room = screen.columns === null ? text : cut(text, screen.columns - width - 2)
    screen.out(`${paint(screen, 'dim', name.padEnd(width))}  ${room}\n`)
  }
}

export const json = (screen: Screen, value: unknown): void => screen.out(`${JSON.stringify(value, null, 2)}\n`)

/** Prints a value as JSON if `--json` is given, else as text. */
export function show<T>(screen: Screen, value: T, people: (value: T) => void): void {
  if (screen.json) json(screen, value)
  else people(value)
}
