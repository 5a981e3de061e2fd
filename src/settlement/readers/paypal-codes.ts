import type { SettlementType } from '../line.ts'

/** The types of a credit and of a debit with a code. */
type Meaning = readonly [credit: SettlementType, debit: SettlementType]

const [hold, money, refund]: Meaning[] = [
  ['reserve_release', 'reserve'],
  ['deposit', 'payout'],
  ['refund_failure', 'refund'],
] as [Meaning, Meaning, Meaning]
const chargeback: Meaning = ['chargeback_reversal', 'chargeback']
const sent: Meaning = ['transfer_failure', 'transfer']
const fee: Meaning = ['fee', 'fee']

/** Codes that mean something else than the rest of their group. */
const codes: Readonly<Record<string, Meaning>> = {
  ...{ T0001: sent, T0015: sent, T0303: ['deposit', 'deposit'] },
  ...{ T1101: ['payout_failure', 'payout_failure'], T1104: ['deposit', 'deposit'], T1105: hold, T1106: chargeback },
  ...{ T1107: refund, T1108: fee, T1109: fee, T1110: hold, T1111: hold, T1113: refund, T1114: sent, T1115: sent, T1116: hold },
  ...{ T1200: ['adjustment', 'adjustment'], T1204: ['adjustment', 'adjustment'] },
}

/** The event group, which is enough for reconciliation. developer.paypal.com/docs/reports/reference/tcodes */
const groups: Readonly<Record<string, Meaning>> = {
  // A payment that leaves the account is one that the merchant sent.
  T00: ['charge', 'transfer'],
  T01: fee,
  T02: ['conversion', 'conversion'],
  T03: ['deposit', 'deposit'],
  T04: ['payout_failure', 'payout'],
  T05: ['adjustment', 'adjustment'],
  T06: ['payout_failure', 'payout'],
  T07: money,
  T08: ['adjustment', 'adjustment'],
  T09: ['adjustment', 'adjustment'],
  T11: ['adjustment', 'adjustment'],
  T12: chargeback,
  T15: hold,
  T17: ['payout_failure', 'payout'],
  T19: ['adjustment', 'adjustment'],
  T20: ['adjustment', 'adjustment'],
  T21: hold,
}

export function paypalType(code: string, isCredit: boolean): SettlementType {
  const meaning = codes[code] ?? groups[code.slice(0, 3)]
  return meaning ? meaning[isCredit ? 0 : 1] : 'unknown'
}
