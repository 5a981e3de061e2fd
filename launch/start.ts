// `npm start`: starts everything, prints a short greeting, and stops everything in the end.
import { join } from 'node:path'
import { projectDir } from './binaries.ts'
import { Everything } from './everything.ts'
import { greeting, help } from './greeting.ts'
import { type Build, buildPages, type PagesName, pagesNames } from './pages.ts'
import { underNohup } from './parents.mjs'

const [argument] = process.argv.slice(2)
if (argument === '--help' || argument === '-h') {
  process.stdout.write(help())
  process.exit(0)
}
if (argument !== undefined) {
  process.stderr.write(`npm start has no argument ${argument}, only --help; settings are environment variables: PORT=9000 npm start\n`)
  process.exit(1)
}

// A terminal or pipe that is closed is no reason to leave a payment half-done.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
const say = (line: string) => process.stderr.write(`${line}\n`)

const all = new Everything({
  dataDir: process.env.SWITCHYARD_DATA || join(projectDir, 'data'),
  scripts: { service: join(projectDir, 'src', 'main.ts'), sandbox: join(projectDir, 'sandbox', 'main.ts') },
  env: process.env,
  say,
  raw: chunk => process.stdout.write(chunk),
})

const hurry = new AbortController()
let askedAt = 0
let pages: Build | undefined
async function leave(code: number): Promise<never> {
  pages?.stop()
  await all.stop(hurry.signal)
  process.exit(code)
}
function asked(): void {
  // One Ctrl-C arrives up to three times (from the terminal, npm and run.mjs); only a later signal counts as a second
  // Ctrl-C.
  if (askedAt !== 0) {
    if (Date.now() - askedAt > 1500) hurry.abort()
    return
  }
  askedAt = Date.now()
  say('stopping')
  void leave(0)
}
process.on('SIGINT', asked).on('SIGTERM', asked)
process.on('SIGHUP', () => underNohup() || asked())

const called: Record<PagesName, string> = { 'page-scripts': 'payment pages', dashboard: 'the dashboard', site: 'the documentation' }

/**
 * Builds the pages. A failure stops nothing, because payments do not need pages. The builds run one after the other,
 * because payments need the machine, too.
 */
async function openPages(): Promise<void> {
  for (const name of pagesNames) {
    if (askedAt !== 0) return
    pages = buildPages(projectDir, name, say)
    await pages.done.then(
      isNew => isNew && say(`built: ${called[name]}`),
      (why: Error) => askedAt === 0 && say(`not built: ${called[name]}. Everything else works: ${why.message}`),
    )
  }
}

try {
  const { failed, ...up } = await all.start()
  // Not before: a start that fails builds nothing, and a start needs the machine.
  void openPages()
  const block = greeting(up)
  if (process.env.LOG === 'stdout') process.stderr.write(block)
  else process.stdout.write(block)
  say(`${await failed}\nstopping the rest`)
  await leave(1)
} catch (error) {
  if (askedAt === 0) {
    say(`Switchyard could not start: ${(error as Error).message}`)
    await leave(1)
  }
}
