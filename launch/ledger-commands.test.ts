import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findBalances } from '../src/ledger/balances.ts'
import { ledgerProve, ledgerReconcile } from '../test/operator-commands.ts'
import { settlementFile } from '../test/settlement-file.ts'
import { openShop } from '../test/shop.ts'

/** The commands of the ledger: what they compare and prove is tested beside `src/ledger/`. */

const folder = mkdtempSync(join(tmpdir(), 'switchyard-settlement-'))
after(() => rmSync(folder, { recursive: true }))

const written = 'request_id=merchant_reference,reference=transaction,amounts=minor'

test('reconciling a settlement file reports differences, and posts fees and payouts once', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 10_000 })
  await shop.refund(payment_id, 4000)
  const file = join(folder, 'settlement.csv')
  writeFileSync(file, await settlementFile(shop))
  const settings = { DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile }
  const which = ['--merchant', shop.merchant_id, '--account', shop.merchant_connector_id, '--file', file, '--columns', written]
  const posted = await ledgerReconcile(settings, ...which, '--post')
  equal(posted.code, 0, posted.output)
  equal(
    posted.output,
    '2 lines: 2 movements match, 0 do not.\nPosted, in the lowest denomination of USD: 6000 settled, 165 in fees, 5835 paid out.\n',
  )
  const again = await ledgerReconcile(settings, ...which, '--post')
  equal(again.output, '2 lines: 2 movements match, 0 do not.\nThis file has already been posted.\n')
  const balances = await findBalances(shop.service.context, shop.merchant_id, {}, null)
  deepEqual(
    balances.map(({ account, balance }) => [account, balance]),
    [
      ['bank', 5835],
      ['fees', 165],
      ['processor', 0],
      ['refunds', 4000],
      ['sales', -10_000],
    ],
  )
  const { body } = await shop.call('GET', '/ledger/entries?account=bank')
  deepEqual([body.size, body.data[0].object_kind, body.data[0].type], [1, 'settlement', 'settled'])

  writeFileSync(file, 'merchant_reference,transaction,currency,gross\nnobody,x,USD,5')
  const differs = await ledgerReconcile(settings, ...which)
  equal(differs.code, 1)
  equal(differs.output.split('\n')[0], 'missing here: nobody x, ledger nothing, file 5 USD')
  const wrong = async (...args: string[]) => (await ledgerReconcile(settings, ...args)).output
  equal(await wrong('--merchant', 'm'), 'the ledger cannot be compared with the file: --account is missing\n')
  equal(
    await wrong(...which.slice(0, 2), '--account', 'mca_none', ...which.slice(4)),
    `the ledger cannot be compared with the file: merchant ${shop.merchant_id} has no connector account mca_none\n`,
  )
  equal(
    await wrong(...which, '--columns', 'colour=x'),
    'the ledger cannot be compared with the file: --columns: colour is not one of request_id, reference, currency, gross, fee, net, amounts\n',
  )

  const proved = await ledgerProve(settings)
  equal(proved.code, 0, proved.output)
  match(proved.output, /^The ledger balances: \d+ merchants\.\n$/)
  await shop.service.tick()
  await shop.query("update ledger_balances set debit = debit + 1 where merchant_id = $1 and account = 'sales'", [shop.merchant_id])
  const off = await ledgerProve(settings)
  equal(off.code, 1)
  match(off.output, /balance sales .* has 1 debited and 10000 credited, but its entries sum up to 0 and 10000/)
  match((await ledgerProve(settings, '--mend')).output, /^The ledger balances: /)
  match((await ledgerProve(settings, '--all')).output, /--all is not a known argument/)
})
