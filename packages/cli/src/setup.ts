import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { openDesk, openScreenOf } from './command.ts'
import { facts, show, table } from './output.ts'
import { type GlobalOptions, Mistake, type Profile, readProfiles, writeProfiles } from './settings.ts'

/** Reads the JSON of an option, given as text or as `@file`. */
function readJson(text: string, option: string): Record<string, unknown> {
  const json = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch {
    throw new Mistake(`${option} is no JSON`)
  }
}

/** Adds `switchyard keys …`, which need the admin key. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('create, roll, list and revoke API keys (with ADMIN_KEY and --merchant)')
  const made = (command: Command, key: { key_id: string; name: string; api_key: string; expiration: string }) => {
    const { screen } = openDesk(command)
    show(screen, key, ({ key_id, name, api_key, expiration }) => facts(screen, { key_id, name, api_key, expiration }))
  }
  keys.command('list').action(async (_options, command: Command) => {
    const desk = openDesk(command)
    show(desk.screen, await desk.client('admin').apiKeys.list(desk.merchant()), list =>
      table(
        desk.screen,
        ['key', 'name', 'prefix', 'expires', 'last used'],
        list.map(one => [one.key_id, one.name, one.prefix, one.expiration, one.last_used_at]),
      ),
    )
  })
  keys
    .command('create <name>')
    .option('--expires <time>', 'never, or a time', 'never')
    .option('--scope <scope...>', 'only these permissions, such as payments:read')
    .action(async (name: string, { expires, scope }: { expires: string; scope?: string[] }, command: Command) => {
      const desk = openDesk(command)
      made(
        command,
        await desk.client('admin').apiKeys.create(desk.merchant(), { name, expiration: expires, ...(scope && { scopes: scope as never }) }),
      )
    })
  keys
    .command('roll <key_id>')
    .description('makes a key that can do the same; the old one stays valid until you revoke it')
    .action(async (id: string, _options, command: Command) => {
      const desk = openDesk(command)
      const admin = desk.client('admin')
      const { name, description, scopes } = await admin.apiKeys.retrieve(desk.merchant(), id)
      const ask = { name, expiration: 'never', ...(description && { description }), ...(scopes && { scopes }) }
      made(command, await admin.apiKeys.create(desk.merchant(), ask as never))
    })
  keys.command('revoke <key_id>').action(async (id: string, _options, command: Command) => {
    const desk = openDesk(command)
    show(desk.screen, await desk.client('admin').apiKeys.revoke(desk.merchant(), id), one => facts(desk.screen, { ...one }))
  })
}

/** Adds `switchyard connectors …`. */
export function addConnectors(program: Command): void {
  const connectors = program.command('connectors').description('list, add and verify connector accounts')
  connectors.command('list').action(async (_options, command: Command) => {
    const desk = openDesk(command)
    show(desk.screen, await desk.client().connectorAccounts.list(desk.merchant()), list =>
      table(
        desk.screen,
        ['account', 'connector', 'label', 'type', 'status'],
        list.map(one => [one.merchant_connector_id, one.connector_name, one.connector_label, one.connector_type, one.status]),
      ),
    )
  })
  connectors
    .command('add <connector>')
    .requiredOption('--credentials <json>', 'connector_account_details, as JSON or @file')
    .option('--type <type>', 'connector_type', 'payment_processor')
    .option('--label <label>', 'connector_label')
    .option('--metadata <json>', 'as JSON or @file')
    .action(async (name: string, options: { credentials: string; type: string; label?: string; metadata?: string }, command: Command) => {
      const desk = openDesk(command)
      const account = await desk.client().connectorAccounts.create(desk.merchant(), {
        connector_name: name,
        connector_type: options.type,
        connector_account_details: readJson(options.credentials, '--credentials'),
        ...(options.label && { connector_label: options.label }),
        ...(options.metadata && { metadata: readJson(options.metadata, '--metadata') }),
      } as never)
      show(desk.screen, account, ({ merchant_connector_id, connector_name, connector_label, status }) =>
        facts(desk.screen, { merchant_connector_id, connector_name, connector_label, status }),
      )
    })
  connectors
    .command('verify <merchant_connector_id>')
    .description('asks the processor whether the credentials of an account are right')
    .action(async (id: string, _options, command: Command) => {
      const { client, screen } = openDesk(command)
      const verdict = await client().connectorAccounts.verify({ merchant_connector_id: id })
      show(screen, verdict, ({ connector_name, verified, error_code, error_message }) =>
        facts(screen, { connector_name, verified: verified ?? 'not known: the processor could not be asked', error_code, error_message }),
      )
      if (verdict.verified !== true) process.exitCode = 1
    })
}

/** Adds `switchyard routing simulate`. */
export function addRouting(program: Command): void {
  program
    .command('routing')
    .description('what routing rules would do')
    .command('simulate')
    .description('where the payments of a time would have gone under another algorithm')
    .requiredOption('--since <time>', 'from when, as a time')
    .option('--until <time>', 'until when')
    .option('--algorithm <id>', 'a stored algorithm')
    .option('--rules <json>', 'an algorithm, as JSON or @file')
    .action(async (options: { since: string; until?: string; algorithm?: string; rules?: string }, command: Command) => {
      const { client, screen } = openDesk(command)
      const { since, until, algorithm, rules } = options
      const simulation = await client().routing.simulate({
        start_time: since,
        ...(until && { end_time: until }),
        ...(algorithm && { algorithm_id: algorithm }),
        ...(rules && { algorithm: readJson(rules, '--rules') as never }),
      } as never)
      show(screen, simulation, ({ payments, elsewhere, would_go_nowhere, complete }) =>
        facts(screen, { payments, elsewhere, would_go_nowhere, complete }),
      )
    })
}

/** Adds `switchyard profiles …`: several deployments, stored in a file that only its owner can read. */
export function addProfiles(program: Command): void {
  /** Prints the result as JSON if `--json` is given; else prints nothing, because no error means success. */
  const print = (command: Command, done: object) => show(openScreenOf(command.optsWithGlobals<GlobalOptions>()), done, () => {})
  const profiles = program.command('profiles').description('deployments that are kept: add, use, list, remove')
  profiles
    .command('add <name>')
    .description('keeps --url, --key and --merchant under a name')
    .option('--admin-key <key>', 'also the admin key')
    .option('--publishable-key <key>', 'also the key of browsers, for init')
    .action((name: string, { adminKey, publishableKey }: { adminKey?: string; publishableKey?: string }, command: Command) => {
      const { url, key, merchant } = command.optsWithGlobals<{ url?: string; key?: string; merchant?: string }>()
      if (url === undefined || key === undefined) throw new Mistake('a profile needs --url and --key')
      const stored = readProfiles()
      const profile: Profile = {
        url,
        key,
        ...(adminKey && { admin_key: adminKey }),
        ...(publishableKey && { publishable_key: publishableKey }),
        ...(merchant && { merchant }),
      }
      const current = stored.current ?? name
      writeProfiles({ current, profiles: { ...stored.profiles, [name]: profile } })
      print(command, { profile: name, url, current: current === name })
    })
  profiles
    .command('use <name>')
    .description('what commands use unless said otherwise')
    .action((name: string, _options, command: Command) => {
      const stored = readProfiles()
      if (!Object.hasOwn(stored.profiles, name)) throw new Mistake(`there is no profile ${name}`)
      writeProfiles({ ...stored, current: name })
      print(command, { profile: name, url: stored.profiles[name]!.url, current: true })
    })
  profiles.command('list').action((_options, command: Command) => {
    const { current, profiles: all } = readProfiles()
    const { screen } = openDesk(command)
    const list = Object.entries(all).map(([name, { url, merchant }]) => ({
      name,
      url,
      merchant: merchant ?? null,
      current: name === current,
    }))
    show(screen, list, rows =>
      table(
        screen,
        ['', 'profile', 'deployment', 'merchant'],
        rows.map(one => [one.current ? '*' : '', one.name, one.url, one.merchant]),
      ),
    )
  })
  profiles.command('remove <name>').action((name: string, _options, command: Command) => {
    const { current, profiles: all } = readProfiles()
    if (!Object.hasOwn(all, name)) throw new Mistake(`there is no profile ${name}`)
    const { [name]: _gone, ...rest } = all
    writeProfiles({ ...(current !== undefined && current !== name && { current }), profiles: rest })
    print(command, { profile: name, removed: true })
  })
}
