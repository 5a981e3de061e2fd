import { escapeHtml, type Html, html, joined, price } from './challenge-page.ts'
import type { MoveName } from './move-request.ts'
import { isPayout, payoutStatus } from './payouts.ts'
import { stateOf } from './processor.ts'
import type { Operation, Payment } from './records.ts'

/** What the last button did. An alert is read out at once. */
export type Note = { role: 'status' | 'alert'; text: string }

const nameOf = ({ document, id }: Payment): string => document ?? id
const statusOf = (payment: Payment): string => (isPayout(payment) ? payoutStatus(payment) : stateOf(payment).status)

export const listPage = (payments: readonly Payment[]): string =>
  frame(
    'Payments',
    html`<table><caption>The latest payments of this account</caption>
<thead><tr><th scope="col">Payment</th><th scope="col">Reference</th><th scope="col">Processor</th><th scope="col">Status</th><th scope="col">Amount</th></tr></thead>
<tbody>${joined(payments.map(rowOf))}</tbody></table>`,
  )

const rowOf = (payment: Payment): Html => html`<tr>
<th scope="row"><a href="/dashboard/payments/${payment.id}">${nameOf(payment)}</a></th>
<td>${payment.reference}</td><td>${payment.dialect ?? 'sandbox'}</td><td>${statusOf(payment)}</td>
<td class="amount">${price(payment.asked, payment.currency)}</td></tr>`

const words: Record<MoveName, string> = {
  capture: 'Capture',
  void: 'Void',
  increment: 'Increase to',
  refund: 'Refund',
  refund_failed: 'Take the last refund back',
  dispute: 'Dispute',
  payout_cancelled: 'Cancel the payout',
  payout_returned: 'Return the payout',
}

function movesOf(payment: Payment): MoveName[] {
  if (isPayout(payment)) return payment.phase === 'pending' ? ['payout_cancelled'] : ['payout_returned']
  const { phase, captured, refunded } = payment
  return [
    ...(phase === 'open' ? (['capture', ...(captured === 0 ? (['increment'] as const) : []), 'void'] as const) : []),
    ...(captured > refunded ? (['refund', 'dispute'] as const) : []),
    ...(refunded > 0 ? (['refund_failed'] as const) : []),
  ]
}

const takesAmount = (move: MoveName): boolean => ['capture', 'increment', 'refund', 'dispute'].includes(move)

const formOf = (payment: Payment, move: MoveName): Html => html`<form method="post" action="/dashboard/payments/${payment.id}/move">
<input type="hidden" name="move" value="${move}">
${takesAmount(move) ? html`<label>Amount to ${move}, in the lowest denomination<input name="amount" inputmode="numeric" autocomplete="off"></label>` : html``}
<label>Webhooks of “${words[move]}”<select name="webhooks"><option value="">as the account is set</option><option>send</option><option>hold</option><option>lose</option></select></label>
<button>${words[move]}</button></form>`

export function paymentPage(payment: Payment, operations: readonly Operation[], note?: Note): string {
  const sum = (amount: number) => price(amount, payment.currency)
  const facts = {
    Status: statusOf(payment),
    Reference: payment.reference,
    Processor: payment.dialect ?? 'sandbox',
    Authorized: sum(payment.authorized),
    Captured: sum(payment.captured),
    Refunded: sum(payment.refunded),
    Disputed: sum(payment.disputed ?? 0),
  }
  const rows = Object.entries(facts).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  const moves = movesOf(payment)
  return frame(
    nameOf(payment),
    html`${note ? html`<p role="${note.role}">${note.text}</p>` : html``}
<p><a href="/dashboard">All payments</a></p>
<dl>${joined(rows)}</dl>
<h2>Move its money</h2>
${moves.length > 0 ? joined(moves.map(move => formOf(payment, move))) : html`<p>Nothing can be moved.</p>`}
<h2>Operations</h2>
<table><caption>Operations of this payment</caption>
<thead><tr><th scope="col">Operation</th><th scope="col">Type</th><th scope="col">Made by</th><th scope="col">Status</th><th scope="col">Amount</th></tr></thead>
<tbody>${joined(operations.map(operationRow))}</tbody></table>`,
  )
}

const operationRow = ({ id, type, origin, status, amount, currency }: Operation): Html => html`<tr>
<th scope="row">${id}</th><td>${type}</td><td>${origin ?? 'API'}</td><td>${status}</td><td class="amount">${price(amount, currency)}</td></tr>`

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 64rem; margin: 0 auto; padding: 1rem }
table { width: 100%; border-collapse: collapse }
caption { text-align: start; padding: .5rem 0 }
th, td { text-align: start; padding: .375rem .5rem; border-bottom: 1px solid #8794ab; overflow-wrap: anywhere }
tbody th { font-weight: 400 }
.amount { text-align: end; white-space: nowrap }
dl { display: grid; gap: .25rem }
dl div { display: flex; gap: 1rem }
dt { min-width: 7rem }
dd { margin: 0; font-weight: 600 }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; padding: .5rem 0 }
label { display: grid; gap: .25rem }
input, select, button { font: inherit; padding: .5rem; min-height: 2.75rem; box-sizing: border-box }
:focus-visible { outline: 3px solid #1457d9; outline-offset: 2px }`

const frame = (heading: string, content: Html): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)} – sandbox dashboard</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(heading)}</h1>
${content.html}
</main>
</body>
</html>
`
