import { decimalOf } from '../../src/base/money.ts'
import { days, type MonthWriter, titlesOf } from './month.ts'

const paypalTitles = titlesOf(
  'Transaction ID,Invoice ID,PayPal Reference ID,PayPal Reference ID Type,Transaction Event Code,Transaction Initiation Date,Transaction Completion Date,Transaction Debit or Credit,Gross Transaction Amount,Gross Transaction Currency,Fee Debit or Credit,Fee Amount,Fee Currency,Custom Field',
)
const codes = { sale: 'T0006', refund: 'T1107', fee: 'T0106' } as const

/** PayPal's settlement report: records of sections with their totals. */
export const paypal: MonthWriter = {
  ...{ connector: 'paypal', own: true, same: false, fees: true, pays: 'never' },
  rows: ({ movements }) => {
    const side = (amount: number) => (amount === 0 ? '' : amount > 0 ? 'CR' : 'DR')
    const bodies = movements.map(({ is, id, payment, request_id, currency, gross: moved, fee: kept, batch }) => {
      const [gross, fee] = is === 'fee' ? [-kept, 0] : [moved, kept]
      const time = `${days[batch].replaceAll('-', '/')} 08:00:00 +0000`
      const about = is === 'sale' ? ['', ''] : [payment, 'TXN']
      const fees = fee === 0 ? ['', '', ''] : [side(-fee), String(Math.abs(fee)), currency]
      return {
        ...{ currency, gross, fee },
        row: [
          'SB',
          is === 'sale' ? payment : id,
          request_id,
          ...about,
          codes[is],
          time,
          time,
          side(gross),
          String(Math.abs(gross)),
          currency,
          ...fees,
          request_id,
        ],
      }
    })
    const totals = (['EUR', 'USD'] as const).flatMap(currency => {
      const its = bodies.filter(one => one.currency === currency)
      const sum = (of: (one: (typeof its)[number]) => number) => String(its.reduce((all, one) => all + Math.max(0, of(one)), 0))
      return its.length === 0 ? [] : [[currency, sum(one => one.gross), sum(one => -one.gross), sum(one => -one.fee), sum(one => one.fee)]]
    })
    const count = String(bodies.length)
    return [
      ...[
        ['RH', '2026/05/14 03:00:00 +0000', 'A', 'ACME123456789', '009', ''],
        ['FH', '01'],
      ],
      ['SH', '2026/05/06 00:00:00 +0000', '2026/05/13 23:59:59 +0000', 'ACME123456789', ''],
      ['CH', ...paypalTitles],
      ...bodies.map(({ row }) => row),
      ...[...totals.map(total => ['SF', ...total]), ['SC', count]],
      ...[...totals.map(total => ['RF', ...total]), ['RC', count], ['FF', count]],
    ]
  },
}

/** Pages of the API's transactions, a document in each row. */
export const paypalApi: MonthWriter = {
  ...{ connector: 'paypal', own: true, same: false, fees: true, pays: 'never', plain: true },
  rows: ({ movements }) =>
    movements.map(({ is, id, payment, request_id, currency, gross: moved, fee: kept, batch }) => {
      const [gross, fee] = is === 'fee' ? [-kept, 0] : [moved, kept]
      const money = (amount: number) => ({ currency_code: currency, value: decimalOf(amount, currency) })
      const time = `${days[batch]}T08:00:00+0000`
      const transaction_info = {
        transaction_id: is === 'sale' ? payment : id,
        ...(is !== 'sale' && { paypal_reference_id: payment, paypal_reference_id_type: 'TXN' }),
        ...{ transaction_event_code: codes[is], transaction_status: 'S' },
        ...{ transaction_initiation_date: time, transaction_updated_date: time, transaction_amount: money(gross) },
        ...(fee !== 0 && { fee_amount: money(-fee) }),
        ...(request_id !== '' && { invoice_id: request_id, custom_field: request_id }),
      }
      return [JSON.stringify({ transaction_details: [{ transaction_info }], page: 1, total_items: 1, total_pages: 1 })]
    }),
}
