import { equal } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openShop } from '../../../test/shop.ts'
import { buildPackages } from '../../../tools/packages.ts'

const folder = join(import.meta.dirname, '../..')
const readme = readFileSync(join(folder, 'node/README.md'), 'utf8')
const examples = [...readme.matchAll(/^```ts example\n(.*?)^```$/gms)].map(([, code]) => code!)

/** Without holding up the service, which runs in this process. */
const run = (args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number | null; said: string }> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => (said += chunk))
    child.on('close', code => resolve({ code, said }))
  })

test('the README examples type-check, and run against the service', async () => {
  await buildPackages()
  const shop = await openShop()
  await shop.pay()
  const place = join(folder, '.made', `readme-${process.pid}`)
  mkdirSync(place, { recursive: true })
  try {
    const files = examples.map((code, i) => {
      const file = join(place, `example-${i + 1}.ts`)
      writeFileSync(file, code)
      return file
    })
    writeFileSync(
      join(place, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.base.json',
        compilerOptions: { noEmit: true, types: ['node'], typeRoots: ['../../node_modules/@types'] },
      }),
    )
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
    const checked = await run(['node_modules/typescript/bin/tsc', '-p', place])
    equal(checked.code, 0, checked.said)
    for (const file of files) {
      const { code, said } = await run([file], { SWITCHYARD: shop.url, KEY: shop.api_key })
      equal(code, 0, `${readFileSync(file, 'utf8')}\n${said}`)
    }
    equal(files.length, 6)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})
