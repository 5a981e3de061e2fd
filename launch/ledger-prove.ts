// `npm run ledger:prove`: verifies that the ledger balances and that its entries agree with the payments. `npm run
// ledger:prove -- --mend` posts missing entries (from before the ledger existed, or from a release without the ledger)
// and recomputes the balances. The service may run meanwhile. Settings are those of the service.
import './help.mjs'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { allMerchants, mend, prove } from '../src/ledger/prove.ts'
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
      if (argument === '--mend') mended += await mend(context, merchant_id)
      const found = await prove(context, merchant_id)
      faults += found.length
      for (const { object_id, message } of found.slice(0, MOST_PRINTED))
        say(`${merchant_id}${object_id === null ? '' : ` ${object_id}`}: ${message}`)
      if (found.length > MOST_PRINTED) say(`${merchant_id}: and ${found.length - MOST_PRINTED} more`)
    }
    if (mended > 0) say(`Added missing ledger entries of ${mended} objects.`)
    say(faults === 0 ? `The ledger balances: ${merchants} merchants.` : `The ledger does not balance: ${faults} faults.`)
    if (faults > 0) process.exitCode = 1
  })
} catch (error) {
  process.stderr.write(`the ledger cannot be verified: ${(error as Error).message}\n`)
  process.exitCode = 2
}
