// `--help` of each command, told before anything is installed, read or started: imported first by all of them, and by
// run.mjs.
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ofTheService =
  'Settings (environment variables) are those of the service: DATABASE_URL, and KEY_FILE, KEYS or KEY_COMMAND; without\nDATABASE_URL it is the database of `npm start`, running or not. docs/generated/settings.md has all of them.'

/** By script; `npm start` and `npm run bench` have more to say, and say it themselves. */
export const helps = {
  'launch/audit-verify.ts': `npm run audit:verify [-- PLACE:SEAL]

Is the audit log as it was written? With the end of the chain as it was earlier (the last line of an earlier run), also
whether nothing was cut off since. Ends with 0 if it is, 1 if it is not.

${ofTheService}`,
  'launch/bins-import.ts': `npm run bins:import FILE

Imports what the first digits of card numbers tell, from a CSV file with the columns bin, network, type, issuer, country.
What the file names is then as it says; other entries stay. A service that runs notices within a second.

${ofTheService}`,
  'launch/ledger-prove.ts': `npm run ledger:prove [-- --mend]

Does the ledger balance, and are its entries what payments say of themselves? --mend posts what they lack, and counts the
balances anew. Ends with 0 if it balances, 1 if it does not.

${ofTheService}`,
  'launch/ledger-reconcile.ts': `npm run ledger:reconcile -- --merchant ID --account ID --file FILE [options]

Holds the ledger against a processor's settlement file, movement by movement. Ends with 0 if they agree, 1 if not.

  --columns request_id=Name,gross=Name,…,amounts=minor   which column of the file says what
  --from TIME, --to TIME                                 of which time the file is
  --post                                                 posts what it says of fees and of what was paid out

${ofTheService}`,
  'launch/vault.ts': `npm run vault [-- --identities FOLDER]

Starts the vault as a process of its own (docs/decisions/0050-the-vault-apart.md), for a service that is told so by
VAULT_URL and VAULT_IDENTITY. --identities FOLDER makes the two files by which both sides know each other, and ends.

Settings: MODE, HOST, PORT (8090), DATABASE_URL (without it a PostgreSQL of its own is started), KEY_FILE, KEYS or
KEY_COMMAND, VAULT_IDENTITY, SWITCHYARD_DATA. In test mode keys and identities are made where there are none.`,
  'launch/vault-rotate.ts': `npm run vault:rotate [-- --remove]

Makes a new key and seals everything anew under it, while the service works; run again, it goes on where it was cut off.
--remove takes keys out of the key file that seal nothing any more.

${ofTheService}`,
  'test/run.ts': `npm test [-- SUITE | FILE …] [-t PATTERN]

Runs tests on a PostgreSQL and a sandbox of their own. Suites: fast (the usual one), long, browser. FILE may be a glob.
-t PATTERN runs only tests whose name matches.`,
  'test/long/storm.ts': `npm run storm [-- --minutes N] [--seed N]

Clients go all journeys at once against two services on one database, while everything is killed and stopped at random;
then every row is held against the processor's books and every answer. CONTRIBUTING.md has more.`,
  'tools/bridge/check.ts': `BRIDGE_KEY=… npm run bridge:check URL [-- --port N --reached-at URL]

Does an adapter speak the bridge protocol (docs/bridge/README.md)? URL is where it is (metadata.base_url of a connector
account), BRIDGE_KEY its secret (api_key). --port and --reached-at: where this command listens for news.`,
  'tools/check.ts': `npm run check [-- --write]

Types and style. --write mends style.`,
  'tools/docs.ts': `npm run docs

Writes docs/generated anew from the tables of the service.`,
  'tools/new-connector.ts': `npm run new:connector NAME

Makes the files of a new connector (docs/connectors.md).`,
}

const project = dirname(dirname(fileURLToPath(import.meta.url)))
const [, began = '', ...rest] = process.argv
const byRun = resolve(began) === join(project, 'launch', 'run.mjs')
const [script, args] = byRun ? [rest[0] ?? '', rest.slice(1)] : [began, rest]
const help = helps[relative(project, resolve(project, script))]
const asked = args.some(one => one === '--help' || one === '-h')

if (help !== undefined && asked) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}
