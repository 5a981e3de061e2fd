import Type from 'typebox'
import { chooseProfile } from '../accounts/choose-profile.ts'
import { linkQuery } from '../accounts/link-token.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { checkColour, checkImage } from '../accounts/payment-link-config.ts'
import { businessPayoutLink, payoutLinkShape } from '../accounts/payout-link-config.ts'
import { move } from '../accounts/rows.ts'
import { canonical } from '../base/canonical.ts'
import { newResourceId, randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, checkAddress, customerId, strictObject } from '../base/shapes.ts'
import { later } from '../base/time.ts'
import type { Context, RowChange } from '../context.ts'
import { needCustomer } from '../customers/customer.ts'
import { statement } from '../database/statement.ts'
import { json, type RowOf, select, table, text as textColumn, time, word } from '../database/table.ts'
import { isEnabledWay, type RecipientWay, recipientWays, typesOf } from '../instruments/recipient-ways.ts'
import { recipientFamilies } from '../instruments/recipients.ts'
import { decide } from '../routing/decide.ts'
import { plainRoutingContext } from '../routing/routing-context.ts'

/** A page on which a customer enters a card, a bank account or a wallet to be saved. */

const option = Type.Optional
const { theme, logo, merchant_name, enabled_payment_methods } = payoutLinkShape.properties

export const collectLinkShape = strictObject({
  pm_collect_link_id: option(boundedText(64)),
  customer_id: customerId,
  session_expiry: option(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds from creation; 0 expires at once' })),
  return_url: option(boundedText(2048)),
  ...{ theme, logo, merchant_name, enabled_payment_methods },
  profile_id: option(boundedText(64)),
})
export type CollectLinkAsk = Type.Static<typeof collectLinkShape>

/** Stored as sent. */
export type CollectLinkParams = Pick<
  CollectLinkAsk,
  'session_expiry' | 'return_url' | 'theme' | 'logo' | 'merchant_name' | 'enabled_payment_methods'
>

/** Rows of their customer: two concurrent submissions of one link conflict at the customer's version. */
export const collectLinks = table('collect_links', {
  key: ['merchant_id', 'pm_collect_link_id'],
  keyChosenByCaller: true,
  columns: {
    merchant_id: textColumn(),
    pm_collect_link_id: textColumn(),
    customer_id: textColumn().fixed(),
    profile_id: textColumn().fixed(),
    status: word('collect_link_status', ['initiated', 'submitted'] as const),
    payment_method_id: textColumn().orNull(),
    request: json<CollectLinkParams>().fixed().unrecorded(),
    client_secret: textColumn().fixed().unrecorded(),
    created: time().fixed(),
    expires_on: time().fixed(),
    submitted_at: time().orNull(),
  },
})
export type CollectLink = RowOf<typeof collectLinks>

type Reads = Pick<Context, 'query'>

const byId = statement('collect_link_by_id', select(collectLinks, 'where merchant_id = $1 and pm_collect_link_id = $2'))
const ofCustomer = statement('collect_links_of_customer', select(collectLinks, 'where merchant_id = $1 and customer_id = $2'))

const findCollectLink = async (context: Reads, merchant_id: string, pm_collect_link_id: string): Promise<CollectLink | undefined> =>
  (await context.query<CollectLink>(byId, [merchant_id, pm_collect_link_id]))[0]

/** (IR_37) Also for a caller who may not use the link. */
export const noCollectLink = (): never => refuse('unknown', { what: 'payment method collect link' })

export const needCollectLink = async (context: Reads, merchant_id: string, pm_collect_link_id: string): Promise<CollectLink> =>
  (await findCollectLink(context, merchant_id, pm_collect_link_id)) ?? noCollectLink()

export const forgetCollectLinks = async (
  context: Reads,
  { merchant_id, customer_id }: Pick<CollectLink, 'merchant_id' | 'customer_id'>,
): Promise<RowChange[]> =>
  (await context.query<CollectLink>(ofCustomer, [merchant_id, customer_id])).map(before => ({
    table: collectLinks.name,
    before,
    after: null,
  }))

/** In seconds, as a payout's session. */
const SESSION_S = 900

/** The same id with the same content returns the same link; with other content it is refused (HE_01). */
export async function createCollectLink(context: Context, merchant: Merchant, ask: CollectLinkAsk): Promise<CollectLink> {
  const { pm_collect_link_id, customer_id, profile_id: named, ...request } = ask
  check(ask)
  const { merchant_id } = merchant
  const { profile_id } = chooseProfile(merchant, named === undefined ? {} : { profile_id: named })
  return move(context, 'customers', 'collect_link_made', async () => {
    const customer = await needCustomer(context, merchant_id, customer_id)
    const made = newCollectLink(context, pm_collect_link_id, { merchant_id, customer_id, profile_id, request })
    const existing = pm_collect_link_id === undefined ? undefined : await findCollectLink(context, merchant_id, pm_collect_link_id)
    if (existing) return isSame(existing, made) ? { answer: existing } : refuse('duplicate', { what: WHAT, id: pm_collect_link_id! })
    return { before: customer, after: { ...customer }, rows: [{ table: collectLinks.name, before: null, after: made }], answer: made }
  })
}

const WHAT = 'payment method collect link'

const contentOf = ({ customer_id, profile_id, request }: CollectLink): string => canonical([customer_id, profile_id, request])
const isSame = (one: CollectLink, other: CollectLink): boolean => contentOf(one) === contentOf(other)

function check({ pm_collect_link_id, return_url, theme, logo }: CollectLinkAsk): void {
  if (pm_collect_link_id !== undefined && !/^[\w-]+$/.test(pm_collect_link_id))
    refuse('malformed', { field: 'pm_collect_link_id', expected: 'letters, digits, - and _' })
  checkAddress('return_url', return_url)
  checkColour('theme', theme)
  checkImage('logo', logo)
}

type Made = Pick<CollectLink, 'merchant_id' | 'customer_id' | 'profile_id' | 'request'>

function newCollectLink(context: Context, chosen: string | undefined, made: Made): CollectLink {
  const created = context.now()
  const pm_collect_link_id = chosen ?? newResourceId(context, 'pm_collect_link_')
  return {
    ...made,
    pm_collect_link_id,
    status: 'initiated',
    payment_method_id: null,
    client_secret: `${pm_collect_link_id}_secret_${randomAlphanumeric(context, 20)}`,
    created,
    expires_on: later(created, 1000 * (made.request.session_expiry ?? SESSION_S)),
    submitted_at: null,
  }
}

export function addressOf(merchant: Merchant, link: CollectLink, publicUrl: string): string {
  const { domain_name } = businessPayoutLink(merchant, link.profile_id)
  const base = domain_name === undefined ? publicUrl : `https://${domain_name}`
  const { merchant_id, pm_collect_link_id: id } = link
  return `${base}/payment_methods/collect/${merchant_id}/${id}${linkQuery({ ...link, id })}`
}

/** Without a list, the methods to which an account pays out. Cards are included: they can be paid with as well. */
export function collected(merchant: Merchant, { profile_id, pm_collect_link_id, request }: CollectLink): RecipientWay[] {
  const enabled = request.enabled_payment_methods
  if (enabled) return recipientWays.filter(way => isEnabledWay(enabled, way, typesOf(way)))
  const routingContext = {
    ...plainRoutingContext,
    transaction: 'payout' as const,
    payment_id: pm_collect_link_id,
    profile_id,
    amount: Number.NaN,
    currency: '' as const,
  }
  return recipientWays.filter(({ is, type }) => {
    const { payment_method } = recipientFamilies[is]
    return (
      is === 'card' || decide(merchant, { ...routingContext, family: is, payment_method, payment_method_type: type }, null).order.length > 0
    )
  })
}
