// The first minutes of a reader of README.md with the SDK and the command line, on a machine where nothing of ours is:
// its blocks marked `minutes` are run as they stand there, by one shell, in a home of their own.
import { deepEqual, equal, match } from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openShop } from '../test/shop.ts'
import { blocksOf } from '../tools/guides.ts'
import { buildPackages } from '../tools/packages.ts'

const root = join(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'switchyard-reader-'))
after(() => rmSync(home, { recursive: true, force: true }))
before(() => buildPackages())

/** How this machine reaches the registry is the machine's: a proxy between them, and whose word it goes by. */
const ways = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /proxy|cert|^npm_config_(?!local|global|prefix)/i.test(name)),
)

const npm = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: root }).trim()

test('the README.md steps pack and install the SDK and the command line, make a payment, list it and refund it', async () => {
  const shop = await openShop()
  const blocks = blocksOf(readFileSync(join(root, 'README.md'), 'utf8')).filter(({ mark }) => mark === 'minutes')
  equal(blocks.length, 3)
  // A block with a name is saved under it.
  const steps = blocks.map(({ label, text }) => (label === null ? text : `cat > '${label}' <<'END-OF-FILE'\n${text}END-OF-FILE\n`))
  const child = spawn('bash', ['-c', ['set -eu -o pipefail', ...steps].join('\n')], {
    cwd: root,
    env: {
      ...ways,
      PATH: process.env.PATH,
      HOME: home,
      npm_config_userconfig: npm('userconfig'),
      npm_config_cache: npm('cache'),
      SWITCHYARD: shop.url,
      KEY: shop.api_key,
    },
  })
  let [output, wrong] = ['', '']
  child.stdout.setEncoding('utf8').on('data', chunk => (output += chunk))
  child.stderr.setEncoding('utf8').on('data', chunk => (wrong += chunk))
  equal(await new Promise(resolve => child.on('close', resolve)), 0, output + wrong)
  match(output, /^pay_\w+ succeeded$/m)
  const payment_id = /^(pay_\w+) succeeded$/m.exec(output)![1]!
  match(output.slice(output.indexOf('succeeded')), new RegExp(payment_id), 'the list shows it')
  match(output, /refund/)
  const charges = await shop.processor.charges()
  equal(charges.filter(({ captured }) => captured === 1250).length >= 1, true)
  equal(charges.length, 2)
  // Installed from the files that npm packed, not from the project.
  for (const name of ['@switchyard/node', '@switchyard/cli']) {
    const place = join(home, 'my-shop/node_modules', name)
    deepEqual([existsSync(join(place, 'dist')), existsSync(join(place, 'src'))], [true, false], name)
  }
  equal(readdirSync(join(home, 'my-shop')).filter(file => file.endsWith('.tgz')).length, 2)
})
