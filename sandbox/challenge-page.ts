import type { Operation } from './records.ts'
import { decimalsOf } from './units.ts'

export type Page = { status: 200 | 404 | 410; html: string }

export function challengePage(operation: Operation): Page {
  const place = `/challenge/${operation.id}/${operation.challenge!.token}`
  return {
    status: 200,
    html: frame(
      'Confirm your payment',
      html`<p>Your bank asks you to confirm this payment.</p>
${facts(operation)}
<div class="choice">
<form method="post" action="${place}/accept"><button class="accept">Accept</button></form>
<form method="post" action="${place}/reject"><button>Reject</button></form>
</div>`,
    ),
  }
}

export function decidedPage(operation: Operation): Page {
  const { heading, text, status } = decided(operation)
  const return_url = operation.challenge?.return_url
  const back = return_url ? html`<p><a href="${return_url}">Back to the merchant</a></p>` : html``
  return { status, html: frame(heading, html`<p role="status">${text}</p>${facts(operation)}${back}`) }
}

export function unknownPage(): Page {
  return { status: 404, html: frame('Nothing to confirm', html`<p>There is no payment at this URL.</p>`) }
}

function decided({ status, decline }: Operation): { heading: string; text: string; status: 200 | 410 } {
  if (status === 'approved') return { heading: 'Payment accepted', text: 'This payment was accepted.', status: 200 }
  switch (decline?.code) {
    case 'authentication_failed':
    case 'rejected':
      return { heading: 'Payment rejected', text: 'This payment was rejected.', status: 200 }
    case 'authentication_expired':
    case 'not_paid':
      return { heading: 'Confirmation expired', text: 'This confirmation has expired; nothing was charged.', status: 410 }
    case 'voided':
      return { heading: 'Payment cancelled', text: 'The merchant cancelled this payment; nothing was charged.', status: 410 }
    default:
      return { heading: 'Payment declined', text: 'This payment was accepted, but your bank declined it.', status: 200 }
  }
}

export function facts({
  amount,
  currency,
  reference,
  challenge,
}: Pick<Operation, 'amount' | 'currency' | 'reference'> & { challenge: { merchant?: string | undefined } | null }): Html {
  const merchant = challenge?.merchant === undefined ? html`` : html`<div><dt>Merchant</dt><dd>${challenge.merchant}</dd></div>`
  return html`<dl>${merchant}
<div><dt>Amount</dt><dd class="price">${price(amount, currency)}</dd></div>
<div><dt>Reference</dt><dd class="reference">${reference}</dd></div></dl>`
}

export function price(amount: number, currency: string): string {
  const digits = decimalsOf(currency)
  const style = {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const
  return new Intl.NumberFormat('en', style).format(amount / 10 ** digits)
}

/** Text that is already HTML; all other values in a template are escaped. */
export type Html = { html: string }

export function html(parts: TemplateStringsArray, ...values: (string | Html)[]): Html {
  return {
    html: String.raw({ raw: parts }, ...values.map(value => (typeof value === 'string' ? escapeHtml(value) : value.html))),
  }
}

export const joined = (parts: readonly Html[]): Html => ({ html: parts.map(part => part.html).join('\n') })

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character]!)
}

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #eef1f6; color: #16202f }
main { box-sizing: border-box; width: min(26rem, 92vw); padding: 2rem; border-radius: 1rem; background: #fff; box-shadow: 0 10px 40px #16202f26 }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25 }
dl { display: grid; gap: .5rem; margin: 1.5rem 0; padding: 1rem; border-radius: .625rem; background: #f4f6fa }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.25rem }
dt { color: #55627a }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
.price { white-space: nowrap }
.reference { font-size: .8125rem; font-weight: 400; line-height: 1.9 }
.choice { display: grid; gap: .75rem }
button { width: 100%; padding: .75rem; border: 1px solid #8794ab; border-radius: .625rem; background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button:hover { background: #e6ebf4 }
.accept { border-color: #1457d9; background: #1457d9; color: #fff }
.accept:hover { background: #0f46b0 }
:focus-visible { outline: 3px solid #7aa7ff; outline-offset: 2px }
a { color: #1457d9 }
footer { margin-top: 1.5rem; color: #55627a; font-size: .875rem }
@media (prefers-color-scheme: dark) {
  body { background: #0e1420; color: #e8edf6 }
  main { background: #182133; box-shadow: none }
  dl { background: #111a2a }
  dt, footer { color: #a9b5ca }
  a { color: #8ab4ff }
  button:hover { background: #22304a }
}`

export function frame(heading: string, content: Html): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
${content.html}
<footer>Sandbox bank: no real money moves here.</footer>
</main>
</body>
</html>
`
}
