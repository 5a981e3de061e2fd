import { createHash } from 'node:crypto'
import { shellOf } from './document.ts'
import { Html, html } from './html.ts'

/** Self-contained: they load nothing, and so work in any frame and while the service is unavailable. */

export type CustomerPage = { page: string; headers: Record<string, string> }

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f3f5f8; color: #1a2230 }
main { box-sizing: border-box; width: min(26rem, 100%); padding: 2rem 1.5rem }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25 }
dl { margin: 1.5rem 0; border-top: 1px solid #cbd3df }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.25rem; padding: .625rem 0; border-bottom: 1px solid #cbd3df }
dt { color: #566276 }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
div:last-child > dd { font-size: .8125rem; font-weight: 400; line-height: 1.9 }
a { color: #1457d9 }
footer { color: #566276 }
@media (prefers-color-scheme: dark) {
  body { background: #10151e; color: #e7ecf4 }
  dl, dl div { border-color: #354154 }
  dt, footer { color: #a6b2c6 }
  a { color: #8ab4ff }
}`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const submit = 'document.forms[0].submit()'
/**
 * Goes on. In an iframe, posts the next address to the checkout if it has one of these origins, as the ecosystem's
 * checkouts expect; in a window of its own, navigates there.
 */
const goOn = `const on = document.getElementById('on')
if (parent === window) location.replace(on.href)
else for (const origin of JSON.parse(on.dataset.to)) parent.postMessage(JSON.parse(on.dataset.says), origin)`

type Plain = {
  heading: string
  content: Html
  closes?: string
  /** The only script of the page, one line, if there is one. */
  script?: string
  /** A checkout that knows the page's address could have opened it itself: any may then show it in an iframe. */
  framed?: boolean
}

/** Lets pages load nothing. Does not limit where forms lead: browsers apply that to redirects after a form, too. */
export const plainPage = ({ heading, content, closes = 'You can close this page.', script, framed = false }: Plain): CustomerPage => ({
  page: shellOf({
    localization: { language: 'en', locale: 'en' },
    title: heading,
    head: html`<style>${new Html(style)}</style>`,
    body: html`<main>
<h1>${heading}</h1>
${content}${
  script === undefined
    ? null
    : html`
<script>${new Html(script)}</script>`
}
<footer>${closes}</footer>
</main>`,
  }),
  headers: {
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${hashOf(style)}`,
      "base-uri 'none'",
      ...(script === submit ? [] : ["form-action 'none'"]),
      ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
      `frame-ancestors ${framed ? '*' : "'none'"}`,
    ].join('; '),
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
  },
})

/** Sends the customer on with a form of these fields. `target`: their own window, or that around all frames. */
export function formPage(
  address: string,
  fields: Iterable<[name: string, value: string]>,
  { target = '_self', framed }: { target?: '_self' | '_top'; framed: boolean },
  [heading, button]: readonly [string, string] = ['Going back to the shop', 'Go on to the shop'],
): CustomerPage {
  const inputs = [...fields].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  )
  const content = html`<form method="post" action="${address}"${target === '_top' ? html` target="_top"` : null}>
${inputs}<button>${button}</button>
</form>`
  return plainPage({ heading, content, closes: '', script: submit, framed })
}

/**
 * Tells the checkout around its iframe, of these origins, where to go on; the link is for those that do not listen.
 */
export const onwardPage = (address: string, origins: readonly string[]): CustomerPage =>
  messagePage('Going back to the shop', address, origins, { openurl_if_required: address })

/** Returns the same page for a result that is not known yet: the checkout is told to poll, and how often. */
export const pollPage = (
  address: string,
  poll: { poll_id: string; delay_in_secs: string; frequency: string },
  origins: readonly string[],
): CustomerPage => messagePage('One moment', address, origins, { poll_status: { ...poll, return_url_with_query_params: address } })

const messagePage = (heading: string, address: string, origins: readonly string[], message: object): CustomerPage =>
  plainPage({
    heading,
    content: html`<p><a id="on" href="${address}" data-says="${JSON.stringify(message)}" data-to="${JSON.stringify(origins)}" target="_top">Go on to the shop</a></p>`,
    closes: '',
    script: goOn,
    framed: true,
  })
