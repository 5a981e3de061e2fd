import { deepEqual, equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { openDemoShop } from '../test/demo-merchant.ts'
import { ADMIN_KEY, type Shop } from '../test/shop.ts'
import { openapi } from './openapi/openapi.ts'
import { buildPackages } from './packages.ts'

/**
 * Runs the examples of README.md, docs/ and the reference as a reader would paste them: the fences marked `sh example`
 * and `js example`, those of a file in one shell, in order, so that a variable set by one is known to the next (to
 * JavaScript, in `process.env`). An example fails if a command does, or if an answer is an error. One marked
 * `example error` is meant to be refused, and must be.
 */

type Example = { line: number; language: 'sh' | 'js'; text: string; refused: boolean }

/** The marked examples of a page. */
function examplesOf(page: string): Example[] {
  const fence = /^```(sh|js) example( error)?(?: \[[^\]]+\])?[ \t]*\n([\s\S]*?)^```[ \t]*$/gm
  return [...page.matchAll(fence)].map(({ index, 1: language, 2: error, 3: text }) => ({
    line: page.slice(0, index).split('\n').length,
    language: language as Example['language'],
    text: text!,
    refused: error !== undefined,
  }))
}

const root = join(import.meta.dirname, '..')
const cli = join(root, 'packages/cli/dist/main.js')

/** Addresses of a service started as the README says become the shop's, and so do keys that a reader has to fill in. */
const OWN = /http:\/\/(?:localhost|127\.0\.0\.1):8080/g
const TO_FILL_IN = /^export (\w+)=\S*…/gm

/** What `fetch` is answered is kept as what `curl` prints is. */
const KEEPER = `import { appendFileSync } from 'node:fs'
const ask = globalThis.fetch
globalThis.fetch = async (...asked) => {
  const answer = await ask(...asked)
  appendFileSync(process.env.ANSWERS, await answer.clone().text())
  return answer
}
`

/** A block as a part of the shell's script: JavaScript is run by Node, where the project's libraries are found. */
function scriptOf({ language, text }: Example, shop: Shop, keeper: string): string {
  if (language === 'sh') return text.replace(OWN, shop.url).replace(TO_FILL_IN, 'export $1')
  return `(cd '${root}' && '${process.execPath}' --import 'file://${keeper}' --input-type=module <<'END-OF-BLOCK'\n${text}\nEND-OF-BLOCK\n)`
}

/** Runs the examples of one page; gives what went wrong, in the words of a reader. */
async function run(shop: Shop, page: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-examples-'))
  const answers = (i: number) => join(folder, `answers-${i}`)
  const examples = examplesOf(page)
  const keeper = join(folder, 'keeper.mjs')
  writeFileSync(keeper, KEEPER)
  // What curl prints is also kept, even where an assignment swallows it. Variables are known to JavaScript, too.
  const script = [
    'set -eu -a -o pipefail',
    'curl() { command curl -sS "$@" | tee -a "$ANSWERS"; }',
    // The command line as it is built here, as one that is installed.
    `switchyard() { '${process.execPath}' '${cli}' "$@" | tee -a "$ANSWERS"; }`,
    'npx() { [ "$1" = @switchyard/cli ] || return 127; shift; switchyard "$@"; }',
    ...examples.map((example, i) => `ANSWERS='${answers(i)}'\n: > "$ANSWERS"\n${scriptOf(example, shop, keeper)}`),
  ].join('\n')
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SWITCHYARD: shop.url,
      KEY: shop.api_key,
      ADMIN_KEY,
      PUBLISHABLE_KEY: shop.publishable_key,
      MERCHANT_ID: shop.merchant_id,
      SANDBOX: shop.processor.url,
      SANDBOX_KEY: `sandbox_${shop.merchant_id}`,
    },
  })
  let output = ''
  child.stdout.resume()
  child.stderr.on('data', chunk => {
    output += chunk
  })
  // As where time passes, the sandbox tells of what has happened, and jobs run.
  const timer = setInterval(
    () =>
      void shop.processor
        .advance(0)
        .then(shop.service.tick)
        .catch(() => {}),
    300,
  )
  const status = await new Promise<number | null>(resolve => child.on('close', resolve))
  clearInterval(timer)
  const reached = examples.filter((_, i) => existsSync(answers(i))).length
  const wrong = examples.flatMap(({ line, refused }, i): string[] => {
    if (i >= reached) return [`line ${line}: never reached`]
    if (status !== 0 && i === reached - 1) return [`line ${line}: ended with ${status}: ${output.trim()}`]
    const answer = readFileSync(answers(i), 'utf8')
    if (/"error"\s*:/.test(answer) === refused) return []
    return [refused ? `line ${line}: was not refused: ${answer}` : `line ${line}: was refused: ${answer}`]
  })
  rmSync(folder, { recursive: true, force: true })
  return wrong
}

let shop: Shop
before(async () => {
  await buildPackages()
  shop = await openDemoShop()
})

for (const file of globSync(['README.md', 'docs/*.md', 'docs/guides/*.md'], { cwd: root }).toSorted()) {
  const page = readFileSync(join(root, file), 'utf8')
  if (examplesOf(page).length === 0) continue
  test(`the examples in ${file} work as written`, async () => {
    deepEqual(await run(file.startsWith('docs/guides/') ? await openDemoShop() : shop, page), [])
  })
}

test('the examples in the API reference work as written', async () => {
  const { description } = openapi().info
  equal(examplesOf(description).length > 5, true)
  deepEqual(await run(shop, description), [])
})

const fenced = (...examples: string[]) => examples.map(text => `Some words.\n\n\`\`\`sh example\n${text}\n\`\`\`\n`).join('\n')
const pay = `curl -s http://localhost:8080/payments -H "api-key: $KEY" -H 'content-type: application/json' -d '{"amount": 1250, "currency": "USD"}'`

test('a variable that one example sets is available to the next', async () => {
  const first = `PAYMENT_ID=$(${pay.replace('http://localhost:8080', '$SWITCHYARD')} | sed -E 's/.*"payment_id":"([^"]+)".*/\\1/')`
  const second = `curl "$SWITCHYARD/payments/$PAYMENT_ID" -H "api-key: $KEY" | grep -q "$PAYMENT_ID"`
  deepEqual(await run(shop, fenced(first, second)), [])
})

test('an example with an error response is reported, even if the response is assigned to a variable', async () => {
  const [wrong, ...more] = await run(shop, fenced(pay, `ID=$(curl "$SWITCHYARD/payments/pay_1" -H "api-key: $KEY" | sed -n 's/x/y/p')`))
  match(wrong ?? '', /^line 9: was refused: .*HE_02/)
  equal(more.length, 0)
})

test('a failing example is reported, and so are the examples after it that are never reached', async () => {
  const wrong = await run(shop, fenced(pay, 'echo nothing | grep something', pay))
  match(wrong[0] ?? '', /^line 9: ended with 1/)
  match(wrong[1] ?? '', /^line 15: never reached/)
  equal(wrong.length, 2)
})

test('JavaScript examples receive the variables of the shell, and their responses are checked', async () => {
  const js = (text: string) => `\`\`\`js example\n${text}\n\`\`\`\n`
  const ask = (path: string) => `await fetch(process.env.SWITCHYARD + '${path}', { headers: { 'api-key': process.env.KEY } })`
  deepEqual(
    await run(shop, `${fenced('WORD=told')}${js(`if (process.env.WORD !== 'told') throw new Error('untold')\n${ask('/events')}`)}`),
    [],
  )
  match((await run(shop, js(ask('/payments/pay_1'))))[0] ?? '', /was refused/)
  match((await run(shop, js('throw new Error("no")')))[0] ?? '', /ended with 1/)
})

test('an example marked as an error is reported if it is not refused', async () => {
  const refused = (text: string) => fenced(text).replace('sh example', 'sh example error')
  deepEqual(await run(shop, refused('curl "$SWITCHYARD/payments/pay_1"')), [])
  match((await run(shop, refused(pay)))[0] ?? '', /was not refused/)
})

test('code blocks without the mark are not run', () => {
  deepEqual(examplesOf('```sh\nexit 1\n```\n\n```json\n{}\n```\n'), [])
})
