import { formOf } from '../../test/form.ts'
import type { Day } from './day.ts'

const columns = JSON.stringify({ columns: { reference: 'id', type: 'type', currency: 'currency', gross: 'gross', fee: 'fee' } })
const titles = 'id,type,currency,gross,fee\n'

/** The part of the day in which a processor settles: reports in parts and held, differences, the books of a month. */
export async function settle({ service, call, caller }: Day, merchant_connector_id: string, api_key: string): Promise<void> {
  caller.credential = api_key
  // A report that is read has its account looked at; two of one account wait for each other, in any order.
  const read = async () => {
    await service.tick()
    await service.tick()
  }
  // The second one tells the calls apart, so that each has its own ids.
  const upload = (file: string, more: object = {}) =>
    call('uploadSettlementFile', {}, { file }, formOf({ file, merchant_connector_id, columns, ...more }))
  await call('previewSettlementFile', {}, {}, formOf({ file: `${titles}txn_1,charge,EUR,12.50,0.35\n`, columns }))
  const { settlement_file_id } = await upload(`${titles}txn_1,charge,EUR,12.50,0.35\n`, { more: 'true' })
  await call('addSettlementFilePart', { settlement_file_id }, {}, formOf({ file: 'fee_1,fee,EUR,0,2.00\n', part: '1' }))
  await read()
  const held = []
  for (const id of ['txn_2', 'txn_3']) {
    held.push(await upload(`${titles}${id},charge,EUR,20.00,0.35\n`, { mode: 'all or nothing' }))
    await read()
  }
  await call(
    'uploadSettlementFile',
    {},
    { file: 'bank' },
    formOf({ file: 'date,amount,currency,text\n2026-03-01,10.00,EUR,PAYOUT po_1\n' }),
  )
  await service.tick()
  await call('discardSettlementFile', { settlement_file_id: held[0]!.settlement_file_id })
  await call('takeSettlementFile', { settlement_file_id: held[1]!.settlement_file_id })
  await service.tick()
  const { data } = await call('listSettlementDifferences', { state: 'open' })
  await call('retrieveSettlementDifference', { difference_id: data[0].difference_id })
  await call('resolveSettlementDifference', { difference_id: data[0].difference_id })
  await call('closeSettlementPeriod', {}, { merchant_connector_id })
  await call('listSettlementPeriods', { merchant_connector_id })
  await call('setSettlementFetch', {}, { merchant_connector_id })
  await call('listSettlementFetches')
}
