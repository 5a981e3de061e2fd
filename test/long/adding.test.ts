import { equal } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { apply, copyTo } from '../../tools/adding.ts'
import { additions } from '../../tools/additions.ts'
import { buildPackages } from '../../tools/packages.ts'

/**
 * Verifies that `docs/adding.md` is complete: all its examples together are written into a copy of the project, and
 * the type checker and the tests of the project's structure pass; with `--whole`, the whole fast suite passes.
 * `npm test -- test/long/adding.test.ts --only 'A status of a payment'` runs one example alone, to find the one that
 * fails.
 */

/** The tests of the structure: they compare tables with each other, with the database and with the interface. */
const structure = [
  'tools/arrows.test.ts',
  'tools/names.test.ts',
  'tools/where.test.ts',
  'src/base/base.test.ts',
  'src/config.test.ts',
  'src/database/statement.test.ts',
  'src/database/table.test.ts',
  'test/kept-only.test.ts',
  'tools/openapi/openapi.test.ts',
  'src/payments/fields/fields.test.ts',
  'src/payments/lifecycle.test.ts',
  'src/payouts/lifecycle.test.ts',
  'src/accounts/profile-settings.test.ts',
  'src/connectors/adyen/offers.test.ts',
  'src/connectors/conformance.test.ts',
  'src/connectors/conformance-offers.test.ts',
  'src/customers/customers.test.ts',
  'src/events/events-api.test.ts',
  'src/instruments/families.test.ts',
  'src/payments/actions/cancel-payment.test.ts',
  'src/payments/grid.test.ts',
  'src/scheduler/scheduler.test.ts',
  'test/credentials.test.ts',
  'test/people-grid.test.ts',
  'test/previous-release.test.ts',
  'test/processors/adyen-families.test.ts',
  'test/processors/offered.test.ts',
  'test/test-processors.test.ts',
]

const { ONLY, WHOLE } = process.env
const tried = additions.filter(({ what }) => ONLY === undefined || what === ONLY)

const place = mkdtempSync(join(tmpdir(), 'switchyard-adding-'))
after(() => rmSync(place, { recursive: true }))

function run(command: [string, ...string[]]): void {
  const { NODE_TEST_CONTEXT: _, ONLY: _only, ...env } = process.env
  const [program, ...args] = command
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: place, env, encoding: 'utf8', maxBuffer: 1 << 26 })
  equal(status, 0, `${command.join(' ')}\n${stdout.split('failing tests').at(-1)!.slice(0, 12_000)}\n${stderr.slice(-4000)}`)
}

test('the examples of docs/adding.md, applied to the project, pass the type checker and the structure tests', async () => {
  // The type checker reads what is built, and is to pass on a fresh clone as well.
  await buildPackages()
  copyTo(place)
  for (const { made, edits } of tried) {
    made?.write(place)
    apply(place, edits)
  }
  run([join(place, 'node_modules', '.bin', 'tsc'), '--noEmit', '-p', '.'])
  run([process.execPath, 'tools/docs.ts'])
  // The examples are written already, so the test that they can be written does not apply.
  rmSync(join(place, 'tools', 'adding.test.ts'))
  run([process.execPath, 'test/run.ts', ...(WHOLE ? [] : structure)])
})
