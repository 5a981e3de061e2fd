import { deepEqual, equal, match } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ledgerProve, ledgerReconcile } from '../test/operator-commands.ts'
import { balances } from '../test/settlement.ts'
import { settlementFile } from '../test/settlement-file.ts'
import { openShop, type Shop } from '../test/shop.ts'

/** The commands of the ledger: what they compare and prove is tested beside `src/ledger/`. */

const folder = mkdtempSync(join(tmpdir(), 'switchyard-settlement-'))
after(() => rmSync(folder, { recursive: true }))

const written = 'request_id=merchant_reference,reference=transaction,type=type,currency=currency,gross=gross,fee=fee,amounts=minor'

/** The arguments for a report on the disk, and the settings with which the service of a shop runs. */
function onDisk(shop: Shop, text: string | Buffer, name = 'settlement.csv') {
  const file = join(folder, name)
  writeFileSync(file, text)
  const settings = { DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile }
  return { settings, which: ['--merchant', shop.merchant_id, '--account', shop.merchant_connector_id, '--file', file] as const }
}
const sold = async (shop: Shop): Promise<string> =>
  (await settlementFile(shop)).replaceAll(/,(authorization|reversal),/g, (_, word) => (word === 'reversal' ? ',refund,' : ',charge,'))

test('ledger:reconcile says what would be posted, posts it, and says the second time that nothing is new', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 10_000 })
  await shop.refund(payment_id, 4000)
  const { settings, which } = onDisk(shop, await sold(shop))
  const all = [...which, '--columns', written]
  const compared = await ledgerReconcile(settings, ...all)
  deepEqual(compared, { code: 0, output: 'general: 2 lines: 2 match, nothing was posted, 0 read before, 0 differ, 0 cannot be read.\n' })
  deepEqual(await balances(shop), { processor: 6000, sales: -10_000, refunds: 4000 })
  const posted = await ledgerReconcile(settings, ...all, '--post')
  deepEqual(posted, { code: 0, output: 'general: 2 lines: 2 posted, 0 read before, 0 differ, 0 cannot be read.\n' })
  const after = { sales: -10_000, refunds: 4000, fees: 165, settled: 5835 }
  deepEqual(await balances(shop), after)
  for (const _ of [1, 2]) {
    const again = await ledgerReconcile(settings, ...all, '--post')
    equal(again.code, 0)
    equal(again.output, 'general: 2 lines: 0 posted, 2 read before, 0 differ, 0 cannot be read.\nNothing is new: nothing was changed.\n')
  }
  deepEqual(await balances(shop), after)
})

test('ledger:reconcile says each line that differs, posts the others, and as a whole posts nothing', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 1000 })
  const { settings, which } = onDisk(shop, `${await sold(shop)}t9,nobody_sent,charge,USD,5,0,5,\nt8,x,charge,USD,much,0,0,\n`)
  const all = [...which, '--columns', written]
  const whole = await ledgerReconcile(settings, ...all, '--post', '--whole')
  equal(whole.code, 1)
  match(whole.output, /: 2 lines: 1 match, nothing was posted, 0 read before, 1 differ, 1 cannot be read\.\n$/)
  equal((await balances(shop)).processor, 1000)
  const { code, output } = await ledgerReconcile(settings, ...all, '--post')
  const [strange, unread, sum] = output.split('\n')
  equal(code, 1)
  equal(strange, 'line 3: The report has a movement of which this service knows nothing: charge t9, ours nothing, theirs 5 USD')
  match(unread!, /^line 4: A line of the report cannot be read: .*much/)
  equal(sum, 'general: 2 lines: 1 posted, 0 read before, 1 differ, 1 cannot be read.')
  deepEqual(await balances(shop), { sales: -1000, fees: 24, settled: 976 })
})

test('ledger:reconcile reads a file of many thousand lines as it comes from the disk', async () => {
  const shop = await openShop()
  const rows = Array.from({ length: 20_000 }, (_, i) => `fee_${i},fee,USD,0,0.01,monthly fees of a terminal that the processor keeps`)
  const { settings, which } = onDisk(shop, ['reference,type,currency,gross,fee,note', ...rows].join('\r\n'), 'many.csv')
  const { code, output } = await ledgerReconcile(settings, ...which, '--post')
  deepEqual([code, output], [0, 'general: 20000 lines: 20000 posted, 0 read before, 0 differ, 0 cannot be read.\n'])
  deepEqual(await balances(shop), { fees: 20_000, settled: -20_000 })
})

test('ledger:reconcile ends with 2 and the reason for a wrong file, account or argument, and stores nothing', async () => {
  const shop = await openShop()
  const wrong = async (text: string | Buffer, ...more: string[]): Promise<string> => {
    const { settings, which } = onDisk(shop, text, 'wrong.csv')
    const { code, output } = await ledgerReconcile(settings, ...which, ...more)
    equal(code, 2, output)
    return output
  }
  const reason = 'the report cannot be read: '
  match(await wrong('', '--post'), /^the report cannot be read: the file is empty/)
  match(await wrong('Datum;Verwendungszweck\n1.1.2026;Miete\n', '--post'), /no column currency, gross/)
  match(await wrong(randomBytes(5000), '--post'), /^the report cannot be read: /)
  match(await wrong('{"object":"list"}', '--post'), /^the report cannot be read: /)
  const { settings, which } = onDisk(shop, 'reference,currency,gross\nr1,USD,1.00\n', 'right.csv')
  const run = async (...args: string[]) => {
    const { code, output } = await ledgerReconcile(settings, ...args)
    equal(code, 2, output)
    return output
  }
  equal(await run('--merchant', 'm'), `${reason}--account is missing\n`)
  equal(
    await run(...which.slice(0, 2), '--account', 'mca_none', ...which.slice(4)),
    `${reason}merchant ${shop.merchant_id} has no connector account mca_none\n`,
  )
  match(await run(...which.slice(0, 4), '--file', join(folder, 'none.csv')), /none\.csv cannot be read: .*\n$/)
  match(await run(...which, '--colour'), /--colour/)
  match(await run(...which, '--columns', '{'), /--columns is not JSON/)
  const [stored] = await shop.query(
    'select (select count(*)::int from settlement_lines where merchant_id = $1) + (select count(*)::int from settlement_differences where merchant_id = $1) as n',
    [shop.merchant_id],
  )
  deepEqual([stored!.n, await balances(shop)], [0, {}])
})

test('ledger:prove finds an amount that the entries do not explain, and mends the balances from them', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 10_000 })
  const settings = { DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile }
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
