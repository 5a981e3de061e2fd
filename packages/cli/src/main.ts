#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { ApiError, AuthenticationError, ConnectionError } from '@switchyard/node'
import { Command, CommanderError } from 'commander'
import { openBrowser } from './browser.ts'
import { exits, openDesk, openScreenOf, whole } from './command.ts'
import { completion } from './completion.ts'
import { examine } from './doctor.ts'
import { addExamples } from './examples.ts'
import { addImport } from './import/command.ts'
import { addInit } from './init.ts'
import { type ListenAsk, listen } from './listen.ts'
import { listenSecret } from './listen-secret.ts'
import { addLogin } from './login.ts'
import { addEvents, addPayments } from './objects.ts'
import { facts, paint, plain, show, wrap } from './output.ts'
import { type GlobalOptions, Mistake } from './settings.ts'
import { addConnectors, addKeys, addProfiles, addRouting } from './setup.ts'
import { canTrigger, triggerOf } from './trigger.ts'
import { tailLogs } from './watch.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const FOOTER = `
Examples:
  switchyard init --framework express
  switchyard login --url https://pay.example.com
  switchyard listen --forward-to localhost:3000/webhooks
  switchyard trigger payment_succeeded
  switchyard payments list --status failed

Settings: a profile (switchyard login, or profiles add); or SWITCHYARD,
SWITCHYARD_KEY (or KEY), SWITCHYARD_MERCHANT and ADMIN_KEY; or --url, --key and
--merchant. Exit codes: 0 done, 1 refused, 2 wrong use, 3 the service does not
answer, 4 the key is wrong, 5 doctor found something.`

const stopped = new AbortController()
const asJson = process.argv.includes('--json')

type ListenOptions = Omit<ListenAsk, 'signal'> & { printSecret?: boolean }

function addListen(program: Command): void {
  program
    .command('listen')
    .description('shows events as they happen, and forwards them signed as webhooks are')
    .option('--forward-to <url>', 'where to send them')
    .option('--events <types...>', 'only of these types')
    .option('--replay <since>', 'begin at 10m, 2h, a time, an event’s id, now; default: where this listener stopped')
    .option('--secret <secret>', 'sign with this secret (whsec_…); default: one that is kept for you')
    .option('--print-secret', 'print the signing secret and end')
    .option('--hash-key <key>', 'also send x-webhook-signature-512, by this payment_response_hash_key')
    .option('--header <lines...>', "also send these headers, each as 'name: value'")
    .option('--name <name>', 'how the attempts of events name this listener; default: your user name')
    .action(async (options: ListenOptions, command: Command) => {
      const desk = openDesk(command)
      const { printSecret, ...ask } = options
      const client = desk.client()
      if (printSecret) {
        const secret = listenSecret(desk.url(), desk.profile.key, ask.secret)
        return show(desk.screen, { secret }, () => desk.screen.out(`${secret}\n`))
      }
      const events = ask.events?.flatMap(one => one.split(','))
      await listen(desk, client, { ...ask, ...(events && { events }), signal: stopped.signal })
    })
}

function addTrigger(program: Command): void {
  program
    .command('trigger [event]')
    .description('makes an event really happen at the sandbox')
    .option('--list', 'which can be made')
    .action(async (name: string | undefined, { list }: { list?: boolean }, command: Command) => {
      const { client, screen } = openDesk(command)
      if (list || name === undefined) return show(screen, canTrigger, names => screen.out(`${names.join('\n')}\n`))
      const make = triggerOf(name)
      const here = client()
      if ((await here.deployment.retrieve()).mode === 'live') throw new Mistake('a live deployment has no sandbox: nothing was triggered')
      show(screen, await make(here, stopped.signal), made => {
        for (const [kind, object] of Object.entries(made)) {
          const { status, refund_status, dispute_status, amount, currency, error_code } = object as Record<string, unknown>
          const id = (object as Record<string, unknown>)[`${kind}_id`]
          facts(screen, { [kind]: id, status: status ?? refund_status ?? dispute_status, amount, currency, error_code })
        }
      })
    })
}

function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('what is wrong with a deployment, and what to do about it')
    .action(async (_options, command: Command) => {
      const desk = openDesk(command)
      const { screen } = desk
      const found = await examine(desk)
      show(screen, found, all => {
        for (const { check, is, says, remedy } of all) {
          const mark = {
            well: paint(screen, 'green', 'ok  '),
            unwell: paint(screen, 'red', 'bad '),
            unknown: paint(screen, 'yellow', '?   '),
          }[is]
          screen.out(`${wrap(screen, `${mark} ${plain(check)}: ${plain(says)}`, 5)}\n`)
          if (remedy) screen.out(`${wrap(screen, `     → ${plain(remedy)}`, 7)}\n`)
        }
      })
      if (found.some(({ is }) => is === 'unwell')) process.exitCode = exits.unwell
    })
}

/** The kinds of objects that have a page in the dashboard. */
const pages = ['payment', 'refund', 'payout', 'dispute', 'customer']

function addOthers(program: Command): void {
  program
    .command('logs')
    .description('requests and their answers')
    .command('tail')
    .description('follows the log of requests')
    .option('--failed', 'only refused and failed ones')
    .option('--limit <n>', 'begin with so many', whole, 10)
    .option('--no-follow', 'show the newest and end')
    .action(async (options: { failed?: boolean; limit: number; follow: boolean }, command: Command) => {
      const desk = openDesk(command)
      await tailLogs(desk, desk.client(), { ...options, failed: options.failed === true, signal: stopped.signal })
    })
  program
    .command('open')
    .description('opens an object in the dashboard')
    .argument('<kind>', 'payment, refund, payout, dispute or customer')
    .argument('<id>', 'its id')
    .action((kind: string, id: string, _options, command: Command) => {
      const { screen, url } = openDesk(command)
      if (!pages.includes(kind)) throw new Mistake(`the dashboard has no page of a ${kind}; it has of ${pages.join(', ')}`)
      const address = `${url().replace(/(?<!\/)\/+$/, '')}/dashboard/${kind}s/${encodeURIComponent(id)}`
      show(screen, { url: address }, () => screen.out(`${address}\n`))
      if (screen.columns !== null) openBrowser(address)
    })
  program
    .command('completion <shell>')
    .description('prints the completion of commands for bash, zsh or fish')
    .action((shell: string, _options, command: Command) => {
      const screen = openScreenOf(command.optsWithGlobals<GlobalOptions>())
      const script = completion(program, shell)
      show(screen, { shell, script }, () => screen.out(script))
    })
}

export function makeProgram(): Command {
  const program = new Command('switchyard')
    .description('The command line of Switchyard')
    .version(version)
    .option('--profile <name>', 'the kept deployment')
    .option('--url <url>', 'the address of the deployment')
    .option('--key <key>', 'a secret key')
    .option('--merchant <id>', 'the merchant')
    .option('--json', 'answers as JSON')
    .addHelpText('after', FOOTER)
    .showHelpAfterError('(switchyard --help says what there is)')
    .exitOverride()
  addInit(program, version)
  addImport(program, stopped.signal)
  addLogin(program, stopped.signal)
  addListen(program)
  addTrigger(program)
  addPayments(program)
  addEvents(program)
  addConnectors(program)
  addKeys(program)
  addRouting(program)
  addDoctor(program)
  addProfiles(program)
  addOthers(program)
  addExamples(program)
  const override = (command: Command): void => {
    // `ended` prints mistakes in a command line, as text or as JSON.
    command.exitOverride()
    if (asJson) command.configureOutput({ outputError: () => {} }).showHelpAfterError(false)
    command.commands.forEach(override)
  }
  override(program)
  return program
}

/** Prints an error in one line, and returns the exit code. */
function ended(error: unknown): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || !asJson || error.code === 'commander.help'))
    return error.exitCode === 0 ? exits.fine : exits.usage
  const say = (text: string, members: { help?: string | undefined; [member: string]: unknown } = {}) => {
    const columns = process.stderr.isTTY ? process.stderr.columns || 80 : null
    if (asJson) process.stderr.write(`${JSON.stringify({ error: { message: text, ...members } })}\n`)
    else {
      process.stderr.write(`${wrap({ columns }, `switchyard: ${plain(text)}`, 2)}\n`)
      if (members.help) process.stderr.write(`${wrap({ columns }, `  ${plain(members.help)}`, 2)}\n`)
    }
  }
  if (error instanceof CommanderError) say(error.message.replace(/^error: /, ''))
  else if (error instanceof Mistake) say(error.message)
  else if (error instanceof ConnectionError) {
    const { idempotencyKey: key } = error
    // A refund without an answer may have been created. Another request with another key would create a second one.
    say(error.message, key === null ? {} : { help: `Send it again with the same key, and it is done once: ${key}`, idempotency_key: key })
  } else if (error instanceof ApiError) {
    const { code, type, status, help, requestId } = error
    say(error.message, { code, type, status, help, request_id: requestId })
  } else say(error instanceof Error ? error.message : String(error))
  if (error instanceof Mistake || error instanceof CommanderError) return exits.usage
  if (error instanceof AuthenticationError) return exits.unauthorized
  return error instanceof ConnectionError ? exits.unreachable : exits.refused
}

const INTERRUPTED = 130
/** Commands that finish their work after a first signal. */
const endsInOrder = ['listen', 'logs', 'import']
let signals = 0
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // A first signal lets pending work finish; a second one exits at once.
    stopped.abort()
    process.exitCode = signal === 'SIGINT' ? INTERRUPTED : 143
    if (signals++ > 0 || !process.argv.some(one => endsInOrder.includes(one))) process.exit()
  })
// A closed pipe (`| head`) is no error.
process.stdout.on('error', error => process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 1))

try {
  await makeProgram().parseAsync()
} catch (error) {
  process.exitCode = ended(error)
}
