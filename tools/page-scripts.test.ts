import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { keptScripts, pageScripts } from './page-scripts.ts'

test('the generated page scripts are up to date with their modules (if not: npm run docs)', () => {
  deepEqual(keptScripts(), pageScripts())
})
