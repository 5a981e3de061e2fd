import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The programs in the guides of `docs/guides`. The blocks marked `ts example` of a guide are one program, in their
 * order: declarations of a block are known to the next ones.
 */

const root = join(import.meta.dirname, '..')

/** A code block of a page. `line`: the line number of its first line of text. `label`: its tab in a code group. */
export type Block = { line: number; language: string; mark: string; label: string | null; text: string; group: number | null }

/** The names of the guides (`first-payment`), in alphabetical order. */
export const guideNames = globSync('*.md', { cwd: join(root, 'docs/guides') })
  .map(file => file.slice(0, -'.md'.length))
  .toSorted()

export const guideText = (name: string): string => readFileSync(join(root, 'docs/guides', `${name}.md`), 'utf8')

/** Returns the code blocks of a page, each with the number of its code group. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  let group: number | null = null
  let groups = 0
  for (const [at, line] of page.split('\n').entries()) {
    if (open) {
      if (/^```[ \t]*$/.test(line)) {
        blocks.push(open)
        open = null
      } else open.text += `${line}\n`
      continue
    }
    if (/^::: code-group\b/.test(line)) group = ++groups
    else if (line.trim() === ':::') group = null
    const found = /^```(\w+)((?: [a-z]+)*)(?: \[([^\]]+)\])?[ \t]*$/.exec(line)
    if (found) open = { line: at + 2, language: found[1]!, mark: found[2]!.trim(), label: found[3] ?? null, text: '', group }
  }
  return blocks
}

/** Returns the program of a page: its blocks on their own lines, so that an error names the line of the page. */
export function programOf(page: string, mark = 'ts example'): string {
  const lines: string[] = page.split('\n').map(() => '')
  for (const { line, language, mark: own, text } of blocksOf(page))
    if (`${language} ${own}` === mark) for (const [i, code] of text.trimEnd().split('\n').entries()) lines[line - 1 + i] = code
  return lines.join('\n')
}

/**
 * Returns the expected output of a program, by line: `console.log(…) // text`. `…`: any text; ` or `: alternatives.
 */
export function printsOf(program: string): Map<number, RegExp> {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.+')
  return new Map(
    program.split('\n').flatMap((line, at): [number, RegExp][] => {
      const expected = /console\.log\(.*\) \/\/ (.+)$/.exec(line)?.[1]
      return expected === undefined ? [] : [[at + 1, new RegExp(`^(${expected.split(' or ').map(escaped).join('|')})$`)]]
    }),
  )
}
