// `npm run bins:import FILE`: imports BIN data, the facts known by the first digits of card numbers, from a CSV file
// with the columns bin, network, type, issuer, country. Entries in the file replace stored ones; other entries stay.
// The whole file is read before anything is written. Settings are those of the service, which uses the new data within
// a second.
import './help.mjs'
import { readFileSync } from 'node:fs'
import { Misconfigured, whyNoFile } from '../src/base/misconfigured.ts'
import { openReader } from '../src/database/connection.ts'
import { usualDeadlines } from '../src/database/connection-settings.ts'
import { importBins } from '../src/instruments/bins.ts'
import { readBins } from '../src/instruments/read-bins.ts'
import { openOwnDatabase } from './own.ts'
import { openProgress } from './progress.ts'

async function run(): Promise<void> {
  const [file, more] = process.argv.slice(2)
  if (file === undefined || more !== undefined) throw new Misconfigured('one file argument is required: npm run bins:import FILE')
  const text = (() => {
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      throw new Misconfigured(`${file} cannot be read: ${whyNoFile(error)}`)
    }
  })()
  const { rows, unknown, invalid, faults } = await readBins(text)
  const database = await openOwnDatabase()
  const reader = openReader(database.url, 1, () => {}, usualDeadlines)
  try {
    await importBins({ query: reader.query }, rows, openProgress('entries', rows.length))
  } finally {
    await reader.close()
    await database.close()
  }
  const left = unknown > 0 ? ` ${unknown} were skipped: their network is not supported.` : ''
  process.stdout.write(`Imported ${rows.length} entries.${left}\n`)
  if (invalid > 0) process.stdout.write(`${invalid} invalid lines were skipped:\n${faults.map(fault => `  ${fault}\n`).join('')}`)
}

try {
  await run()
} catch (error) {
  process.stderr.write(`the import failed or is incomplete: ${(error as Error).message}\n`)
  process.exitCode = 2
}
