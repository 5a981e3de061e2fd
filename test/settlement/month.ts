/** What a month at a processor is, and what its writers have in common. */

/**
 * A movement: `id` is the processor's of a refund or fee, `payment` that of the payment. `fee`: what it costs;
 * of a fee, that is all. `request_id`: ours.
 */
export type Movement = {
  is: 'sale' | 'refund' | 'fee'
  id: string
  payment: string
  request_id: string
  currency: 'EUR' | 'USD'
  gross: number
  fee: number
  batch: 1 | 2
}

/** `whole`: the batches of which the file has all movements. */
export type Written = { movements: readonly Movement[]; whole: readonly Movement['batch'][] }

/**
 * `own`: whether the report has fees that belong to no payment; `same`: whether two of the same amount look the same.
 * `fees`: whether payments have fees. `pays`: `always` if its lines say when they are paid, `whole` if the
 * payout is a row of its own, written with the whole batch. `plain`: it is no table.
 */
export type MonthWriter = {
  connector: string
  own: boolean
  same: boolean
  fees: boolean
  pays: 'always' | 'whole' | 'never'
  plain?: true
  rows(written: Written): string[][]
}

export const days = { 1: '2026-05-06', 2: '2026-05-13' } as const
export const netOf = ({ gross, fee }: Pick<Movement, 'gross' | 'fee'>): number => gross - fee

/** Sums of whole batches by currency, of those that pay something out. */
export function payoutsOf({ movements, whole }: Written): { batch: Movement['batch']; currency: Movement['currency']; net: number }[] {
  return whole.flatMap(batch =>
    (['EUR', 'USD'] as const).flatMap(currency => {
      const net = movements.filter(one => one.batch === batch && one.currency === currency).reduce((sum, one) => sum + netOf(one), 0)
      return net > 0 ? [{ batch, currency, net }] : []
    }),
  )
}

/** Rows of a table from its cells by title. */
export const table = (titles: readonly string[], cells: readonly Record<string, string>[]): string[][] => [
  [...titles],
  ...cells.map(row => titles.map(title => row[title] ?? '')),
]

export const titlesOf = (text: string): string[] => text.split(',')
