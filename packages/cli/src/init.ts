import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { type Desk, openDesk } from './command.ts'
import { listenSecret } from './listen-secret.ts'
import { paint, plain, show } from './output.ts'
import { Mistake } from './settings.ts'

const templates = fileURLToPath(new URL('../templates', import.meta.url))

/** The frameworks, each with the template folders that its shop is copied from. */
const frameworks = { express: ['common', 'server', 'express'], fastify: ['common', 'server', 'fastify'], next: ['common', 'next'] } as const
type Framework = keyof typeof frameworks

/** Files under other names in the templates, because npm does not publish files with their real names. */
const renamed: Record<string, string> = { gitignore: '.gitignore' }

/** Entries that a folder may contain and still count as empty. */
const UNNOTICED = ['.git']

type Ask = { framework?: string; force?: boolean; packages?: string; publishableKey?: string }
type Manifest = { name: string; dependencies: Record<string, string> }

const MANIFEST = 'package.json'

const isFramework = (name: string): name is Framework => Object.hasOwn(frameworks, name)

async function chosenFramework(given: string | undefined, { screen }: Desk): Promise<Framework> {
  const names = Object.keys(frameworks).join(', ')
  if (given !== undefined) {
    if (isFramework(given)) return given
    throw new Mistake(`there is no shop for ${given}; there is for ${names}`)
  }
  if (screen.json || screen.columns === null || !process.stdin.isTTY) throw new Mistake(`which framework? Give --framework: ${names}`)
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    for (;;) {
      const answer = (await asking.question(`Which framework: ${names}? [express] `)).trim() || 'express'
      if (isFramework(answer)) return answer
    }
  } finally {
    asking.close()
  }
}

function needEmpty(folder: string, force: boolean): void {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Mistake(`${folder} is no folder`)
  const there = existsSync(folder) ? readdirSync(folder).filter(name => !UNNOTICED.includes(name)) : []
  if (there.length > 0 && !force)
    throw new Mistake(
      `${folder} is not empty: it has ${there.slice(0, 3).join(', ')}${there.length > 3 ? ' …' : ''}. Take an empty one, or --force replaces files of the same name`,
    )
}

/** Returns the files of a shop: the path in the shop, and the path of the template. */
function filesOf(framework: Framework): [to: string, from: string][] {
  return frameworks[framework].flatMap(part =>
    (readdirSync(join(templates, part), { recursive: true }) as string[])
      .filter(name => statSync(join(templates, part, name)).isFile())
      .map((name): [string, string] => [join(dirname(name), renamed[basename(name)] ?? basename(name)), join(templates, part, name)]),
  )
}

/** Returns a name that npm accepts for a package, made from the folder's name. */
const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '') || 'shop'

type Packed = Record<string, { file: string; bytes: Buffer }>

/**
 * Packs the needed packages. `source` is a folder of packages, which npm packs, a folder of packed ones (`.tgz`), or a
 * packed package. The shop contains the packed files, so that it can be installed elsewhere too.
 */
function packedFrom(source: string, needed: readonly string[]): Packed {
  if (!existsSync(source)) throw new Mistake(`--packages: there is no ${source}`)
  const places = source.endsWith('.tgz') ? [source] : [source, ...readdirSync(source).map(name => join(source, name))]
  const packed: Packed = {}
  const draft = mkdtempSync(join(tmpdir(), 'switchyard-init-'))
  try {
    for (const place of places) {
      const isPacked = place.endsWith('.tgz')
      if (!isPacked && !needed.includes(nameIn(place))) continue
      const args = ['pack', isPacked ? `file:${place}` : place, '--json', '--ignore-scripts', '--pack-destination', draft]
      const { status, stdout, stderr } = spawnSync('npm', args, { cwd: draft, encoding: 'utf8', shell: process.platform === 'win32' })
      if (status !== 0) throw new Mistake(`--packages: npm cannot pack ${place}: ${plain(stderr).slice(0, 300)}`)
      const [{ name, filename }] = Object.values(JSON.parse(stdout)) as [{ name: string; filename: string }]
      const file = filename.replace(/^@/, '').replaceAll('/', '-')
      packed[name] = { file, bytes: readFileSync(join(draft, file)) }
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  const missing = needed.filter(name => packed[name] === undefined)
  if (missing.length > 0) throw new Mistake(`--packages: ${source} has no ${missing.join(', no ')}`)
  return packed
}

/** Returns the name of the package in a folder; empty if there is none. */
function nameIn(folder: string): string {
  const file = join(folder, 'package.json')
  return existsSync(file) ? String((JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name) : ''
}

/** Returns the settings for `.env`; `.env.example` has the same settings without secrets. */
async function settingsOf({ profile, client }: Desk, publishableKey: string | undefined): Promise<Record<string, string>> {
  const { url = '', key = '', admin_key, merchant } = profile
  const asked = async () =>
    admin_key !== undefined && merchant !== undefined && url !== ''
      ? (await client('admin').accounts.retrieve(merchant)).publishable_key
      : ''
  return {
    SWITCHYARD: url.replace(/(?<!\/)\/+$/, ''),
    SWITCHYARD_KEY: key,
    PUBLISHABLE_KEY: publishableKey ?? profile.publishable_key ?? (await asked()),
    WEBHOOK_SECRET: url !== '' && key !== '' ? listenSecret(url, key) : '',
    SHOP_URL: 'http://localhost:3000',
  }
}

const comments: Record<string, string> = {
  SWITCHYARD: 'The address of the deployment',
  SWITCHYARD_KEY: 'A secret key: for the server alone',
  PUBLISHABLE_KEY: 'The key of browsers',
  WEBHOOK_SECRET: 'Of the webhook endpoint, or what `switchyard listen` prints',
  SHOP_URL: 'Where customers come back to',
}

const envText = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `# ${comments[name]}\n${name}=${value}\n`)
    .join('')

async function init(desk: Desk, folder: string, version: string, ask: Ask): Promise<void> {
  const framework = await chosenFramework(ask.framework, desk)
  needEmpty(folder, ask.force === true)
  const files = filesOf(framework)
  const manifest = JSON.parse(readFileSync(files.find(([to]) => to === MANIFEST)![1], 'utf8')) as Manifest
  manifest.name = packageName(folder)
  // The SDK has the same version as the CLI.
  manifest.dependencies['@switchyard/node'] = version
  const ours = Object.keys(manifest.dependencies).filter(name => name.startsWith('@switchyard/'))
  const packed = ask.packages === undefined ? {} : packedFrom(resolve(ask.packages), ours)
  const settings = await settingsOf(desk, ask.publishableKey)

  const written: string[] = []
  const write = (name: string, text: string | Buffer, mode?: number) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, mode === undefined ? {} : { mode })
    written.push(name)
  }
  for (const [name, { file, bytes }] of Object.entries(packed)) {
    write(`packages/${file}`, bytes)
    manifest.dependencies[name] = `file:packages/${file}`
  }
  for (const [to, from] of files) write(to, to === MANIFEST ? `${JSON.stringify(manifest, null, 2)}\n` : readFileSync(from))
  write('.env.example', envText({ ...settings, SWITCHYARD_KEY: '', PUBLISHABLE_KEY: '', WEBHOOK_SECRET: '' }))
  // An existing `.env` is kept, because it may hold keys that are stored nowhere else.
  const isKept = existsSync(join(folder, '.env'))
  if (!isKept) write('.env', envText(settings), 0o600)
  const missing = isKept ? [] : Object.keys(settings).filter(name => settings[name] === '')
  show(desk.screen, { folder, framework, files: written.toSorted(), missing_settings: missing }, () => {
    const { out } = desk.screen
    for (const name of written.toSorted()) out(`${paint(desk.screen, 'dim', 'wrote')} ${plain(name)}\n`)
    if (isKept) out('.env was there and is kept\n')
    if (missing.length > 0) out(`${paint(desk.screen, 'yellow', 'Fill in, in .env:')} ${missing.join(', ')}\n`)
    const cd = folder === process.cwd() ? '' : `  cd ${plain(folder)}\n`
    out(`\nNext:\n${cd}  npm install\n  npm run dev\n  switchyard listen --forward-to localhost:3000/webhooks\n  npm test\n`)
  })
}

/** Adds `switchyard init`. `version` is the version of the CLI and the SDK. */
export function addInit(program: Command, version: string): void {
  program
    .command('init')
    .description('writes a working shop: checkout, webhook and test')
    .argument('[folder]', 'where; an empty one', '.')
    .option('--framework <name>', Object.keys(frameworks).join(', '))
    .option('--force', 'also into a folder that is not empty')
    .option('--publishable-key <key>', 'the key of browsers; default: of the profile, or PUBLISHABLE_KEY')
    .option('--packages <path>', 'takes the packages of Switchyard from a folder or a .tgz instead of the registry of npm')
    .action((folder: string, options: Ask, command: Command) => init(openDesk(command), resolve(folder), version, options))
}
