import { documentOf } from './document.ts'
import type { FrameVisit } from './frame.ts'
import { html } from './html.ts'
import { localizationOf } from './languages.ts'
import type { CustomerPage } from './plain.ts'

/** The form allows no foreign scripts: Google's runs in this frame, where customers type nothing. */

const GOOGLE = 'https://pay.google.com'

/** Only what Google Pay needs: its script, frames and payment handler, its button's images and style. */
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
