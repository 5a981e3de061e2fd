import type { Merchant } from '../accounts/merchant.ts'
import { checkPayoutLink } from '../accounts/payout-link-config.ts'
import { canonical } from '../base/canonical.ts'
import { checkMetadata } from '../base/metadata.ts'
import { checkAll, refuse, withOthers } from '../base/refusal.ts'
import { checkAddress } from '../base/shapes.ts'
import type { Time } from '../context.ts'
import { type BroughtRecipient, recipientBy } from '../means/recipients.ts'
import type { Call } from '../operations/verb.ts'
import { checkPayer } from '../payments/check.ts'
import { checkChosenId, checkNamedMerchant, checkRouting } from '../payments/fields/checks.ts'
import type { ConfirmPayoutBody, CreatePayoutBody, UpdatePayoutBody } from './ask.ts'
import type { Payout, PayoutParams } from './payout.ts'

/**
 * Who asks: the merchant's server may say anything, the recipient's browser only where to the money goes and who they
 * are.
 */
export type PayoutCaller = 'server' | 'client'

type Columns = Partial<
  Pick<
    Payout,
    | 'payout_id'
    | 'amount'
    | 'currency'
    | 'customer_id'
    | 'payout_type'
    | 'entity_type'
    | 'merchant_order_reference_id'
    | 'auto_fulfill'
    | 'recurring'
    | 'profile_id'
  >
>

/** What a request says of a payout, checked. Nothing after this reads the request itself. */
export type PayoutTerms = {
  columns: Columns
  asked: PayoutParams
  brought: BroughtRecipient | null
  payout_token: string | undefined
  payout_method_id: string | undefined
  confirm: boolean
}

const columnNames = [
  'payout_id',
  'amount',
  'currency',
  'customer_id',
  'payout_type',
  'entity_type',
  'merchant_order_reference_id',
  'auto_fulfill',
  'recurring',
  'profile_id',
] as const satisfies readonly (keyof Columns)[]
const askedNames = [
  'connector',
  'routing',
  'billing',
  'customer',
  'email',
  'name',
  'phone',
  'phone_country_code',
  'return_url',
  'business_country',
  'business_label',
  'description',
  'metadata',
  'priority',
  'session_expiry',
  'payout_link',
  'payout_link_config',
] as const satisfies readonly (keyof PayoutParams)[]

/** What a browser may say. */
const ofBrowsers: readonly string[] = [
  'client_secret',
  'customer_id',
  'payout_type',
  'payout_method_data',
  'billing',
  'email',
  'name',
  'phone',
  'phone_country_code',
  'browser_info',
]

type Ask = CreatePayoutBody | UpdatePayoutBody | ConfirmPayoutBody

const some = (ask: object, names: readonly string[]): object =>
  Object.fromEntries(names.filter(name => Object.hasOwn(ask, name)).map(name => [name, ask[name as keyof typeof ask]]))

/** What a body alone can get wrong. */
const checks: readonly ((ask: Ask, merchant: Merchant) => unknown)[] = [
  ask => 'payout_id' in ask && ask.payout_id !== undefined && checkChosenId('payout_id', ask.payout_id),
  (ask, merchant) => 'merchant_id' in ask && ask.merchant_id !== undefined && checkNamedMerchant('merchant_id', ask.merchant_id, merchant),
  ({ metadata }) => checkMetadata('metadata', metadata),
  ({ return_url }) => checkAddress('return_url', return_url),
  ({ routing }, merchant) => routing !== undefined && checkRouting('routing', routing, merchant),
  ({ source_bank_data }) => {
    if (source_bank_data !== undefined)
      refuse('not_supported', {
        words: 'source_bank_data is not supported: payouts are sent from the bank account configured in the connector account',
      })
  },
  ({ payout_link_config }) => payout_link_config && checkPayoutLink('payout_link_config', payout_link_config),
  checkPayer,
]

/** Where to is paid out, once all else is right. */
function readAll(merchant: Merchant, ask: Ask, now: Time): BroughtRecipient | null {
  const read = () => recipientBy(ask.payout_method_data, now)
  try {
    checkAll(checks, ask, merchant)
  } catch (error) {
    throw withOthers(error, [read])
  }
  return read()
}

/** What a request says. Refuses, by the name of the field, what it may not; 403 what its asker may not say. */
export function termsOf({ context, merchant }: Pick<Call, 'context' | 'merchant'>, ask: Ask, asker: PayoutCaller = 'server'): PayoutTerms {
  if (asker === 'client')
    for (const name of Object.keys(ask))
      if (!ofBrowsers.includes(name)) refuse('forbidden', { words: `${name} cannot be set with a publishable key` })
  const brought = readAll(merchant, ask, context.now())
  const { payout_token, payout_method_id } = brought ? noName : ask
  checkOneWay(ask, brought)
  const columns = some(ask, columnNames) as Columns
  if (columns.customer_id === undefined && ask.customer?.id !== undefined) columns.customer_id = ask.customer.id
  if (brought) columns.payout_type = brought.recipient.is
  return {
    columns,
    asked: some(ask, askedNames) as PayoutParams,
    brought,
    payout_token,
    payout_method_id,
    confirm: 'confirm' in ask && ask.confirm === true,
  }
}

/** What is brought is paid out to, whatever is named beside it: existing clients send both. */
const noName: Pick<Ask, 'payout_token' | 'payout_method_id'> = {}

/** Which of those that are saved must be said once. */
function checkOneWay({ payout_type, payout_token, payout_method_id, payout_method_data }: Ask, brought: BroughtRecipient | null): void {
  if (!brought && payout_token !== undefined && payout_method_id !== undefined)
    refuse('unacceptable', { field: 'payout_token', words: 'and payout_method_id cannot be sent together' })
  if (brought && payout_type !== undefined && payout_type !== brought.recipient.is)
    refuse('unacceptable', {
      field: 'payout_method_data',
      words: `${Object.keys(payout_method_data!)[0]} does not belong to payout_type ${payout_type}`,
    })
}

/**
 * A keyed digest of a body that chose its payout's id: what "the same body" means. Never a plain hash, because it
 * covers the number of an account.
 */
export const bodyDigest = ({ context }: Pick<Call, 'context'>, ask: CreatePayoutBody): string | null =>
  ask.payout_id === undefined ? null : context.vault.digest('payout body', canonical(ask))
