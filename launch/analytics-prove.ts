// `npm run analytics:prove`: verifies that the analytics counters equal the totals computed from the payments one by
// one. `npm run analytics:prove -- --mend` recounts differences (from before counters existed, or from a release
// without counters). The service may run meanwhile. Settings are those of the service.
import './help.mjs'
import { proveCounts, recount } from '../src/analytics/prove.ts'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { allMerchants } from '../src/ledger/prove.ts'
import { withBooks } from './bookkeeping.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
/** The number of faults that are printed for one merchant. */
const MOST_PRINTED = 20

try {
  const [argument] = process.argv.slice(2)
  if (argument !== undefined && argument !== '--mend') throw new Misconfigured(`${argument} is not a known argument: use --mend or none`)
  await withBooks(async context => {
    let [merchants, faults, mended] = [0, 0, 0]
    for await (const merchant_id of allMerchants(context)) {
      merchants++
      if (argument === '--mend') mended += await recount(context, merchant_id)
      const found = await proveCounts(context, merchant_id)
      faults += found.length
      for (const { at, message } of found.slice(0, MOST_PRINTED)) say(`${merchant_id} ${at}: ${message}`)
      if (found.length > MOST_PRINTED) say(`${merchant_id}: and ${found.length - MOST_PRINTED} more`)
    }
    if (mended > 0) say(`Counted ${mended} hours anew.`)
    say(faults === 0 ? `The counters agree with the payments: ${merchants} merchants.` : `The counters differ: ${faults} faults.`)
    if (faults > 0) process.exitCode = 1
  })
} catch (error) {
  process.stderr.write(`the counters cannot be verified: ${(error as Error).message}\n`)
  process.exitCode = 2
}
