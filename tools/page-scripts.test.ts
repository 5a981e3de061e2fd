import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { keptScripts, pageScripts } from './page-scripts.ts'

test('the scripts of the pages are made of the modules as they are: `npm run docs`', () => {
  deepEqual(keptScripts(), pageScripts())
})
