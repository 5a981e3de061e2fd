import { linkQuery } from '../../accounts/link-token.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import { businessLinkConfig, type LinkConfig } from '../../accounts/payment-link-config.ts'
import { refuse } from '../../base/refusal.ts'
import type { Payment, PaymentParams } from '../payment.ts'

/** A page of a payment while its session lasts. It has no row: its id is derived from the payment's id. */

export const hasLink = ({ request }: { request: PaymentParams }): boolean => request.payment_link === true

const PREFIX = 'plink_'
export const linkId = ({ payment_id }: Pick<Payment, 'payment_id'>): string => PREFIX + payment_id

/** Whether the customer pays on the link's page, not in the shop's own checkout, to which a customer then returns. */
export function isPaidOnLink(merchant: Merchant, payment: Payment, publicUrl: string): boolean {
  const { checkout_origin } = payment.request
  if (!hasLink(payment) || checkout_origin === undefined) return hasLink(payment)
  return [linkOf(merchant, payment, publicUrl).link, publicUrl].some(page => new URL(page).origin === checkout_origin)
}

/** Returns the id of the payment that a link belongs to, from the link's id; empty if the id is no link's. */
export const paymentOfLink = (payment_link_id: string): string =>
  payment_link_id.startsWith(PREFIX) ? payment_link_id.slice(PREFIX.length) : ''

type Linked = Pick<Payment, 'merchant_id' | 'payment_id' | 'profile_id' | 'client_secret' | 'created' | 'request'>

/** Returns the addresses of the link's page. `secure_link`: for frames in the shop, if the profile lists domains. */
export function linkOf(
  merchant: Merchant,
  payment: Linked,
  publicUrl: string,
): { link: string; secure_link: string | null; payment_link_id: string } {
  const { domain_name, allowed_domains = [] } = businessLinkConfig(merchant, payment.profile_id)
  const { locale } = linkConfigOf(merchant, payment)
  const base = `${domain_name === undefined ? publicUrl : `https://${domain_name}`}/payment_link`
  const rest = `${payment.merchant_id}/${payment.payment_id}${linkQuery({ ...payment, id: payment.payment_id }, { locale })}`
  return {
    link: `${base}/${rest}`,
    secure_link: allowed_domains.length > 0 ? `${base}/s/${rest}` : null,
    payment_link_id: linkId(payment),
  }
}

/**
 * Returns the page's appearance: the payment's settings come before the profile's named ones, and those before its own.
 * They are current settings: a corrected logo also appears in links that were already sent.
 */
export function linkConfigOf(merchant: Merchant, { profile_id, request }: Pick<Payment, 'profile_id' | 'request'>): LinkConfig {
  const {
    domain_name: _host,
    allowed_domains: _frames,
    branding_visibility: _ours,
    business_specific_configs,
    ...own
  } = businessLinkConfig(merchant, profile_id)
  const named = request.payment_link_config_id === undefined ? undefined : business_specific_configs?.[request.payment_link_config_id]
  return { ...own, ...named, ...request.payment_link_config }
}

/** Refuses a link of a payment that is confirmed at once, and page settings without a link (contract 3.4). */
export function checkLink(merchant: Merchant, payment: Payment, confirm: boolean): void {
  const { payment_link_config, payment_link_config_id: id } = payment.request
  if (!hasLink(payment)) {
    if (payment_link_config !== undefined || id !== undefined)
      refuse('unacceptable', { field: 'payment_link', problem: 'must be true when payment_link_config or payment_link_config_id is sent' })
    return
  }
  if (confirm)
    refuse('unacceptable', {
      field: 'payment_link',
      problem: 'cannot be used with confirm: true: the customer confirms on the payment page',
    })
  const { business_specific_configs = {} } = businessLinkConfig(merchant, payment.profile_id)
  if (id !== undefined && !Object.hasOwn(business_specific_configs, id))
    refuse('invalid_value', { field: 'payment_link_config_id', problem: 'is not a configuration of the business profile' })
}
