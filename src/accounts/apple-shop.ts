import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isHostName } from '../base/host-name.ts'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import type { Time } from '../context.ts'

/** Apple identifies a shop on web pages by its merchant identifier, a verified domain, and a certificate. */

/** Name in `CONNECTOR_BASE_URLS` that replaces Apple's gateway, which confirms that a page may start a payment. */
export const APPLE_PAY = 'apple_pay'
export const APPLE_GATEWAY = 'https://apple-pay-gateway.apple.com'

/** A connector account's `session_token_data`. */
export type ApplePaySettings = {
  merchant_identifier: string
  display_name?: string
  initiative: 'ios' | 'web'
  initiative_context?: string
  certificate?: string
  certificate_keys?: string
}

/** `certificate` and `key` are PEM. */
export type AppleShop = {
  gateway: string
  merchant_identifier: string
  display_name: string
  domain: string
  certificate: string
  key: Secret
}

/** A public domain: a host name with a dot, whose last label begins with a letter. */
const isDomain = (text: string): boolean => isHostName(text) && /\.[a-z][^.]*$/i.test(text)
/** The longest name that Apple displays, in characters. */
const LONGEST_NAME = 64

/** The ecosystem sends Base64 of PEM. */
const pemOf = (text: string): string => (text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString())

/** Null for an account of an app, which contacts Apple itself. */
export function appleShopOf(gateway: string, label: string, settings: ApplePaySettings): AppleShop | null {
  const { initiative, initiative_context, certificate, certificate_keys, merchant_identifier, display_name } = settings
  if (initiative !== 'web' || !initiative_context || !certificate || !certificate_keys) return null
  return {
    gateway,
    merchant_identifier,
    display_name: display_name ?? label,
    domain: initiative_context,
    certificate: pemOf(certificate),
    key: new Secret(pemOf(certificate_keys)),
  }
}

/** Refuses settings that Apple would reject, and names the field. */
export function checkAppleShop(now: Time, at: string, label: string, settings: ApplePaySettings): void {
  if (settings.initiative !== 'web') return
  const field = (name: keyof ApplePaySettings) => `${at}.session_token_data.${name}`
  for (const name of ['initiative_context', 'certificate', 'certificate_keys'] as const)
    if (!settings[name]) refuse('missing', { field: field(name) })
  if (!isDomain(settings.initiative_context!))
    refuse('malformed', {
      field: field('initiative_context'),
      expected: 'the domain of the pages, without https:// and path, like shop.example',
    })
  const [name, named] =
    settings.display_name === undefined ? [label, `${at}.payment_request_data.label`] : [settings.display_name, field('display_name')]
  if (name.length > LONGEST_NAME) refuse('too_long', { field: named, limit: LONGEST_NAME, received: name.length })
  const certificate =
    read(() => new X509Certificate(pemOf(settings.certificate!))) ??
    refuse('malformed', { field: field('certificate'), expected: 'a certificate as PEM, or Base64 of it' })
  const key =
    read(() => createPrivateKey(pemOf(settings.certificate_keys!))) ??
    refuse('malformed', { field: field('certificate_keys'), expected: 'a private key as PEM, or Base64 of it, without a passphrase' })
  if (!certificate.checkPrivateKey(key))
    refuse('unacceptable', { field: field('certificate_keys'), problem: 'does not match the certificate' })
  if (Date.parse(certificate.validTo) <= Date.parse(now))
    refuse('unacceptable', { field: field('certificate'), problem: `has expired: it was valid until ${certificate.validTo}` })
}

/** The error is dropped, because its message may quote the secret. */
function read<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}
