// The frozen yardstick (`yardstick/README.md`), read.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Script } from './pgbench-script.ts'

export type Yardstick = { schema: string; payment: Script }

/** Throws if a file of it is not the one that was frozen. */
export function readYardstick(folder = join(import.meta.dirname, 'yardstick')): Yardstick {
  const sums = new Map(
    readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map(line => line.split('  ').reverse() as [string, string]),
  )
  const read = (name: string): string => {
    const text = readFileSync(join(folder, name), 'utf8')
    if (createHash('sha256').update(text).digest('hex') !== sums.get(name))
      throw new Error(`bench/yardstick/${name} has been changed. The yardstick must never be edited (bench/yardstick/README.md)`)
    return text
  }
  return { schema: read('schema.sql'), payment: { text: read('payment.sql'), variables: JSON.parse(read('values.json')) } }
}
