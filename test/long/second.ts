import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../../src/service.ts'
import { openPlace, testConfig } from '../shop.ts'

const silent = { info() {}, warn() {}, error() {} }

/** Starts a second service on this file's database, so that races do not run inside one process only. */
export async function openSecond() {
  const place = await openPlace()
  return start(
    testConfig(place.databaseUrl, mkdtempSync(join(tmpdir(), 'switchyard-second-')), {
      keys: { mode: 'test', keys: null, command: null, file: place.keyFile },
    }),
    {
      log: silent,
      scheduler: 'by hand',
      wrap: context => ({ ...context, now: () => new Date(Date.now() + place.clock.ahead).toISOString() }),
    },
  )
}
