import Type, { type Static } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { amount, closed, kept, shortText, strictObject } from '../../base/shapes.ts'
import { splitTypes } from '../../connectors/split.ts'

/** The split of payments and their refunds between accounts of a platform, in the words of each processor. */

const option = Type.Optional

const items = Type.Array(
  strictObject({
    amount: option(amount('Amount of this share; omitted for fees that are not known in advance')),
    split_type: Type.Enum([...splitTypes]),
    account: option(shortText),
    reference: shortText,
    description: option(shortText),
  }),
  { minItems: 1, maxItems: 50 },
)

const stripeSplit = {
  charge_type: Type.Enum(['destination', 'direct'], { description: 'destination; direct is not supported' }),
  application_fees: option(amount('Amount that the platform keeps')),
  transfer_account_id: shortText,
  on_behalf_of: option(shortText),
}
const others = {
  adyen_split_payment: option(strictObject({ store: option(shortText), split_items: items })),
  xendit_split_payment: option(kept),
}

export const splitPaymentsShape = Type.Object(
  { stripe_split_payment: option(strictObject(stripeSplit)), ...others },
  { ...closed, title: 'SplitPayments' },
)
/** The split as answers show it: Stripe's has the id of its charge, null until the charge exists. */
export const splitPaymentsSeen = Type.Object(
  {
    stripe_split_payment: option(strictObject({ ...stripeSplit, charge_id: Type.Union([shortText, Type.Null()]) })),
    ...others,
  },
  { ...closed, title: 'SplitPaymentsSeen' },
)
export type SplitPayments = Static<typeof splitPaymentsShape>

export const splitRefundsShape = Type.Object(
  {
    stripe_split_refund: option(strictObject({ revert_platform_fee: option(Type.Boolean()), revert_transfer: option(Type.Boolean()) })),
    adyen_split_refund: option(strictObject({ store: option(shortText), split_items: items })),
    xendit_split_refund: option(kept),
  },
  { ...closed, title: 'SplitRefunds' },
)
export type SplitRefunds = Static<typeof splitRefundsShape>

/** Refuses a split of more than one kind, and a kind that no connector supports. */
export function checkSplitPayments(field: string, given: SplitPayments): void {
  checkOne(field, given)
  if (given.stripe_split_payment?.charge_type === 'direct')
    refuse('not_supported', {
      problem: `${field}.stripe_split_payment.charge_type direct is not supported: add a connector account with the connected account's own key instead`,
    })
  checkItems(`${field}.adyen_split_payment`, given.adyen_split_payment?.split_items)
}

/** Refuses a refund's split of more than one kind, and a kind that no connector supports. */
export function checkSplitRefunds(field: string, given: SplitRefunds): void {
  checkOne(field, given)
  checkItems(`${field}.adyen_split_refund`, given.adyen_split_refund?.split_items)
}

function checkOne(field: string, given: object): void {
  const names = Object.keys(given)
  if (names.length !== 1)
    refuse('unacceptable', { field, problem: `must have exactly one split type, but has ${names.join(' and ') || 'none'}` })
  if (names[0]!.startsWith('xendit'))
    refuse('not_supported', { problem: `${field}.${names[0]} is not supported: no xendit connector is available` })
}

function checkItems(field: string, items: readonly { split_type: string; account?: string; amount?: number }[] = []): void {
  for (const [i, { split_type, account, amount }] of items.entries()) {
    if (split_type !== 'BalanceAccount') continue
    if (account === undefined) refuse('missing', { field: `${field}.split_items[${i}].account` })
    if (amount === undefined) refuse('missing', { field: `${field}.split_items[${i}].amount` })
  }
}
