import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { additions } from './additions.ts'

/**
 * The steps to add something to this project: one example of each kind, as the lines that a developer writes by hand.
 * The page `docs/adding.md` is made of these examples. A test in the long suite writes them into a copy of the project
 * and checks with the type checker and the tests that they are enough (`test/long/adding.test.ts`).
 */

/** Lines to add beside a line, of which the beginning is given and unique in its file, or a new file. */
export type Edit = { file: string; add: string } & (
  | { after: string; before?: never; instead?: never }
  | { before: string; after?: never; instead?: never }
  /** The line that is replaced. */
  | { instead: string; before?: never; after?: never }
  | { before?: never; after?: never; instead?: never }
)

export type Addition = {
  /** The kind of addition, as a heading. */
  what: string
  /** The description of the example, with further notes. */
  description: string
  edits: readonly Edit[]
  /**
   * The command that writes the first files, also into a copy, and the files it writes; a new folder counts as one.
   */
  made?: { by: string; write(place: string): void; files: readonly string[] }
}

/** Returns the files that an addition edits by hand, without generated files and the addition's own test. */
export const filesOf = ({ edits, made }: Addition): string[] => [...new Set([...(made?.files ?? []), ...edits.map(({ file }) => file)])]
/** Returns the files of an addition that change the schema. */
export const migrationsOf = (addition: Addition): string[] => filesOf(addition).filter(file => file.startsWith('src/database/migrations/'))

export const root = join(import.meta.dirname, '..')
const anchorOf = ({ after, before, instead }: Edit): string | undefined => after ?? before ?? instead

/**
 * Returns the index of the line that an edit refers to: the one line with this text, or else the one line that begins
 * with it.
 */
function lineOf(text: string, edit: Edit): number {
  const anchor = anchorOf(edit)!.trim()
  const lines = text.split('\n').map(line => line.trim())
  const indexes = (fits: (line: string) => boolean) => lines.flatMap((line, i) => (fits(line) ? [i] : []))
  const same = indexes(line => line === anchor)
  const found = same.length > 0 ? same : indexes(line => line.startsWith(anchor))
  if (found.length !== 1)
    throw new Error(
      `${edit.file} has ${found.length} lines that begin with "${anchor}": choose another line for this example in tools/additions.ts, then npm run docs`,
    )
  return found[0]!
}

/** Returns a text with an edit made. New lines are indented as the line they refer to. */
function edited(text: string, edit: Edit): string {
  const lines = text.split('\n')
  const at = lineOf(text, edit)
  const indent = /^ */.exec(lines[at]!)![0]
  const added = edit.add.split('\n').map(line => (line === '' ? line : indent + line))
  if (edit.before !== undefined) lines.splice(at, 0, ...added)
  else if (edit.after !== undefined) lines.splice(at + 1, 0, ...added)
  else lines.splice(at, 1, ...added)
  return lines.join('\n')
}

/** Makes edits in a copy of the project. */
export function apply(place: string, edits: readonly Edit[]): void {
  for (const edit of edits) {
    const file = join(place, edit.file)
    if (anchorOf(edit) === undefined) {
      if (existsSync(file)) throw new Error(`${edit.file} is there already`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${edit.add}\n`)
    } else writeFileSync(file, edited(readFileSync(file, 'utf8'), edit))
  }
}

/** Copies the project as it is in the working tree. */
export function copyTo(place: string): void {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  for (const file of files.split('\0').filter(one => one !== '' && existsSync(join(root, one)))) {
    mkdirSync(join(place, dirname(file)), { recursive: true })
    cpSync(join(root, file), join(place, file))
  }
  rmSync(join(place, 'node_modules'), { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  // The tools that build the packages, and the files built for them; neither is in the repository.
  for (const made of ['packages/node_modules', 'packages/node/src/made', 'packages/node/dist'])
    if (existsSync(join(root, made))) symlinkSync(join(root, made), join(place, made))
}

const language = (file: string): string => file.split('.').at(-1)!

function shown(edit: Edit): string {
  const where =
    edit.after !== undefined
      ? `after \`${edit.after.trim()}\``
      : edit.before !== undefined
        ? `before \`${edit.before.trim()}\``
        : edit.instead !== undefined
          ? `instead of \`${edit.instead.trim()}\``
          : 'a new file'
  return `\`${edit.file}\`, ${where}:\n\n\`\`\`${language(edit.file)}\n${edit.add}\n\`\`\``
}

const numberOf = (addition: Addition): string => {
  const files = filesOf(addition).length
  return `${files} ${files === 1 ? 'file' : 'files'}`
}

/** Returns the page for developers about additions. */
export const addingPage = (): string =>
  `${[
    '<!-- Made by `npm run docs` from tools/additions/. -->\n\n# Adding something',
    'Of each kind an example: the files that are edited by hand, with the lines that are added. A test writes these lines into a copy of the project and runs the type checker and the tests of the structure (`test/long/adding.test.ts`; with `--whole`, the whole fast suite), so they are enough. Generated files are not among them (`npm run docs`), nor is the test that every addition comes with ([CONTRIBUTING.md](../CONTRIBUTING.md)). Where a line is missing, the compiler or a test names it. Migrations have numbers from 800 here; yours takes the last number plus one, as [rows and migrations](design/rows-and-migrations.md#migrations) says, with what belongs into `.do.sql` and `.outside.sql`.',
    [
      '| what | files | |\n| --- | --- | --- |',
      ...additions.map(
        one => `| ${one.what} | ${filesOf(one).length} | ${migrationsOf(one).length > 0 ? 'one of them a migration' : ''} |`,
      ),
    ].join('\n'),
    ...additions.map(one =>
      [
        `## ${one.what}: ${numberOf(one)}`,
        one.description,
        ...(one.made ? [`\`${one.made.by}\` writes ${one.made.files.map(file => `\`${file}\``).join(', ')}.`] : []),
        ...one.edits.map(shown),
      ].join('\n\n'),
    ),
  ].join('\n\n')}\n`
