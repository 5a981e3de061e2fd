import { days, type MonthWriter, titlesOf } from './month.ts'

const paypalTitles = titlesOf(
  'Transaction ID,Invoice ID,PayPal Reference ID,PayPal Reference ID Type,Transaction Event Code,Transaction Initiation Date,Transaction Completion Date,Transaction Debit or Credit,Gross Transaction Amount,Gross Transaction Currency,Fee Debit or Credit,Fee Amount,Fee Currency,Custom Field',
)
/** PayPal's settlement report: records of sections with their totals. */
export const paypal: MonthWriter = {
  ...{ connector: 'paypal', own: true, same: false, fees: true, pays: 'never' },
  rows: ({ movements }) => {
    const side = (amount: number) => (amount === 0 ? '' : amount > 0 ? 'CR' : 'DR')
    const bodies = movements.map(({ is, id, payment, request_id, currency, gross: moved, fee: kept, batch }) => {
      const [gross, fee] = is === 'fee' ? [-kept, 0] : [moved, kept]
      const time = `${days[batch].replaceAll('-', '/')} 08:00:00 +0000`
      const about = is === 'sale' ? ['', ''] : [payment, 'TXN']
      const code = { sale: 'T0006', refund: 'T1107', fee: 'T0106' }[is]
      const fees = fee === 0 ? ['', '', ''] : [side(-fee), String(fee), currency]
      return {
        ...{ currency, gross, fee },
        row: [
          'SB',
          is === 'sale' ? payment : id,
          request_id,
          ...about,
          code,
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
