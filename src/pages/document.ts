import { FILES } from './files.ts'
import { Html, html } from './html.ts'
import { directionOf, type Tongue } from './languages.ts'

/** A whole page of ours, and the policy that a browser holds it to. */

export type Page = {
  tongue: Tongue
  title: string
  /** From the page's address to the service: `../../`. */
  root: string
  /** Variables of the style (`theme.ts`): no text of a merchant's or a customer's. */
  style: string
  scheme: 'dark' | 'light' | null
  /** Its script, a file of `scripts/`; null: nothing runs. */
  script: string | null
  classes: readonly string[]
  body: Html
}

export type Policy = {
  /** Lets run what bears it, and nothing else: made anew for each page. */
  nonce: string
  /** Images from elsewhere that the merchant's configuration names. */
  images: readonly string[]
  /**
   * It asks the customer's bank, whose address is not known before: a hidden page of the bank in a frame, and forms
   * that lead to it.
   */
  asksBank?: boolean
  /** Frames of ours stand in it. */
  hasFrames?: boolean
  /** From where fonts may come besides the system. */
  fonts?: readonly string[]
  /** The domains that may have the page in a frame; none if empty. */
  framedBy: readonly string[] | 'anyone'
}

const ancestors = (framedBy: Policy['framedBy']): string =>
  framedBy === 'anyone' ? '*' : framedBy.length > 0 ? framedBy.map(domain => `https://${domain}`).join(' ') : "'none'"

/**
 * Only what this page names is run, styled or shown, and it speaks to this service alone. No script makes markup of
 * text (trusted types).
 */
export const documentHeaders = ({
  nonce,
  images,
  asksBank = false,
  hasFrames = false,
  fonts = [],
  framedBy,
}: Policy): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${["'self'", ...images].join(' ')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    ...(asksBank ? ['form-action *', 'frame-src *'] : ["form-action 'none'", ...(hasFrames ? ["frame-src 'self'"] : [])]),
    ...(fonts.length > 0 ? [`font-src ${fonts.join(' ')}`] : []),
    `frame-ancestors ${ancestors(framedBy)}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  ...(framedBy.length === 0 && { 'x-frame-options': 'DENY' }),
})

type Shell = {
  tongue: Tongue
  title: string
  scheme?: 'dark' | 'light' | null
  head: Html
  classes?: readonly string[]
  body: Html
}

/** What stands around the body of each page. */
export const shellOf = ({ tongue, title, scheme = null, head, classes = [], body }: Shell): string =>
  html`<!doctype html>
<html lang="${tongue.locale}"${directionOf(tongue.language) === 'rtl' ? html` dir="rtl"` : null}${scheme === null ? null : html` data-scheme="${scheme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
<body${classes.length > 0 ? html` class="${classes.join(' ')}"` : null}>
${body}
</body>
</html>
`.markup

/** A page that fetches its style, and runs a script of ours. */
export const documentOf = ({ tongue, title, root, style, scheme, script, classes, body }: Page, nonce: string): string =>
  shellOf({
    tongue,
    title,
    scheme,
    head: html`<link rel="icon" href="${root}${FILES}/icon.svg">
<link rel="stylesheet" href="${root}${FILES}/page.css" nonce="${nonce}">
<style nonce="${nonce}">${new Html(style)}</style>
${script === null ? null : html`<script type="module" src="${root}${FILES}/${script}" nonce="${nonce}"></script>`}`,
    classes,
    body,
  })
