// `--help` of each command, told before anything is installed, read or started: imported first by all of them, and by
// run.mjs.
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ofTheService =
  'Settings (environment variables) are those of the service: DATABASE_URL, and KEY_FILE, KEYS or KEY_COMMAND; without\nDATABASE_URL, the database of `npm start` is used, running or not. See docs/generated/settings.md for all settings.'

/** By script; `npm start` and `npm run bench` have more to say, and say it themselves. */
export const helps = {
  'launch/analytics-prove.ts': `npm run analytics:prove [-- --mend]

Verifies that the counters of analytics match the payments, hour by hour. --mend recounts hours that differ. Exits with
0 if all match, 1 if not.

${ofTheService}`,
  'launch/audit-verify.ts': `npm run audit:verify [-- PLACE:SEAL]

Verifies that the audit log is unchanged. With an earlier end of the chain (the last line of an earlier run), also
verifies that no entries were removed since. Exits with 0 if it is unchanged, 1 if not.

${ofTheService}`,
  'launch/bins-import.ts': `npm run bins:import FILE

Imports card BIN data from a CSV file with the columns bin, network, type, issuer, country. Entries in the file replace
existing ones; other entries are unchanged. A running service uses the new data within a second.

${ofTheService}`,
  'launch/build.ts': `npm run build [-- PART …]

Builds what is not in the repository, for a service that is started without \`npm start\` and without the image: the
page-scripts, the dashboard and the site, or only the parts that are named.`,
  'launch/demo-data.ts': `npm run demo:data [-- --payments N --days N]

Fills the demo merchant of a running \`npm start\` with sample payments at the sandbox (default: 1000 payments of the last 30
days), with rules and retries. Can be run again.

Settings: SWITCHYARD_DATA, as for \`npm start\`.`,
  'launch/demo-shop.ts': `npm run demo

Opens the demo shop of examples/shop for the demo merchant of a running \`npm start\`, which it starts if none runs. Ctrl-C
closes what it opened.

Settings: SHOP_PORT (8090; 0: a free one), and those of \`npm start\`.`,
  'launch/ledger-prove.ts': `npm run ledger:prove [-- --mend]

Verifies that the ledger balances and that its entries match the payments. --mend posts missing entries and recalculates
the balances. Exits with 0 if the ledger balances, 1 if not.

${ofTheService}`,
  'launch/ledger-reconcile.ts': `npm run ledger:reconcile -- --merchant ID --account ID --file FILE [options]

Reads a settlement report of a processor, or with --bank a statement of the merchant's bank (camt.053 or CSV), and says
what differs from the ledger. Vendors' reports are known by their titles; files of any size are read as they come.
  --post                 posts what matches to the ledger; each difference stays open. A line is posted once, however
                         many files have it. Without --post nothing is stored (statements of a bank always are)
  --whole                with --post: posts nothing unless every line matches
  --columns NAME=TITLE,… titles of the columns of a report that is no vendor's: request_id (ours), reference (the
                         processor's), currency, gross, fee, net, type, batch, booked_at; amounts=minor for amounts in
                         the lowest denomination. Or JSON, as POST /reconciliation/files takes it
Exits with 0 if all match, 1 if a line differs or cannot be read, 2 if the file cannot be read.

${ofTheService}`,
  'launch/merchant-move.ts': `npm run merchant:move -- MERCHANT [options]

Moves a merchant from one running deployment to another, whose database TARGET_DATABASE_URL names (TARGET_KEY_FILE: its
key file, if it is not the same). Meanwhile the merchant is refused with 503 and Retry-After. Can be run again if it was
cut off. See docs/deployment.md.

  --address URL   where the merchant is served from then on: told to clients that still ask at the source
  --files FOLDER  FILES_FOLDER of the target, where the merchant's files are copied; shared: it is the same, or a bucket
  --drain N       waits at most N seconds for requests that are under way (35)
  --undo          takes back a move that was cut off before the source was closed
  --remove        removes the rows that the merchant has left behind at the source

${ofTheService}`,
  'launch/user-link.ts': `npm run user:link EMAIL
npm run user:link -- --merchant ID

Prints a link that works once: for a new password of the person with this e-mail address, or for the first owner of a
merchant that has none. PUBLIC_URL (or HOST and PORT) says where the service is.

${ofTheService}`,
  'launch/user-reset-2fa.ts': `npm run user:reset-2fa EMAIL

Removes the second factor and the recovery codes of a person who has lost both. The password stays. The audit log
contains the change, by \`operator\`.

${ofTheService}`,
  'launch/vault.ts': `npm run vault [-- --identities FOLDER]

Starts the vault as a separate process (docs/design/vault.md), for a service that is configured with
VAULT_URL and VAULT_IDENTITY. --identities FOLDER creates the two files that authenticate both sides, and exits.

Settings: MODE, HOST, PORT (8090), DATABASE_URL (without it, a separate PostgreSQL is started), KEY_FILE, KEYS or
KEY_COMMAND, VAULT_IDENTITY, SWITCHYARD_DATA. Test mode creates missing keys and identities.`,
  'launch/vault-rotate.ts': `npm run vault:rotate [-- --remove]

Creates a new key and re-encrypts all records with it while the service is running; an interrupted run can be resumed.
--remove removes unused keys from the key file.

${ofTheService}`,
  'test/run.ts': `npm test [-- SUITE | FILE …] [-t PATTERN]

Runs tests with their own PostgreSQL and sandbox. Suites: fast (default), processors, project, programs, long,
browser. FILE may be a glob.

  -t PATTERN         only tests whose name matches
  --sample N         a part of the long suites and of the slower browsers, another for each N
  --again            files that failed run once more, alone; what passes then is named as unsteady
  --seed N           of what is random; random: another one for the property tests
  --count N          kills, orders, sequences, seeds of a simulation, rounds of a race, payments of the SDK
  --steps N, --rate N, --minutes N, --storm whole   length of a sequence, load of kills, length and place of the storm
  --mutants all      every known mistake in the service instead of three
  --previous TAG     the release that a rolling upgrade begins with
  --contracts FOLDER compares requests with the processors' OpenAPI documents
  --renew            takes new pictures instead of comparing them
  --record           records the example answers, or the statements of a release
  --only WORDS, --whole   one example of docs/adding.md; the whole fast suite with them
  --helm build       builds Helm for the test of the chart`,
  'test/long/storm.ts': `npm run storm [-- --minutes N] [--seed N]

Runs every client journey concurrently against two services on one database while processes are killed and stopped at
random, then compares every row with the processor's ledger and every response. See CONTRIBUTING.md.`,
  'test/simulation/run.ts': `npm run simulate [-- --runs N | --minutes N | --seed N]
    [--from N] [--seconds N] [--clients N] [--troubles LIST] [--everywhere] [--mutant WORDS]

Runs the whole service, the sandbox and PostgreSQL in one process on virtual time, as a seed decides: clients of a storm,
processes that are killed, connections that are cut, clocks that leap. Compares every row with the processor's ledger and
every response. A run that fails is made shorter, and printed as a command. With --seed, one run, told step by step.
  --troubles LIST   of services, database, sandbox, processors, network, statements, clocks, stalls
  --everywhere      merchants are paid at all processors, not only at the sandbox's own
  --mutant WORDS    with a known mistake in the service (test/simulation/mutants.ts)

See CONTRIBUTING.md.`,
  'ha/run.ts': `npm run ha [-- --times N] [--seed N] [--clients N] [--only WORDS]

Runs three PostgreSQL under Patroni with etcd and HAProxy on this machine (as root; installs them), kills, freezes and
cuts off the primary N times (default 10) while clients pay, prints how long no payment was acknowledged, and compares
every row with the processor's ledger and every response.
  --only WORDS      only failures whose name has these words: --only switchover`,
  'tools/bridge/check.ts': `BRIDGE_KEY=… npm run bridge:check URL [-- --port N --reached-at URL]

Verifies that an adapter implements the bridge protocol (docs/bridge/README.md). URL is its base URL (metadata.base_url of
a connector account), BRIDGE_KEY its secret (api_key). --port and --reached-at: where this command receives webhooks.`,
  'tools/check.ts': `npm run check [-- --write]

Checks types, style, lengths, names, comments and imports, and that nothing is unused. --write fixes style.`,
  'tools/docs.ts': `npm run docs

Regenerates all that is generated and kept: docs/generated from the tables of the service, the example answers of its
operations, and the scripts of its pages from src/pages/browser.`,
  'tools/new-connector.ts': `npm run new:connector NAME

Creates the files of a new connector (docs/connectors.md).`,
  'tools/size.ts': `npm run size

Prints the sizes of the project: tracked lines, code, comments, exports that nothing imports, longest functions.`,
  'tools/packages.ts': `npm run packages

Installs and builds what merchants install (packages/), if its inputs changed.`,
  'tools/release.ts': `npm run release [-- --dry-run] [--ci FILE] [--into FOLDER] [--key FILE]

Makes a release of the commit that is checked out: its files in FOLDER (default: release/VERSION) and its tag. Names what
stops it (a tree that is not clean, another version somewhere, CI that is not green …) and then makes none. Nothing is
published: what is left to do is printed.

  --dry-run      writes the files and makes no tag, whatever stops a release; exits with 1 if something does
  --ci FILE      what \`bash .ci/run\` printed for this commit; without it, CI is run (an hour)
  --into FOLDER  where the files go
  --key FILE     an Ed25519 key: SHA256SUMS is signed with it (SECURITY.md says how that is verified)`,
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
