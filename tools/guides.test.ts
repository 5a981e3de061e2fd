import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openDemoShop } from '../test/demo-merchant.ts'
import { ADMIN_KEY, type Shop } from '../test/shop.ts'
import { blocksOf, guideNames, guideText, printsOf, programOf } from './guides.ts'
import { buildPackages } from './packages.ts'

/**
 * The programs of the guides (blocks marked `ts example`) have the types that they say, and do what they say against a
 * running service: each ends well, and prints what stands beside its `console.log`. What curl shows is run by
 * `examples.test.ts`, what browsers do by `test/browser/guides.test.ts`.
 */

const packages = join(import.meta.dirname, '../packages')
const place = join(packages, '.made', `guides-${process.pid}`)
after(() => rmSync(place, { recursive: true, force: true }))

/** Tells which line of the program printed what. */
const KEEPER = `import { appendFileSync } from 'node:fs'
import { format } from 'node:util'
const print = console.log
console.log = (...words) => {
  const line = /program\\.ts:(\\d+)/.exec(new Error().stack)?.[1]
  appendFileSync(process.env.PRINTED, JSON.stringify([Number(line), format(...words)]) + '\\n')
  print(...words)
}
`

const run = (args: readonly string[], env: Record<string, string>, cwd: string): Promise<{ code: number | null; output: string }> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, args, { cwd, env: { PATH: process.env.PATH!, HOME: cwd, ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => (output += chunk))
    child.on('close', code => resolve({ code, output }))
  })

/** Writes the program of a page into a folder of its own, where the packages are found. */
function write(name: string, page: string): string {
  const folder = join(place, name)
  mkdirSync(folder, { recursive: true })
  // A module also where nothing is imported: what it declares is its own.
  writeFileSync(join(folder, 'program.ts'), `${programOf(page)}\nexport {}\n`)
  return folder
}

/** What the compiler says of all that is written. */
async function mistakes(): Promise<string> {
  const options = {
    noEmit: true,
    types: ['node'],
    typeRoots: ['../../node_modules/@types'],
    noUnusedLocals: false,
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions: options }))
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
  return (await run([join(packages, 'node_modules/typescript/bin/tsc'), '-p', place], {}, packages)).output
}

/** Runs the program of a page at this shop; gives what went wrong, in the words of a reader. */
async function follow(shop: Shop, page: string, folder: string): Promise<string[]> {
  const printed = join(folder, 'printed')
  rmSync(printed, { force: true })
  const env = {
    SWITCHYARD: shop.url,
    KEY: shop.api_key,
    ADMIN_KEY,
    PUBLISHABLE_KEY: shop.publishable_key,
    MERCHANT_ID: shop.merchant_id,
    SANDBOX: shop.processor.url,
    SANDBOX_KEY: `sandbox_${shop.merchant_id}`,
    PRINTED: printed,
  }
  // As where time passes, the sandbox tells of what has happened, and jobs run.
  const timer = setInterval(
    () =>
      void shop.processor
        .advance(0)
        .then(shop.service.tick)
        .catch(() => {}),
    300,
  )
  const { code, output } = await run(['--import', `file://${join(place, 'keeper.mjs')}`, join(folder, 'program.ts')], env, folder)
  clearInterval(timer)
  if (code !== 0) return [output]
  const lines = existsSync(printed) ? readFileSync(printed, 'utf8').trim().split('\n') : []
  const prints = lines.map(line => JSON.parse(line) as [number, string])
  return [...printsOf(programOf(page))].flatMap(([line, expected]) => {
    const own = prints.filter(([at]) => at === line).map(([, text]) => text)
    if (own.length === 0) return [`line ${line}: printed nothing, not ${expected}`]
    return own.filter(text => !expected.test(text)).map(text => `line ${line}: printed ${text}, not ${expected}`)
  })
}

const withProgram = guideNames.filter(name => /\S/.test(programOf(guideText(name))))

before(async () => {
  await buildPackages()
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'keeper.mjs'), KEEPER)
})

test('the programs of the guides pass the type checker', async () => {
  for (const name of withProgram) write(name, guideText(name))
  equal(await mistakes(), '')
})

for (const name of withProgram)
  test(`the program of docs/guides/${name}.md prints the documented output`, async () => {
    const page = guideText(name)
    deepEqual(await follow(await openDemoShop(), page, write(name, page)), [])
  })

test('every curl example with an API key has an SDK example beside it', () => {
  const alone = guideNames.flatMap(name => {
    const blocks = blocksOf(guideText(name))
    const others = (group: number | null) => blocks.filter(one => group !== null && one.group === group).map(({ label }) => label)
    return blocks
      .filter(({ language, mark, text }) => language === 'sh' && mark.startsWith('example') && /api-key: \$(ADMIN_)?KEY/.test(text))
      .filter(({ group, label }) => label !== 'curl' || !others(group).includes('Node'))
      .map(({ line }) => `docs/guides/${name}.md:${line}`)
  })
  deepEqual(alone, [])
})

test('a program that fails, or prints something else or nothing, is reported with its line', async () => {
  const shop = await openDemoShop()
  const page = (code: string) => `# A page\n\n\`\`\`ts example\n${code}\n\`\`\`\n`
  const problemsOf = (code: string) => follow(shop, page(code), write('made-up', page(code)))
  deepEqual(await problemsOf("console.log('a', 1) // a 1\nconsole.log('pay_1') // pay_…\nconsole.log('b') // a or b"), [])
  deepEqual(await problemsOf("console.log('b') // a"), ['line 4: printed b, not /^(a)$/'])
  deepEqual(await problemsOf("if (Date.now() === 0) console.log('b') // b"), ['line 4: printed nothing, not /^(b)$/'])
  ok((await problemsOf('const a = 1\nthrow new Error(String(a))'))[0]!.includes('program.ts:5'))
})
