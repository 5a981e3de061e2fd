import { deepEqual, doesNotMatch, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { TObject } from 'typebox'
import { Check } from 'typebox/value'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, openShop } from '../../test/shop.ts'
import { Refusal } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { connectors } from '../connectors/all.ts'
import type { MeansOf } from '../connectors/means.ts'
import { nextActions, onwardOf, showNextAction } from '../connectors/next-action.ts'
import { createShape } from '../payments/ask.ts'
import { newKeys } from '../vault/keys.ts'
import { openVault } from '../vault/vault.ts'
import { broughtBy, lastingPart } from './brought.ts'
import { type AnyFamily, families } from './families.ts'
import { paymentMethods, paymentMethodTypes } from './methods.ts'

type Names = keyof typeof families

/**
 * One of each family: a request that brings it, what it is read as, and what must be seen nowhere. A family without one does not pass. `never`: what the vault may not keep for good either. `wrong`: what is
 * refused, and by which words.
 */
const specimens: {
  [F in Names]: { ask: Body; means: MeansOf<F>; secrets: RegExp; never: RegExp; wrong: [sent: Body, says: RegExp][] }
} = {
  card: {
    ask: {
      payment_method_data: {
        card: { card_number: '4929 1234-5678 9015', card_exp_month: '3', card_exp_year: '40', card_cvc: '9137', card_holder_name: 'Ada' },
      },
    },
    means: { is: 'card', number: new Secret('4929123456789015'), exp_month: 3, exp_year: 2040, cvc: new Secret('9137'), holder: 'Ada' },
    secrets: /345678|5678|9137/,
    never: /9137/,
    wrong: [
      [{ card_number: '4929123456789016', card_exp_month: '3', card_exp_year: '40' }, /payment_method_data\.card\.card_number/],
      [{ card_number: '4929123456789015', card_exp_month: '13', card_exp_year: '40' }, /payment_method_data\.card\.card_exp_month/],
      [{ card_number: '4929123456789015', card_exp_month: '3', card_exp_year: '20' }, /expired/],
      [
        { card_number: '4929123456789015', card_exp_month: '3', card_exp_year: '40', card_cvc: '12' },
        /payment_method_data\.card\.card_cvc/,
      ],
    ],
  },
}

const NOW = '2031-02-03T04:05:06.000Z'
const vault = openVault(JSON.parse(newKeys()))
const facts = { avs_result: 'Y', cvc_result: 'M', eci: '05', authorization_code: 'A1B2C3' }

/** What all secrets of some means say. */
const revealed = (means: object): unknown =>
  Object.fromEntries(Object.entries(means).map(([name, value]) => [name, value instanceof Secret ? `secret ${value.reveal()}` : value]))

/** The shape of the member at a place of a request. */
function shapeAt(place: string): unknown {
  let at: TObject | undefined = createShape as unknown as TObject
  for (const name of place.split('.')) at = at?.properties?.[name] as TObject | undefined
  return at
}

for (const [name, family] of Object.entries(families) as [Names, AnyFamily][]) {
  const { ask, means, secrets, never, wrong } = specimens[name]
  const sent = family.at.split('.').reduce<Body>((inner, part) => inner[part], ask)

  test(`${name}: its places and types are those of the interface`, () => {
    equal(family.is, name)
    ok(paymentMethods.includes(family.method))
    for (const type of family.types) ok(paymentMethodTypes.includes(type), type)
    deepEqual({ ...(shapeAt(family.at) as object) }, { ...family.shape })
    for (const place of [...family.sealed, ...family.fleeting]) ok(shapeAt(place), place)
  })

  test(`${name}: a request that brings it is read; what cannot be is refused by its name`, () => {
    ok(Check(family.shape, sent))
    ok(!Check(family.shape, { ...sent, unheard_of: 1 }), 'its shape is closed')
    const brought = broughtBy(ask, NOW)
    equal(brought?.family, family)
    equal(brought?.sent, sent)
    deepEqual(revealed(brought!.means), revealed(means))
    for (const [bad, says] of wrong)
      throws(
        () => family.read(bad, NOW),
        (error: unknown) => error instanceof Refusal && says.test(JSON.stringify(error.body())),
      )
    equal(broughtBy({ payment_method_data: { billing: {} } }, NOW), null)
  })

  test(`${name}: what may be seen of it gives nothing away, and is what answers promise`, () => {
    const masked = family.mask(vault, 'm_1', means, sent)
    const shown = family.show(masked, facts)
    doesNotMatch(JSON.stringify([masked, shown]), secrets)
    doesNotMatch(`${inspect(means)} ${JSON.stringify(means)} ${Object.values(means).join()}`, secrets)
    for (const seen of [shown, family.show(masked, null)]) {
      ok(Check(family.seen, seen))
      deepEqual(Object.keys(seen).toSorted(), Object.keys(family.seen.properties).toSorted())
    }
  })

  test(`${name}: the vault keeps it, and gives it again; what nobody may keep only waits`, () => {
    const { lasting, waiting } = family.seal(means)
    doesNotMatch(lasting, never)
    const masked = JSON.parse(JSON.stringify(family.mask(vault, 'm_1', means, sent)))
    deepEqual(revealed(family.open(masked, lasting, waiting)), revealed(means))
    doesNotMatch(JSON.stringify(revealed(family.open(masked, lasting, null))), never)
  })

  test(`${name}: a request is the same without what nobody may keep, and nothing else of it is left out`, () => {
    const body = { amount: 1, card_cvc: '9137', ...ask, metadata: { card_cvc: 'mine' } }
    const copy = structuredClone(body)
    const lasting = lastingPart(body)
    doesNotMatch(JSON.stringify(lasting), never)
    deepEqual(body, copy, 'the request itself is left as it was')
    deepEqual(lastingPart(lasting), lasting)
    deepEqual([lasting.amount, lasting.metadata], [1, body.metadata])
    for (const odd of [{}, { payment_method_data: null }, { payment_method_data: [1] }, { payment_method_data: { [name]: 'x' } }])
      deepEqual(lastingPart(odd), odd)
  })
}

/** Cards of a customer who is not there: what they are called is never brought, but known (`payments/repeat.ts`). */
const keptCards = ['stored_card', 'network_transaction_id']

test('what a connector takes can be read', () => {
  for (const { name, accepts } of Object.values(connectors))
    for (const method of accepts.methods) ok(Object.hasOwn(families, method) || keptCards.includes(method), `${name} takes ${method}`)
})

const unread = paymentMethods.filter(method => !Object.values(families).some(family => family.method === method))

test('what is sent of a method that nobody reads is neither kept nor shown, and no connector takes it', async () => {
  const shop = await openShop()
  ok(unread.length > 0)
  for (const method of unread) {
    const ask = {
      payment_method: method,
      payment_method_type: 'paypal',
      payment_method_data: { [method]: { some: { secret: 'x7_canary' } } },
    }
    const created = await shop.create(ask)
    deepEqual([created.status, created.payment_method, created.payment_method_data], ['requires_payment_method', method, null])
    for (const answer of [await shop.confirm(created.payment_id), await shop.confirm(created.payment_id, ask), await shop.tryToPay(ask)])
      isRefused(answer, 400, 'IR_39', new RegExp(`has payment_method ${method}$`))
  }
  for (const table of ['payments', 'changes', 'vault_records']) {
    const rows = await shop.query(`select * from ${table} where merchant_id = $1`, [shop.merchant_id])
    doesNotMatch(JSON.stringify(rows), /canary/)
  }
  deepEqual(await shop.query('select 1 from vault_records where merchant_id = $1', [shop.merchant_id]), [])
})

test('a card that is kept does not pay for what is to be paid by another method', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({ card: cards.approves })
  for (const method of unread) {
    const ask = { payment_method: method, payment_method_type: 'paypal' }
    isRefused(await shop.confirm(payment_id, ask), 400, 'IR_39')
    isRefused(await shop.confirm(payment_id, { ...ask, payment_method_data: { [method]: {} } }), 400, 'IR_39')
  }
  deepEqual(await shop.processor.operations(), [])
  equal((await shop.confirm(payment_id)).body.status, 'succeeded')
})

test('each kind of next action shows what its shape says', () => {
  const given: { [Kind in keyof typeof nextActions]: Parameters<(typeof nextActions)[Kind]['show']>[0] } = {
    redirect_to_url: { url: 'https://bank.example/challenge' },
  }
  for (const [type, { shows }] of Object.entries(nextActions) as [keyof typeof nextActions, (typeof nextActions)['redirect_to_url']][]) {
    const action = { type, ...given[type] }
    const shown = showNextAction(action, 'https://pay.example/start')
    deepEqual(Object.keys(shown).toSorted(), ['type', ...Object.keys(shows)].toSorted())
    for (const [member, shape] of Object.entries(shows)) ok(Check(shape, shown[member]), member)
    const onward = onwardOf(action)
    // Where the processor wants the customer is for our page to know: links of processors carry secrets.
    if (onward !== null) ok(!JSON.stringify(shown).includes(onward))
  }
  deepEqual(showNextAction({ type: 'redirect_to_url', url: 'https://bank.example/c' }, 'https://pay.example/start'), {
    type: 'redirect_to_url',
    redirect_to_url: 'https://pay.example/start',
  })
  equal(onwardOf(null), null)
})
