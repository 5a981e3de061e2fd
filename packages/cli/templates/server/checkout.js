// The page's script: an order is made at the server, and paid in an element of Switchyard's.
const at = id => document.getElementById(id)
const say = words => {
  at('says').textContent = words
}
const words = {
  succeeded: 'Paid. Thank you!',
  processing: 'Your payment is on its way.',
  failed: 'The payment was declined. Try another card.',
}

async function ask(path, body) {
  const answer = await fetch(path, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const said = await answer.json()
  if (!answer.ok) throw new Error(said.error)
  return said
}

/** How the order stands, as the server knows it. */
async function show(paymentId) {
  const { status } = await ask(`/orders/${paymentId}`)
  say(words[status] ?? `The payment is ${status}.`)
  at('order').hidden = status === 'succeeded' || status === 'processing'
  return status
}

async function open() {
  const switchyard = window.Switchyard(document.querySelector('meta[name=publishable-key]').content)
  const order = await ask('/orders', { items: { lamp: 1 }, key: crypto.randomUUID() })
  const elements = switchyard.elements({ clientSecret: order.client_secret, appearance: { theme: 'auto' } })
  elements.create('payment').mount('#payment')
  at('pay').disabled = false
  at('order').addEventListener('submit', async event => {
    event.preventDefault()
    at('pay').disabled = true
    say('')
    const { error } = await switchyard.confirmPayment({ elements, returnUrl: `${location.origin}/`, redirect: 'if_required' })
    at('pay').disabled = false
    // The element says why, and still has the form after a decline: another card, or the same one again.
    if (!error) await show(order.payment_id)
  })
}

// Back from a bank, its customer sees what became of the order.
const paymentId = new URLSearchParams(location.search).get('payment_id')
const begun = async () => {
  const status = paymentId ? await show(paymentId) : null
  // A declined order is ordered anew.
  if (status === null || status === 'failed') await open()
}
await begun().catch(error => say(error.message))
