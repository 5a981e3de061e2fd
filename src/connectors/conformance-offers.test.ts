import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPresentable, written } from '../../test/conformance/carry.ts'
import { ofEveryConnector } from '../../test/conformance/each.ts'
import { KEY, paidIn, usual } from '../../test/conformance/verbs.ts'
import fc from '../../test/fast-check.ts'
import { notSent, replied, silence } from '../../test/rehearse.ts'
import { ways as allWays, everyWay } from '../../test/ways.ts'
import type { Currency } from '../base/currencies.ts'
import type { Money } from '../base/money.ts'
import { paymentMethodTypes } from '../instruments/methods.ts'
import { homesOfWays } from '../instruments/places.ts'
import { type AuthorizeRequest, idempotentFor } from './connector.ts'
import { whyNotCounted } from './counting.ts'
import { isOther } from './instrument.ts'
import { rowIn, typeOfRow } from './offer.ts'

/** Whether checkouts know where customers have a method that is of a few countries. */
const isHomeKnown = (countries: readonly string[] | undefined, type: string): boolean =>
  countries === undefined || countries.length > 3 || type.startsWith('local_') || Object.hasOwn(homesOfWays, type)

/** Conformance of every connector that offers more than cards: every row of its offers, with every payment method. */

/** The payer and the purchase, with all members that a row may require. */
const purchase = {
  billing: {
    ...{ first_name: 'Ada', last_name: 'Byron', line1: '1 Way', line2: 'Top', city: 'Here', zip: '12345', country: 'GB' as const },
    ...{ email: 'ada@example.com', phone: '+447700900123' },
  },
  shipping: { first_name: 'Ada', last_name: 'Byron', line1: '1 Way', city: 'Here', zip: '12345', country: 'GB' as const },
  lines: [{ product_name: 'Chair', quantity: 1, amount: 1250 }],
}

const acceptance = { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } }
const agrees = { is: 'made', usage: 'off_session', customer: 'shop_ada' } as const
const charged = { is: 'used', mit_category: 'recurring', customer: 'shop_ada' } as const

ofEveryConnector(({ name, connector, specimen, account, carry, movesMoney, keyOf, differ, good, anyReply }) => {
  const { offers, methods, counting } = connector.accepts
  if (!offers) return
  const ways: NonNullable<typeof specimen.ways> =
    specimen.ways ?? everyWay.flatMap(([family, way]) => (rowIn(offers, family, allWays[family][way]![0]) ? { family, way } : []))
  const asks = ways.map(({ family, way, said: details, first, owned }) => {
    const instrument = paidIn(family, way, details)
    assert.ok(isOther(instrument))
    const ask = (money: AuthorizeRequest['money']) =>
      connector.authorize!({ ...usual, money, capture: 'automatic', instrument, purchase }, account)
    const begin = () => ask({ amount: 1250, currency: 'USD' })
    const payer = first === 'owner' ? (specimen.owner ?? []).map(body => replied(200, body)) : []
    const known = typeof first === 'object' ? [replied(201, first)] : payer
    const isFirst = first === true || specimen.alwaysFirst
    const before = isFirst ? (specimen.before?.authorize ?? []).map(body => replied(200, body)) : known
    return { instrument, ask, begin, before, owned }
  })
  /**
   * The same requests with the customer's consent to later charges; and the later charges, by the stored id of the
   * payment method.
   */
  const again = asks
    .filter(({ instrument }) => rowIn(offers, instrument.is, instrument.type)!.recurring !== undefined)
    .flatMap(({ instrument, before, owned }) => {
      const authorizing = (more: Partial<AuthorizeRequest>) => () =>
        connector.authorize!(
          { ...usual, money: { amount: 1250, currency: 'USD' }, capture: 'automatic', instrument, purchase, acceptance, ...more },
          account,
        )
      const known = { is: 'stored_card', reference: 'their_name_1', customer: 'their_customer_1', cvc: null, of: instrument } as const
      const owner = (owned ? [] : (specimen.owner ?? [])).map(body => replied(200, body))
      return [
        { instrument, begin: authorizing({ stored_credential: agrees }), before: [...before, ...owner] },
        { instrument, begin: authorizing({ instrument: known, stored_credential: charged }), before: specimen.alwaysFirst ? before : [] },
      ]
    })

  test(`${name}: each payment method that it offers is a type of the API and can be requested`, () => {
    for (const [row, { family, countries }] of Object.entries(offers)) {
      const type = typeOfRow(row)
      assert.ok(paymentMethodTypes.includes(type), `${type} is no payment method type yet: add it to src/instruments/methods.ts`)
      assert.ok((methods as readonly string[]).includes(family), type)
      assert.ok(
        asks.some(({ instrument }) => instrument.type === type && instrument.is === family),
        `no request with ${type} is known: add a line for it to test/ways.ts`,
      )
      assert.ok(
        isHomeKnown(countries, type),
        `${type} is only for some countries: name them in src/instruments/places.ts, or every checkout shows it`,
      )
    }
  })

  test(`${name}: data of a method other than a card is in one request, not in its URL, and a valid response is an approval`, () => {
    for (const { instrument, begin, before } of asks) {
      const { requests, outcome } = carry(begin(), ...before, good('authorize'))
      assert.equal(outcome.is, 'done', instrument.way)
      for (const secret of Object.values(instrument.secrets)) {
        const value = secret.reveal()
        assert.ok(!requests.some(({ url, headers }) => JSON.stringify([url, headers]).includes(value)), instrument.way)
        assert.ok(differ(requests.filter(({ body }) => body?.includes(value))) <= 1, instrument.way)
      }
      const keys = requests.filter(movesMoney).map(keyOf)
      assert.deepEqual(
        [...new Set(keys)],
        [idempotentFor(connector.accepts, 'authorize') > 0 ? (specimen.key ?? 'REQ1') : undefined],
        instrument.way,
      )
    }
  })

  test(`${name}: for each payment method no response is unknown, and the same payment sends the same request`, () => {
    for (const { instrument, begin, before } of asks) {
      assert.equal(carry(begin(), ...before, silence).outcome.is, 'unknown', instrument.way)
      assert.equal(carry(begin(), ...before, notSent).outcome.is, 'not_sent', instrument.way)
      const moved = () => carry(begin(), ...before, good('authorize')).requests.filter(movesMoney)
      assert.deepEqual(moved(), moved(), instrument.way)
    }
  })

  test(`${name}: saving and later charging a payment method uses one idempotency key, and no response is unknown`, () => {
    for (const { instrument, begin, before } of again) {
      const { requests, outcome } = carry(begin(), ...before, good('authorize'))
      assert.equal(outcome.is, 'done', instrument.way)
      const keys = requests.filter(movesMoney).map(keyOf)
      assert.deepEqual(
        [...new Set(keys)],
        [idempotentFor(connector.accepts, 'authorize') > 0 ? (specimen.key ?? 'REQ1') : undefined],
        instrument.way,
      )
      assert.equal(carry(begin(), ...before, silence).outcome.is, 'unknown', instrument.way)
      assert.equal(carry(begin(), ...before, notSent).outcome.is, 'not_sent', instrument.way)
    }
  })

  const byNetwork = (methods as readonly string[]).includes('network_transaction_id')
  for (const { instrument } of asks.filter(one => byNetwork && one.instrument.is === 'network_token'))
    test(`${name}: a network token is charged off-session with the network’s transaction id`, () => {
      const network_transaction_id = '123456789012345'
      const known = { ...instrument, network_transaction_id }
      const ask = { ...usual, money: { amount: 1250, currency: 'USD' }, capture: 'automatic', purchase } as const
      const { requests, outcome } = carry(
        connector.authorize!({ ...ask, instrument: known, stored_credential: charged }, account),
        good('authorize'),
      )
      assert.equal(outcome.is, 'done')
      assert.ok(requests.filter(movesMoney).every(({ body }) => body!.includes(network_transaction_id)))
    })

  test(`${name}: any response to any payment method gives an outcome that can be shown, and money moves at most once`, () => {
    fc.assert(
      fc.property(anyReply, anyReply, fc.constantFrom(...asks, ...again), (first, second, { begin, before }) => {
        const { outcome, moved } = carry(begin(), ...before, first, second)
        isPresentable(outcome, [KEY])
        assert.ok(differ(moved) <= 1)
        assert.ok(outcome.is !== 'not_found' && outcome.is !== 'lapsed', 'an answer to sync only')
      }),
      { numRuns: 2000 },
    )
  })

  test(`${name}: an amount is sent exactly, in the currencies of each payment method`, () => {
    for (const { instrument, ask, before } of asks) {
      const currencies: readonly Currency[] = rowIn(offers, instrument.is, instrument.type)!.currencies ?? ['JPY', 'USD', 'KWD']
      for (const currency of currencies) {
        const money: Money = { amount: 123_400, currency }
        const { requests } = carry(ask(money), ...before, good('authorize'))
        assert.equal(whyNotCounted(counting, money), null)
        const { body } = requests.find(request => specimen.amountIn?.test(request.url) ?? movesMoney(request))!
        assert.ok(
          written(counting, money).some(form => `${body}&`.includes(form)),
          `${instrument.way} ${currency}: ${body}`,
        )
      }
    }
  })
})
