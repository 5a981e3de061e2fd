import { chooseProfile } from '../accounts/choose-profile.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { canonical } from '../base/canonical.ts'
import { checkAll, refuse, withOthers } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Time } from '../context.ts'
import { type RecipientInput, recipientBy, recipientFamilies } from '../instruments/recipients.ts'
import type { Call } from '../operations/verb.ts'
import { checkPayer } from '../payments/check.ts'
import { browserFields, type ColumnMember, checksOfFields, storedMembers } from '../resources/read.ts'
import { payoutFields } from './fields.ts'
import type { Payout, PayoutParams } from './payout.ts'
import type { ConfirmPayoutBody, CreatePayoutBody, UpdatePayoutBody } from './request-shapes.ts'

/** The server may set every member, the recipient's browser only the payout method and personal data. */
export type PayoutCaller = 'server' | 'client'

type Columns = Partial<Pick<Payout, ColumnMember<typeof payoutFields>>>

/** The checked content of a payout request. Later code reads this instead of the request itself. */
export type PayoutTerms = {
  columns: Columns
  request: PayoutParams
  input: RecipientInput | null
  payout_token: string | undefined
  payout_method_id: string | undefined
  confirm: boolean
}

/** The terms of a new payout, which have an amount and a currency. */
export type NewPayoutTerms = PayoutTerms & { columns: Pick<Payout, 'amount' | 'currency'> }

const ofBrowsers = browserFields(payoutFields)

type Ask = CreatePayoutBody | UpdatePayoutBody | ConfirmPayoutBody

function readAll(merchant: Merchant, ask: Ask, now: Time): RecipientInput | null {
  const read = () => recipientBy(ask.payout_method_data, now)
  try {
    checkAll([...checksOfFields(payoutFields, ask, merchant), () => checkPayer(ask)])
  } catch (error) {
    throw withOthers(error, [read])
  }
  return read()
}

/** Reads a payout request. Refuses invalid members by name, and (403) members that the caller may not set. */
export function termsOf(call: Pick<Call, 'context' | 'merchant'>, ask: CreatePayoutBody): NewPayoutTerms
export function termsOf(call: Pick<Call, 'context' | 'merchant'>, ask: Ask, caller: PayoutCaller): PayoutTerms
export function termsOf({ context, merchant }: Pick<Call, 'context' | 'merchant'>, ask: Ask, caller: PayoutCaller = 'server'): PayoutTerms {
  if (caller === 'client')
    for (const name of Object.keys(ask))
      if (!ofBrowsers.includes(name)) refuse('forbidden', { problem: `${name} cannot be set with a publishable key` })
  const input = readAll(merchant, ask, context.now())
  if (caller === 'client' && input && recipientFamilies[input.recipient.is].byServer)
    refuse('forbidden', { problem: `payout_method_data.${input.recipient.is} cannot be set with a publishable key` })
  // A payout method in the request is used even beside a reference to a saved one: existing clients send both.
  const { payout_token, payout_method_id }: Pick<Ask, 'payout_token' | 'payout_method_id'> = input ? {} : ask
  checkOneWay(ask, input)
  const columns = storedMembers(payoutFields, 'column', ask) as Columns
  if (columns.customer_id === undefined && ask.customer?.id !== undefined) columns.customer_id = ask.customer.id
  if (input) columns.payout_type = input.recipient.is
  const request = storedMembers(payoutFields, 'request', ask) as PayoutParams
  return { columns, request, input, payout_token, payout_method_id, confirm: 'confirm' in ask && ask.confirm === true }
}

/** Refuses two references to saved payout methods, and a payout method of another type than `payout_type`. */
function checkOneWay({ payout_type, payout_token, payout_method_id, payout_method_data }: Ask, input: RecipientInput | null): void {
  if (!input && payout_token !== undefined && payout_method_id !== undefined)
    refuse('unacceptable', { field: 'payout_token', problem: 'and payout_method_id cannot be sent together' })
  if (input && payout_type !== undefined && payout_type !== input.recipient.is)
    refuse('unacceptable', {
      field: 'payout_method_data',
      problem: `${Object.keys(payout_method_data!)[0]} does not belong to payout_type ${payout_type}`,
    })
}

/** To know "the same body" of a `payout_id`; never a plain hash, because it covers account numbers. */
export const bodyDigest = ({ context }: Pick<Call, 'context'>, ask: CreatePayoutBody): string | null =>
  ask.payout_id === undefined ? null : context.vault.digest('payout body', canonical(ask))

/** Returns the payout with the columns and members that an update or a confirm sets. */
export function wantedBy(merchant: Merchant, before: Payout, { columns, request: more }: PayoutTerms): Payout {
  if (more.payout_link !== undefined && more.payout_link !== (before.request.payout_link ?? false))
    refuse('unacceptable', { field: 'payout_link', problem: 'cannot be changed' })
  const profile_id = columns.profile_id === undefined ? before.profile_id : chooseProfile(merchant, columns).profile_id
  const { payout_id: _fixed, ...rest } = columns
  const seconds = more.session_expiry
  const expires_on = seconds === undefined ? before.expires_on : later(before.created, 1000 * seconds)
  return {
    ...before,
    ...rest,
    profile_id,
    request: Object.keys(more).length === 0 ? before.request : { ...before.request, ...more },
    expires_on,
    expire_at: seconds === undefined ? before.expire_at : expires_on,
  }
}
