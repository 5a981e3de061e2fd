import { deepEqual, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** What must not grow: use cases that know half the service, and the file that opens it. */

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, 'src', file), 'utf8')

/** So many files of the service a use case of the money core may import. */
const MOST_IMPORTS = 14
const useCases = [
  'payments/actions/create-payment.ts',
  'payments/actions/confirm-payment.ts',
  'payments/actions/update-payment.ts',
  'payouts/create.ts',
  'refunds/create.ts',
]

const importsOf = (file: string): number => [...read(file).matchAll(/^import\b[^'"]*?['"]\./gm)].length

test(`the create, confirm and update actions of payments, and the creation of payouts and refunds, import at most ${MOST_IMPORTS} files each`, () => {
  deepEqual(
    useCases.filter(file => importsOf(file) > MOST_IMPORTS),
    [],
  )
  ok(importsOf('http/routes/payments.ts') > MOST_IMPORTS, 'and this test would see it')
})

const MOST_LINES = 149

test('service.ts stays within its limit of lines', () => {
  ok(read('service.ts').split('\n').length - 1 <= MOST_LINES)
})

test('the operations module imports only accounts, base, connectors, customers, database and routing', () => {
  const files = globSync('operations/*.ts', { cwd: join(root, 'src'), exclude: ['**/*.test.ts'] })
  const modules = new Set(
    files.flatMap(file => [...read(file).matchAll(/^import\b[^'"]*?['"]\.\.\/([a-z-]+)\//gm)].map(([, module]) => module)),
  )
  deepEqual([...modules].toSorted(), ['accounts', 'base', 'connectors', 'customers', 'database', 'routing'])
})
