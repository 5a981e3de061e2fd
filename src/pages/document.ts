import { pageFiles } from './files.ts'
import { Html, html } from './html.ts'
import { directionOf, type Localization } from './languages.ts'
import { buildingPage } from './waiting.ts'

/** A whole customer page, and the policy that the browser enforces. */

export type Page = {
  localization: Localization
  title: string
  /** The relative address of the service, from the page's address: `../../`. */
  root: string
  /** The variables of the style (`theme.ts`): no text of a merchant or a customer. */
  style: string
  scheme: 'dark' | 'light' | null
  /** The page's script, one of `packages/page-scripts`; null: no script runs. */
  script: string | null
  classes: readonly string[]
  body: Html
}

export type Policy = {
  /** The nonce of the page: only scripts and styles that carry the nonce are allowed. Each page has a new nonce. */
  nonce: string
  /** The addresses of images on other servers, from the merchant's configuration. */
  images: readonly string[]
  /** To the customer's bank, at an address not known before: a hidden page in a frame, and forms that lead there. */
  asksBank?: boolean
  hasFrames?: boolean
  /** The servers from which fonts may be loaded besides the system's fonts. */
  fonts?: readonly string[]
  /** The domains that may show the page in a frame; none if empty. */
  framedBy: readonly string[] | 'anyone'
}

const ancestors = (framedBy: Policy['framedBy']): string =>
  framedBy === 'anyone' ? '*' : framedBy.length > 0 ? framedBy.map(domain => `https://${domain}`).join(' ') : "'none'"

/** Only the page's own scripts, styles and images, calls to this service alone, no text to markup (trusted types). */
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
  localization: Localization
  title: string
  scheme?: 'dark' | 'light' | null
  head: Html
  classes?: readonly string[]
  body: Html
}

export const shellOf = ({ localization, title, scheme = null, head, classes = [], body }: Shell): string =>
  html`<!doctype html>
<html lang="${localization.locale}"${directionOf(localization.language) === 'rtl' ? html` dir="rtl"` : null}${scheme === null ? null : html` data-scheme="${scheme}"`}>
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

/** Loads its style, runs a script of this service, and says so if the scripts are not built yet. */
export function documentOf(
  { localization, title, root, style, scheme, script, classes, body }: Page,
  nonce: string,
  files = pageFiles(),
): string {
  const { path, isBuilt } = files
  if (script !== null && !isBuilt) return buildingPage(nonce, 'page-scripts')
  return shellOf({
    localization,
    title,
    scheme,
    head: html`<link rel="icon" href="${root}${path}/icon.svg">
<link rel="stylesheet" href="${root}${path}/page.css" nonce="${nonce}">
<style nonce="${nonce}">${new Html(style)}</style>
${script === null ? null : html`<script type="module" src="${root}${path}/${script}" nonce="${nonce}"></script>`}`,
    classes,
    body,
  })
}
