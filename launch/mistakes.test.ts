// Every mistake that can be made in starting, made for real: it is told in a sentence that names the setting and what
// to do, at once.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { newKeys } from '../src/vault/keys.ts'
import { openShop } from '../test/shop.ts'
import { projectDir } from './binaries.ts'
import { choosePort } from './ports.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { quick, talk, tempDir } from './rehearsal.ts'

const dir = tempDir()
chmodSync(dir, 0o755) // PostgreSQL, under another user, reads its pg_hba.conf here
const file = (name: string, text: string, mode = 0o644) => {
  writeFileSync(join(dir, name), text)
  chmodSync(join(dir, name), mode)
  return join(dir, name)
}
const secret = 'a password that nobody may see'
const key = 'an admin key of the tests'
const closed = join(dir, 'closed')
mkdirSync(closed, { mode: 0o555 })
const plain = file('plain', 'not JSON')
const unreadable = file('unreadable', '{}', 0o000)
const live = { MODE: 'live', PUBLIC_URL: 'https://pay.example', ADMIN_API_KEY: key }

/** A server that asks one user for a password, and lets another do nothing. */
let guarded: Postgres
/** One with something in it. */
let database: string
let keyFile: string
const taken = createServer()
const free = String(await choosePort({ setting: 'PORT', given: '0', usual: 0, host: '127.0.0.1' }))
const port = () => String((taken.address() as { port: number }).port)

/** Where that server is, as another user or with another database. */
function at(user: string, name: string, password = ''): string {
  const url = new URL(guarded.url)
  Object.assign(url, { username: user, password, pathname: `/${name}` })
  return url.href
}

before(async () => {
  const [hba_file] = [file('hba', 'local all guarded scram-sha-256\nlocal all refused reject\nlocal all all trust\n')]
  guarded = await startPostgres({ dataDir: join(dir, 'pg'), settings: { ...quick, hba_file } })
  const client = new pg.Client({ connectionString: guarded.url })
  await client.connect()
  await client.query("create role guarded login password 'right'; create role poor login; create role refused login")
  await client.end()
  ;({ databaseUrl: database, keyFile } = await openShop())
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  taken.close()
  await guarded.stop()
})

type Mistake = { env?: Record<string, string>; args?: string[]; message: RegExp }

/** Made with `npm start`. What is in the environment by default is right, and starts no database. */
const mistakes: Record<string, () => Mistake> = {
  'an argument that there is not': () => ({ args: ['--port=1'], message: /--port=1.* environment variables/ }),
  'a mode in capitals': () => ({ env: { MODE: 'LIVE' }, message: /MODE must be test or live, not LIVE/ }),
  'SANDBOX with another word': () => ({ env: { SANDBOX: 'no' }, message: /SANDBOX must be on or off/ }),
  'LOG with another word': () => ({ env: { LOG: 'syslog' }, message: /LOG must be file or stdout/ }),
  'a port that is none': () => ({ env: { PORT: '80a' }, message: /PORT must be a whole number from 0 to 65535, not 80a/ }),
  'a port for two': () => ({
    env: { PORT: free, SANDBOX_PORT: free, SANDBOX: 'on' },
    message: /SANDBOX_PORT=\d+ is the port of the service\. Choose another/,
  }),
  'a port that is taken': () => ({ env: { PORT: port() }, message: /PORT=\d+ is in use.* Choose another PORT/ }),
  'a sandbox port that is taken': () => ({
    env: { SANDBOX_PORT: port(), SANDBOX: 'on' },
    message: /SANDBOX_PORT=\d+ is in use.* Choose another SANDBOX_PORT/,
  }),
  'an address of another machine': () => ({ env: { HOST: '192.0.2.1' }, message: /HOST=192\.0\.2\.1 .*127\.0\.0\.1/ }),
  'a ledger of the sandbox below a file': () => ({
    env: { SANDBOX: 'on', SANDBOX_LEDGER: join(plain, 'ledger') },
    message: /SANDBOX_LEDGER=/,
  }),
  'a ledger of the sandbox where nothing can be made': () => ({
    env: { SANDBOX: 'on', SANDBOX_LEDGER: '/proc/none/ledger' },
    message: /SANDBOX_LEDGER=/,
  }),
  'a data folder below a file': () => ({ env: { SWITCHYARD_DATA: join(plain, 'data') }, message: /path is a file.* Set SWITCHYARD_DATA/ }),
  'a data folder where nothing can be made': () => ({ env: { SWITCHYARD_DATA: '/proc/data' }, message: /Set SWITCHYARD_DATA/ }),
  'a data folder in one that can only be read': () => ({
    env: { SWITCHYARD_DATA: join(closed, 'data') },
    message: /this user does not have permission.* Set SWITCHYARD_DATA/,
  }),
  'a data folder that can only be read': () => ({
    env: { SWITCHYARD_DATA: closed },
    message: /this user does not have permission.* Set SWITCHYARD_DATA/,
  }),
  'an admin key of a few letters': () => ({ env: { ADMIN_API_KEY: 'short' }, message: /ADMIN_API_KEY must have at least 16 characters/ }),
  'a file for the admin key that is not there': () => ({
    env: { ADMIN_API_KEY_FILE: join(dir, 'none') },
    message: /ADMIN_API_KEY_FILE .*no such file.* Set another/,
  }),
  'a file for the admin key that may not be read': () => ({
    env: { ADMIN_API_KEY_FILE: unreadable },
    message: /ADMIN_API_KEY_FILE .*this user does not have permission.*give this user access/,
  }),
  'live mode without a public address': () => ({
    env: { ...live, PUBLIC_URL: '', KEY_FILE: plain },
    message: /PUBLIC_URL must be an https address/,
  }),
  'live mode without keys': () => ({ env: live, message: /KEY_FILE must be set \(or KEYS, or KEY_COMMAND\).*openssl rand/ }),
  'a command for the keys that fails': () => ({
    env: { KEY_COMMAND: `: '${secret}'; echo the vault is closed >&2; exit 3` },
    message: /the vault is closed[\s\S]*KEY_COMMAND returned no keys: it exited with code 3\. Run it by hand/,
  }),
  'an address of the database that is none': () => ({
    env: { DATABASE_URL: 'localhost:5432' },
    message: /DATABASE_URL must be .*postgres:\/\//,
  }),
  'a database where nothing listens': () => ({
    env: { DATABASE_URL: `postgresql://u:${secret}@127.0.0.1:1/shop` },
    message: /DATABASE_URL: nothing listens on 127\.0\.0\.1:1\. Start PostgreSQL/,
  }),
}

/** Made with the service alone, as it runs without `npm start`. */
const alone: Record<string, () => Mistake> = {
  'an argument that there is not': () => ({ args: ['9000'], message: /9000 .*environment variables/ }),
  'no settings at all': () => ({ env: { DATABASE_URL: '' }, message: /DATABASE_URL must be set: postgresql:\/\// }),
  'a mode in capitals': () => ({ env: { MODE: 'Test' }, message: /MODE must be test or live, not Test/ }),
  'a port that is taken': () => ({ env: { PORT: port() }, message: /PORT=\d+ is in use.* Choose another PORT/ }),
  'a proxy by its name': () => ({
    env: { TRUSTED_PROXIES: 'proxy.example' },
    message: /TRUSTED_PROXIES must be comma-separated addresses/,
  }),
  'live mode with a key file that is not there': () => ({
    env: { ...live, KEY_FILE: join(dir, 'none') },
    message: /KEY_FILE .* does not exist, and live mode does not create keys.*openssl rand/,
  }),
  'a key file that is a folder': () => ({ env: { KEY_FILE: dir }, message: /KEY_FILE .* it is a folder/ }),
  'a key file that may not be read': () => ({
    env: { KEY_FILE: unreadable },
    message: /KEY_FILE .* cannot be read: this user does not have permission.*give this user access/,
  }),
  'a key file that cannot be made': () => ({
    env: { KEY_FILE: join(closed, 'keys.json') },
    message: /KEY_FILE .* cannot be made: this user does not have permission/,
  }),
  'the keys of another database': () => ({
    env: { KEY_FILE: file('others.json', newKeys()) },
    message:
      /KEY_FILE .*others\.json does not contain the keys that this database was encrypted with: its key lookup is another one .*Restore those keys/,
  }),
  'live mode over a database of test mode': () => ({
    env: { ...live, KEY_FILE: keyFile },
    message: /MODE is live, but this database belongs to a deployment with MODE test\. Set MODE=test, or/,
  }),
  'a key file without its members': () => ({
    env: { KEY_FILE: file('half', '{"active":"k1","sealing":null}') },
    message: /KEY_FILE .*active, sealing and lookup are required.*openssl rand/,
  }),
  'a command for the keys that prints something else': () => ({
    env: { KEY_COMMAND: 'echo hello' },
    message: /output of KEY_COMMAND .*not JSON/,
  }),
  'a database on a host that there is not': () => ({
    env: { DATABASE_URL: `postgresql://u:${secret}@nowhere.invalid/shop` },
    message: /DATABASE_URL: .*nowhere\.invalid.*Check its name/,
  }),
  'a database with a wrong password': () => ({
    env: { DATABASE_URL: at('guarded', 'switchyard', secret) },
    message: /DATABASE_URL: .*password for the user guarded\. Correct it/,
  }),
  'a database without its password': () => ({ env: { DATABASE_URL: at('guarded', 'switchyard') }, message: /DATABASE_URL: .*password/ }),
  'a database that lets the user not in': () => ({
    env: { DATABASE_URL: at('refused', 'switchyard') },
    message: /DATABASE_URL: .*the user refused.*pg_hba\.conf/,
  }),
  'a database that there is not': () => ({
    env: { DATABASE_URL: at('switchyard', 'nothing') },
    message: /DATABASE_URL: the database nothing does not exist\. Create it/,
  }),
  'a database in which the user may make nothing': () => ({
    env: { DATABASE_URL: at('poor', 'switchyard') },
    message: /DATABASE_URL: the user poor has no permission to create tables.*owner/,
  }),
}

/** Root may read and write everything; without this one power it is a user like any other. */
const likeAUser = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search', '--'] : []

async function make(script: string, { env = {}, args = [], message }: Mistake): Promise<void> {
  const settled = { DATABASE_URL: database, SWITCHYARD_DATA: tempDir(), PORT: '0', SANDBOX: 'off', SANDBOX_PORT: '0', ...env }
  const [command, ...rest] = [...likeAUser, process.execPath, join(projectDir, script), ...args]
  const talker = talk(command!, rest, { env: settled })
  const code = await talker.ended
  const output = talker.output()
  assert.match(output, message)
  assert.equal(code, 1, output)
  assert.doesNotMatch(output, /\n\s+at |Error:|node:/, 'no stack')
  assert.ok(!output.includes(secret), 'no secret')
}

const several = { concurrency: 2, timeout: 300_000 }
describe('npm start exits with a message about', several, () => {
  for (const [mistake, made] of Object.entries(mistakes)) it(mistake, () => make('launch/start.ts', made()))
})
describe('the service alone exits with a message about', several, () => {
  for (const [mistake, made] of Object.entries(alone))
    it(mistake, () => make('src/main.ts', { ...made(), env: { ADMIN_API_KEY: key, KEY_FILE: keyFile, ...made().env } }))
})
