import { isCurrency } from '../../base/currencies.ts'
import type { Money } from '../../base/money.ts'
import type { AccountSetting } from '../settings.ts'
import { majorNumberOf, majorOf, moneyOf } from './decimal.ts'
import { declinedWith } from './parse-reply.ts'

/** For processors that do not document it: a guess could move a hundred times too much, so the account must set it. */
export type Unit = 'major' | 'minor'

export const amount_unit: AccountSetting = {
  pattern: /^(major|minor)$/,
  description:
    'major (12.50) or minor (1250): the unit of amounts in this account, as agreed with the vendor; the vendor does not document it',
  required: true,
}

export const unitOf = ({ metadata }: { metadata: Readonly<Record<string, unknown>> }): Unit | null =>
  metadata.amount_unit === 'major' || metadata.amount_unit === 'minor' ? metadata.amount_unit : null

export const LACKS_UNIT = 'The connector account does not say the unit of amounts (metadata.amount_unit: major or minor).'

export const withoutUnit = declinedWith('configuration', '', LACKS_UNIT)

export const textIn = (unit: Unit, money: Money): string => (unit === 'major' ? majorOf(money) : String(money.amount))

export const numberIn = (unit: Unit, money: Money): object | number => (unit === 'major' ? majorNumberOf(money) : money.amount)

export function moneyIn(unit: Unit, value: unknown, currency: unknown): Money | null {
  if (unit === 'major') return moneyOf(value, currency)
  const isWhole = (typeof value === 'string' || typeof value === 'number') && /^\d{1,16}$/.test(String(value))
  return isWhole && typeof currency === 'string' && isCurrency(currency) && Number.isSafeInteger(Number(value))
    ? { amount: Number(value), currency }
    : null
}
