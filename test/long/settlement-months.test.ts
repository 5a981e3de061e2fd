import { test } from 'node:test'
import { isSample, seed } from '../sample.ts'
import { monthWriters } from '../settlement/month-writers.ts'
import { monthsSettleOnce } from '../settlement/months.ts'

/** Months of each vendor's report through the database, with another seed each time (`--seed`). */

const MONTHS = Number(process.env.SETTLEMENT_MONTHS ?? (isSample ? 2 : 20))

for (const name of Object.keys(monthWriters))
  test(`${name}: ${MONTHS} months end in the same ledger`, () => monthsSettleOnce(name, MONTHS, Number(seed)))
