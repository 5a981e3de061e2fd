import { documentOf } from './document.ts'
import type { FrameVisit } from './frame.ts'
import { html } from './html.ts'
import { localizationOf } from './languages.ts'
import type { CustomerPage } from './plain.ts'

/**
 * The frame in which Google's script runs (`browser/google-pay-frame.js`), beside a form of this service. The form's
 * own document allows no foreign scripts; this frame allows Google's script, and customers type nothing in this frame.
 */

const GOOGLE = 'https://pay.google.com'

/**
 * Returns the policy that allows only the needs of Google Pay: its script and frames, its payment handler, and the
 * images and style of its button.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${GOOGLE}`,
    `frame-src ${GOOGLE}`,
    `connect-src ${GOOGLE} https://google.com/pay https://www.google.com/pay`,
    "img-src 'self' https://www.gstatic.com",
    // Google's script adds the style of its button to the page without a nonce.
    "style-src 'self' 'unsafe-inline'",
    "base-uri 'none'",
    `form-action ${GOOGLE}`,
    'frame-ancestors *',
  ].join('; ')

const ROOT = '../'

export function googlePayFrame({ locale, theme, acceptLanguage, nonce }: FrameVisit): CustomerPage {
  const localization = localizationOf([locale], acceptLanguage)
  const scheme = theme === 'dark' || theme === 'light' ? theme : null
  const body = html`<main id="button"></main>`
  const page = documentOf(
    { localization, title: 'Google Pay', root: ROOT, style: '', scheme, script: 'google-pay-frame.js', classes: ['wallet'], body },
    nonce,
  )
  return {
    page,
    headers: {
      'content-security-policy': policy(nonce),
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  }
}
