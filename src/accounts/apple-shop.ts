import { createPrivateKey, X509Certificate } from 'node:crypto'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import type { Time } from '../context.ts'

/**
 * A shop as Apple knows it on web pages: by its merchant identifier, a domain that it has verified there, and the
 * certificate of its merchant identity.
 */

/**
 * Where Apple says that a page may ask for money, unless the deployment says otherwise (`CONNECTOR_BASE_URLS`, by
 * this name).
 */
export const APPLE_PAY = 'apple_pay'
export const APPLE_GATEWAY = 'https://apple-pay-gateway.apple.com'

/** What an account says of it (`session_token_data`). */
export type AppleSaid = {
  merchant_identifier: string
  display_name?: string
  initiative: 'ios' | 'web'
  initiative_context?: string
  certificate?: string
  certificate_keys?: string
}

/** What Apple is asked with. `certificate` is PEM, and so is the key. */
export type AppleShop = {
  gateway: string
  merchant_identifier: string
  display_name: string
  domain: string
  certificate: string
  key: Secret
}

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,62}$/i
/** Apple shows no longer name. */
const LONGEST_NAME = 64

/** As PEM, or as Base64 of it, which is how the ecosystem writes it. */
const pemOf = (said: string): string => (said.includes('-----BEGIN') ? said : Buffer.from(said, 'base64').toString())

/** The shop, if the account has one: an app talks to Apple itself. */
export function appleShopOf(gateway: string, label: string, said: AppleSaid): AppleShop | null {
  const { initiative, initiative_context, certificate, certificate_keys, merchant_identifier, display_name } = said
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
 * Refuses, by its name, what Apple could not be asked with: IR_04 what is missing, IR_05 what is none, IR_06 a key of
 * another certificate, or a certificate that is over.
 */
export function checkAppleShop(now: Time, at: string, label: string, said: AppleSaid): void {
  if (said.initiative !== 'web') return
  const field = (name: keyof AppleSaid) => `${at}.session_token_data.${name}`
  for (const name of ['initiative_context', 'certificate', 'certificate_keys'] as const)
    if (!said[name]) refuse('missing', { field: field(name) })
  if (!DOMAIN.test(said.initiative_context!))
    refuse('malformed', {
      field: field('initiative_context'),
      expected: 'the domain of the pages, without https:// and path, like shop.example',
    })
  const [name, named] =
    said.display_name === undefined ? [label, `${at}.payment_request_data.label`] : [said.display_name, field('display_name')]
  if (name.length > LONGEST_NAME) refuse('too_long', { field: named, limit: LONGEST_NAME, received: name.length })
  const certificate =
    read(() => new X509Certificate(pemOf(said.certificate!))) ??
    refuse('malformed', { field: field('certificate'), expected: 'a certificate as PEM, or Base64 of it' })
  const key =
    read(() => createPrivateKey(pemOf(said.certificate_keys!))) ??
    refuse('malformed', { field: field('certificate_keys'), expected: 'a private key as PEM, or Base64 of it, without a passphrase' })
  if (!certificate.checkPrivateKey(key))
    refuse('unacceptable', { field: field('certificate_keys'), words: 'does not match the certificate' })
  if (Date.parse(certificate.validTo) <= Date.parse(now))
    refuse('unacceptable', { field: field('certificate'), words: `has expired: it was valid until ${certificate.validTo}` })
}

/** What it reads; null if there is nothing of the kind. What is wrong with it is not repeated: errors may quote. */
function read<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}
