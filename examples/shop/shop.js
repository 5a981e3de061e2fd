// The shop's page. Three lines of it are Switchyard's: `Switchyard`, `elements`, `mount`; one pays: `confirmPayment`.
const at = id => document.getElementById(id)
const { products, currency, publishable_key } = await (await fetch('shop.json')).json()
const switchyard = Switchyard(publishable_key)
const price = (amount, of = currency) => new Intl.NumberFormat('en', { style: 'currency', currency: of }).format(amount / 100)

const basket = new Map(Object.keys(products).map((id, i) => [id, i === 0 ? 1 : 0]))
let elements = null
/** The order that is being paid, or was. */
let order = null

async function ask(path, body) {
  const answer = await fetch(path, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const said = await answer.json()
  if (!answer.ok) throw new Error(said.error)
  return said
}

function make(name, { text, ...attributes } = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...(text === undefined ? children : [text]))
  return element
}

function showBasket() {
  at('products').replaceChildren(
    ...Object.entries(products).map(([id, { name, says, price: cents }]) => {
      const step = (by, label) => {
        const button = make('button', { type: 'button', class: 'step', 'aria-label': `${label} ${name}`, text: by > 0 ? '+' : '−' })
        button.disabled = by < 0 ? basket.get(id) === 0 : basket.get(id) === 20
        button.addEventListener('click', () => {
          basket.set(id, basket.get(id) + by)
          showBasket()
          const same = [...document.querySelectorAll('.step')].find(one => one.ariaLabel === `${label} ${name}`)
          ;(same.disabled ? same.parentElement.querySelector('.step:enabled') : same).focus()
        })
        return button
      }
      return make(
        'li',
        {},
        make('div', {}, make('strong', { text: name }), make('small', { text: says })),
        make('span', { class: 'price', text: price(cents) }),
        make('div', { class: 'quantity' }, step(-1, 'Fewer:'), make('output', { text: String(basket.get(id)) }), step(1, 'More:')),
      )
    }),
  )
  const total = [...basket].reduce((sum, [id, quantity]) => sum + products[id].price * quantity, 0)
  at('total').textContent = price(total)
  at('checkout').disabled = total === 0
}

const tell = words => {
  at('status').textContent = words
}
const how = () => document.querySelector('input[name=how]:checked').value

/** Shows one of: the invitation, the form, the result. */
function show(which) {
  for (const id of ['empty', 'order', 'result']) at(id).hidden = id !== which
}

async function checkOut() {
  at('checkout').disabled = true
  tell('')
  try {
    order = await ask('orders', { items: Object.fromEntries(basket), how: how() })
    if (order.link) return location.assign(order.link)
    at('payment').replaceChildren()
    elements = switchyard.elements({ clientSecret: order.client_secret, appearance: { theme: 'auto' } })
    const element = elements.create('payment')
    element.on('payment', ({ payment }) => payment && look())
    element.mount('#payment')
    at('pay').textContent = `Pay ${price(order.amount)}`
    show('order')
  } catch (error) {
    tell(error.message)
  } finally {
    at('checkout').disabled = false
  }
}

async function pay(event) {
  event.preventDefault()
  at('pay').disabled = true
  tell('')
  const { error } = await switchyard.confirmPayment({ elements, returnUrl: location.origin, redirect: 'if_required' })
  at('pay').disabled = false
  // The element says why, and still has the form after a decline: another card, or the same one again.
  if (!error) await look()
}

/** What this customer has saved: they see, add, delete, and choose the default themselves. */
async function showCards() {
  at('cards-open').hidden = true
  try {
    const { customer_id, ephemeral_key } = await ask('cards/key', {})
    at('cards').replaceChildren()
    switchyard
      .elements({
        customerId: customer_id,
        ephemeralKey: ephemeral_key,
        fetchSetupClientSecret: async () => (await ask('cards', {})).client_secret,
        appearance: { theme: 'auto' },
      })
      .create('paymentMethods')
      .mount('#cards')
  } catch (error) {
    at('cards-open').hidden = false
    tell(error.message)
  }
}

const words = {
  succeeded: 'Paid. Thank you!',
  processing: 'Your payment is on its way. We will tell you when it has arrived.',
  failed: 'The payment was declined.',
  requires_customer_action: 'Your bank still waits for you.',
}

/** How the order stands, as the shop's server knows it. */
async function look() {
  const { status, description, amount, is_saved } = await ask(`orders/${order.payment_id}`)
  if (status === 'requires_payment_method' || status === 'failed' || status === 'requires_customer_action') {
    // An element that is open says so itself.
    if (at('order').hidden) tell(words[status] ?? '')
    return
  }
  at('says').replaceChildren(make('strong', { text: words[status] ?? `The payment is ${status}.` }), ` ${description}, ${price(amount)}`)
  at('renew').hidden = !(is_saved && status === 'succeeded')
  show('result')
  // What was paid with may be saved now.
  if (at('cards-open').hidden) await showCards()
}

/** Of the renewal that is asked for: the same until it is answered, so that a lost answer charges nothing twice. */
let renewal = null

async function renew() {
  at('renew').disabled = true
  renewal ??= crypto.randomUUID()
  try {
    const { status, amount } = await ask(`orders/${order.payment_id}/renewal`, { key: renewal })
    renewal = null
    tell(status === 'succeeded' ? `Charged ${price(amount)} for the next month, without you.` : `The renewal is ${status}.`)
  } catch (error) {
    tell(error.message)
  }
  at('renew').disabled = false
}

/** What the shop's server hears, the newest first. */
new EventSource('live').addEventListener('message', ({ data }) => {
  const { event_type, timestamp, payment_id, status, amount, currency: of } = JSON.parse(data)
  at('none').hidden = true
  at('events').prepend(
    make(
      'li',
      {},
      make('code', { text: event_type }),
      make('span', { text: `${amount === undefined ? '' : `${price(amount, of)} · `}${status ?? ''}` }),
      make('small', { text: `${new Date(timestamp).toLocaleTimeString('en')} · ${payment_id ?? ''}` }),
    ),
  )
})

at('checkout').addEventListener('click', checkOut)
at('order').addEventListener('submit', pay)
at('renew').addEventListener('click', renew)
at('cards-open').addEventListener('click', showCards)
at('again').addEventListener('click', () => {
  order = null
  tell('')
  show('empty')
})
showBasket()

// Back from a bank, or from the hosted page.
const back = new URLSearchParams(location.search)
if (back.has('payment_id')) {
  order = { payment_id: back.get('payment_id') }
  history.replaceState(null, '', '/')
  await look()
}
