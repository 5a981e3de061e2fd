import { Argument, type Command, Option } from 'commander'
import { exits, openDesk, whole } from '../command.ts'
import { facts, show } from '../output.ts'
import { Mistake } from '../settings.ts'
import { runImport } from './run.ts'
import { type Kind, kinds, type Source, sources } from './shapes.ts'

const MOST_AT_ONCE = 64

type Options = {
  from: Source
  dryRun?: boolean
  resume?: boolean
  report?: string
  concurrency: number
  account: string[]
}

/** Reads the values of `--account`: `mca_new` for all accounts, or `mca_old=mca_new`. */
function accountsOf(options: readonly string[]): Map<string, string> {
  return new Map(
    options.map((one): [string, string] => {
      const [from, to, ...more] = one.split('=')
      if (!from || to === '' || more.length > 0) throw new Mistake(`--account takes an account, or OLD=NEW; not ${one}`)
      return to === undefined ? ['*', from] : [from, to]
    }),
  )
}

/** Adds `switchyard import`. When `signal` aborts, the import ends and prints how to resume it. */
export function addImport(program: Command, signal: AbortSignal): void {
  program
    .command('import')
    .description('imports customers, or saved cards, from a file')
    .addArgument(new Argument('<what>', 'what').choices(kinds))
    .argument('<file>', 'a CSV file; customers of Stripe and Hyperswitch also as JSON, as their APIs list them')
    .addOption(new Option('--from <source>', 'whose file it is').choices(sources).default('csv'))
    .option('--dry-run', 'checks every line and sends nothing')
    .option('--resume', 'goes on with an import that was cut')
    .option('--report <file>', 'a JSON line for each line; default: FILE.report.jsonl')
    .option('--concurrency <n>', `lines at once, at most ${MOST_AT_ONCE}`, whole, 8)
    .option(
      '--account <id>',
      'cards: the connector account whose processor keeps them, or OLD=NEW; can be repeated',
      (id: string, before: readonly string[]) => before.concat(id),
      [],
    )
    .action(async (kind: Kind, file: string, options: Options, command: Command) => {
      const desk = openDesk(command)
      const { dryRun = false, resume = false, from: source, concurrency } = options
      if (dryRun && resume) throw new Mistake('--dry-run sends nothing, so there is nothing to --resume')
      if (concurrency < 1 || concurrency > MOST_AT_ONCE) throw new Mistake(`--concurrency takes 1 to ${MOST_AT_ONCE}`)
      const report = options.report ?? `${file}.${dryRun ? 'dry-run' : 'report'}.jsonl`
      const accounts = accountsOf(options.account)
      const ask = { kind, source, file, report, dryRun, resume, concurrency, accounts, signal }
      const ended = await runImport(desk, ask).catch(error => {
        if (!(error instanceof Mistake)) desk.screen.err(`The import was cut: go on with --resume --report ${report}\n`)
        throw error
      })
      show(desk.screen, ended, summary => {
        const { unused_columns, is_complete, ...rest } = summary
        facts(desk.screen, Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== 0)))
        if (unused_columns.length > 0) desk.screen.err(`Not imported: ${unused_columns.join(', ')}\n`)
        if (!is_complete) desk.screen.err(`The import was cut: go on with --resume --report ${report}\n`)
      })
      if (ended.refused > 0 && ended.is_complete) process.exitCode = exits.refused
    })
}
