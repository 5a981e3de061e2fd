import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CardName, cardOf, cards, luhn } from './cards.ts'
import { context, newReference, openShop, openTestSandbox } from './test-shop.ts'

const { url } = await openTestSandbox()
const shop = openShop(url)

test('every card number passes Luhn and belongs to one card', () => {
  for (const [name, { numbers }] of Object.entries(cards)) {
    for (const number of numbers) {
      assert.ok(luhn(number), number)
      assert.equal(cardOf(number), name)
    }
  }
})

const declined: [CardName, string, string, string][] = [
  ['declined', 'card_declined', '05', 'M'],
  ['insufficient_funds', 'insufficient_funds', '51', 'M'],
  ['lost', 'lost_card', '41', 'M'],
  ['stolen', 'stolen_card', '43', 'M'],
  ['expired', 'expired_card', '54', 'M'],
  ['incorrect_cvc', 'incorrect_cvc', 'N7', 'N'],
  ['processing_error', 'processing_error', '96', 'M'],
]
for (const [card, code, network_code, cvc_result] of declined) {
  test(`the test card ${card} is declined with code ${code}, and nothing is charged`, async () => {
    const reference = newReference('pay')
    const response = await shop.send(card, { reference })
    assert.equal(response.status, 200)
    assert.equal(response.json.status, 'declined')
    assert.equal(response.json.decline.code, code)
    assert.equal(response.json.decline.network_code, network_code)
    assert.equal(response.json.cvc_result, cvc_result)
    assert.deepEqual(response.json.payment_state, { status: 'declined', authorized: 0, captured: 0, refunded: 0 })
    assert.ok(!(await shop.charges()).some((charge: { reference: string }) => charge.reference === reference))
  })
}

test('an expired card is declined, and one in its last month is approved', async () => {
  const now = new Date(context.now())
  const card = { number: '4111111111111111', exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() }
  assert.equal((await shop.pay('approved', { card })).status, 'approved')
  const last = await shop.pay('approved', { card: { ...card, exp_year: card.exp_year - 1 } })
  assert.equal(last.decline.code, 'expired_card')
})

test('an unknown card number is approved, and one that fails Luhn is refused', async () => {
  assert.equal((await shop.send({ number: '4000056655665556' })).json.status, 'approved')
  const response = await shop.send({ number: '4111111111111112' })
  assert.equal(response.status, 400)
  assert.deepEqual([response.json.error.code, response.json.error.param], ['invalid_request', 'card.number'])
})

test('the test card for partial approval is approved for half of the amount, rounded down', async () => {
  const payment = await shop.pay('half', { amount: 1251 })
  assert.equal(payment.amount, 625)
  assert.deepEqual(payment.payment_state, { status: 'captured', authorized: 625, captured: 625, refunded: 0 })
})

test('an approval that echoes a different amount, currency or reference is still charged as requested', async () => {
  const amount = await shop.pay('echoes_amount')
  const dollars = await shop.pay('echoes_currency')
  const euros = await shop.pay('echoes_currency', { currency: 'EUR' })
  const reference = newReference('pay')
  const other = await shop.pay('echoes_reference', { reference })
  assert.deepEqual([amount.amount, dollars.currency, euros.currency], [1251, 'EUR', 'USD'])
  assert.notEqual(other.reference, reference)
  assert.notEqual((await shop.find(reference)).json.reference, reference)
  const charges = await shop.charges()
  const charge = (payment: string) => charges.find((charge: { payment: string }) => charge.payment === payment)
  assert.deepEqual(
    [charge(amount.id).amount, charge(dollars.id).currency, charge(euros.id).currency, charge(other.id).reference],
    [1250, 'USD', 'EUR', reference],
  )
})
