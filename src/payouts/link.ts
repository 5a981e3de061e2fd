import { linkQuery } from '../accounts/link-token.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { businessPayoutLink, type PayoutLinkConfig } from '../accounts/payout-link-config.ts'
import { refuse } from '../base/refusal.ts'
import { isEnabledWay, type RecipientWay, recipientWays, typesGiven, typesOf } from '../instruments/recipient-ways.ts'
import { recipientFamilies } from '../instruments/recipients.ts'
import { decide } from '../routing/decide.ts'
import type { Payout } from './payout.ts'
import { payoutRoutingContextOf } from './routing.ts'

/** A page on which the recipient enters the payout method; it lasts as long as the payout's session. */

type Linked = Pick<Payout, 'merchant_id' | 'payout_id' | 'profile_id' | 'client_secret' | 'created' | 'request'>

export const hasLink = ({ request }: Pick<Payout, 'request'>): boolean => request.payout_link === true

/** Returns the id and URL of the page on which the recipient enters the payout method. */
export function linkOf(merchant: Merchant, payout: Linked, publicUrl: string): { payout_link_id: string; link: string } {
  const { domain_name } = businessPayoutLink(merchant, payout.profile_id)
  const base = `${domain_name === undefined ? publicUrl : `https://${domain_name}`}/payout_link`
  return {
    payout_link_id: payout.request.payout_link_config?.payout_link_id ?? `payout_link_${payout.payout_id.slice(-20)}`,
    link: `${base}/${payout.merchant_id}/${payout.payout_id}${linkQuery({ ...payout, id: payout.payout_id })}`,
  }
}

/** The payout's settings before the profile's, read now: a corrected logo also appears on links already sent. */
export function linkConfigOf(merchant: Merchant, { profile_id, request }: Pick<Payout, 'profile_id' | 'request'>): PayoutLinkConfig {
  const { domain_name: _host, allowed_domains: _frames, payout_test_mode: _tests, ...own } = businessPayoutLink(merchant, profile_id)
  return { ...own, ...request.payout_link_config }
}

/** Refuses a link with confirm, without a customer or an amount, and link settings without a link (contract 5.3). */
export function checkLink(payout: Payout, confirm: boolean): void {
  if (!hasLink(payout)) {
    if (payout.request.payout_link_config !== undefined)
      refuse('unacceptable', { field: 'payout_link', problem: 'must be true when payout_link_config is sent' })
    return
  }
  if (confirm)
    refuse('unacceptable', {
      field: 'payout_link',
      sentence: 'cannot confirm a payout while creating a payout link',
      problem: 'cannot be true together with confirm: the recipient confirms on the page of the link',
    })
  if (payout.customer_id === null) refuse('missing', { field: 'customer or customer_id when payout_link is true' })
  if (payout.amount === 0) refuse('unacceptable', { field: 'amount', problem: 'must be greater than 0 for a payout link' })
}

/** Whether a payout method is enabled for the recipient. Without limits, all are. */
function isEnabled({ request }: Pick<Payout, 'request'>, way: Pick<RecipientWay, 'is'>, types: readonly string[]): boolean {
  const enabled = request.payout_link_config?.enabled_payment_methods
  return !hasLink({ request }) || enabled === undefined || isEnabledWay(enabled, way, types)
}

/** The enabled payout methods, otherwise those used in the currency; only those that an account can pay. */
export function waysOf(merchant: Merchant, payout: Payout): RecipientWay[] {
  const limited = payout.request.payout_link_config?.enabled_payment_methods !== undefined
  return recipientWays.filter(way => {
    if (!limited && way.currencies !== null && !way.currencies.includes(payout.currency)) return false
    const { payment_method } = recipientFamilies[way.is]
    const routingContext = {
      ...payoutRoutingContextOf({ ...payout, recipient: null }),
      family: way.is,
      payment_method,
      payment_method_type: way.type,
    }
    return isEnabled(payout, way, typesOf(way)) && decide(merchant, routingContext, null).order.length > 0
  })
}

/** Refuses a payout method that the recipient entered and the link does not enable. */
export function checkEnabled({ recipient, request }: Payout): void {
  if (recipient === null) return
  const types = typesGiven(recipient)
  if (isEnabled({ request }, recipient, types)) return
  const method = [recipientFamilies[recipient.is].payment_method, ...types.slice(0, 1)].join(' ')
  refuse('unacceptable', {
    field: 'payout_method_data',
    problem: `${method} is not enabled for this payout (payout_link_config.enabled_payment_methods)`,
  })
}
