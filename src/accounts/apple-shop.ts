import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isHostName } from '../base/host-name.ts'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import type { Time } from '../context.ts'

/**
 * A shop that offers Apple Pay on web pages. Apple identifies it by its merchant identifier, a verified domain, and
 * the certificate of its merchant identity.
 */

/**
 * The name under which a deployment can replace Apple's gateway in `CONNECTOR_BASE_URLS`. At the gateway, Apple
 * confirms that a web page may start a payment.
 */
export const APPLE_PAY = 'apple_pay'
export const APPLE_GATEWAY = 'https://apple-pay-gateway.apple.com'

/** The Apple Pay settings of a connector account (`session_token_data`). */
export type ApplePaySettings = {
  merchant_identifier: string
  display_name?: string
  initiative: 'ios' | 'web'
  initiative_context?: string
  certificate?: string
  certificate_keys?: string
}

/** The data of a request to Apple's gateway. `certificate` and `key` are PEM. */
export type AppleShop = {
  gateway: string
  merchant_identifier: string
  display_name: string
  domain: string
  certificate: string
  key: Secret
}

/** Whether a text is a public domain: a host name with a dot, whose last label begins with a letter. */
const isDomain = (text: string): boolean => isHostName(text) && /\.[a-z][^.]*$/i.test(text)
/** The longest name that Apple displays, in characters. */
const LONGEST_NAME = 64

/** Returns the PEM of a text that is PEM or, as in the ecosystem, Base64 of PEM. */
const pemOf = (text: string): string => (text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString())

/** Returns the shop of an account; null for an account of an app, which contacts Apple itself. */
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

/**
 * Refuses Apple Pay settings that Apple would reject, and names the field: a missing value (IR_04), a malformed value
 * (IR_05), a key of another certificate or an expired certificate (IR_06).
 */
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

/** Returns the parsed value; null if parsing fails. The error is dropped, because its message may quote the secret. */
function read<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}
