import assert from 'node:assert/strict'
import { test } from 'node:test'
import { written } from '../../test/conformance/carry.ts'
import { ofEveryConnector } from '../../test/conformance/each.ts'
import { returns, syncs, verbs } from '../../test/conformance/verbs.ts'
import fc from '../../test/fast-check.ts'
import { keepsNames } from '../../test/named.ts'
import { notSent, replied, silence } from '../../test/rehearse.ts'
import { Secret } from '../base/secret.ts'
import { alsoCalled, connectors } from './all.ts'
import { idempotentFor } from './connector.ts'
import { whyNotCounted } from './counting.ts'

/**
 * Conformance of every connector of `all.ts`: the operations that move money. The parts that only a connector's own
 * contract defines are in its specimens (`test/conformance/`): one good answer of each kind, from which nearly good
 * ones are made. A connector without specimens does not pass.
 */

test('an unknown connector name gives no connector', () => {
  for (const name of ['constructor', '__proto__', 'toString', '']) assert.equal(connectors[name], undefined)
})

test('a connector alias differs from its connector only in its name', () => {
  for (const [name, { name: _own, ...rest }] of Object.entries(alsoCalled)) {
    const { name: ownName, ...all } = connectors[name]!
    assert.equal(ownName, name)
    assert.deepEqual(all, rest)
  }
})

ofEveryConnector(one => {
  const { name, connector, specimen, account, movesMoney, keyOf, carry, answered, isReceived, good, differ, everyVerb, anyReply } = one

  test(`${name}: it is registered under its own name, and a valid response to each operation succeeds`, () => {
    assert.equal(connector.name, name)
    for (const [verb, begin] of everyVerb)
      assert.equal(answered(verb, begin, good(verb)).outcome.is, isReceived(verb) ? 'waiting' : 'done', verb)
  })

  test(`${name}: its declared idempotency and lookup support match the requests that it sends`, () => {
    const { lookup, in_flight_ms } = connector.accepts
    assert.ok(in_flight_ms >= 80_000, 'the longest exchange and a minute')
    for (const [verb, begin] of everyVerb) {
      const keys = answered(verb, begin, good(verb)).requests.filter(movesMoney).map(keyOf)
      assert.deepEqual(
        [...new Set(keys)],
        [idempotentFor(connector.accepts, verb) > 0 || specimen.keyed?.includes(verb) ? (specimen.key ?? 'REQ1') : undefined],
        verb,
      )
    }
    // An operation on an authorization may be queried by the authorization.
    const asks = (reference: string | null, word: string) =>
      syncs(connector, account, [reference]).every((begin, i) =>
        carry(begin(), silence).requests.some(
          ({ url, body }) =>
            `${url} ${body}`.includes(word) ||
            (i > 0 && (`${url} ${body}`.includes('auth_1') || (specimen.askedByPayment === true && body?.includes('REQ0')))),
        ),
      )
    assert.equal(connector.sync !== undefined, lookup !== 'none')
    if (!connector.sync) return
    // Operations are queried by the processor's id where there is one, or by our request id all the same.
    assert.ok(asks('their_1', 'their_1') || (lookup === 'by request id' && asks('their_1', 'REQ1')))
    if (specimen.listed === undefined) assert.equal(asks(null, 'REQ1'), lookup === 'by request id')
    else assert.equal(carry(syncs(connector, account, [null])[0]!(), replied(200, specimen.listed)).outcome.is, 'done', 'found in its list')
  })

  test(`${name}: what it says that its processor tells is what it can be asked`, () => {
    const { tells } = connector.accepts
    assert.equal(connector.read_payment !== undefined, (tells?.lookup.length ?? 0) > 0)
    // A bridge's adapter may list changes or not.
    if (name !== 'bridge') assert.equal(connector.list_changes !== undefined, (tells?.changes?.length ?? 0) > 0)
  })

  test(`${name}: reports are listed and fetched, or neither, and any answer is a reading of it`, () => {
    const { list_reports, fetch_report, accepts } = connector
    assert.equal(list_reports === undefined, fetch_report === undefined)
    if (!list_reports || !fetch_report) return
    assert.ok(accepts.reports)
    const optional = Object.keys(connector.credentials.optional ?? {})
    const all = {
      ...account,
      credentials: { ...account.credentials, ...Object.fromEntries(optional.map(one => [one, new Secret('sk_opt')])) },
    }
    const since = '2026-11-01T00:00:00.000Z'
    const asked = { since, until: '2026-11-03T00:00:00.000Z', from: since, page: null, last: null }
    fc.assert(
      fc.property(fc.array(fc.oneof(anyReply, fc.constantFrom(silence, notSent)), { minLength: 1, maxLength: 3 }), received => {
        const listed = carry(list_reports(asked, all), ...received).outcome
        assert.match(listed.is, /^(?:reports|unsupported|unknown)$/)
        const part = carry(fetch_report({ id: 'MerchantAccount/Shop/batch_1.csv', page: null }, all), ...received).outcome
        assert.match(part.is, /^(?:part|waiting|gone|unsupported|unknown)$/)
      }),
      { numRuns: 100 },
    )
  })

  test(`${name}: the same operation sends the same request`, () => {
    for (const [verb, begin] of everyVerb) {
      const [request] = answered(verb, begin, good(verb)).requests.filter(movesMoney)
      assert.deepEqual(answered(verb, begin, good(verb)).requests.filter(movesMoney), [request])
    }
  })

  test(`${name}: for any responses at most one request of an operation moves money, and a lookup moves none`, () => {
    const replies = fc.array(fc.oneof(anyReply, fc.constantFrom(silence, notSent)), { minLength: 1, maxLength: 3 })
    const begins = [...everyVerb, ...verbs(connector, account, { reference: null })]
    fc.assert(
      fc.property(replies, received => {
        for (const [, begin] of begins) assert.ok(differ(carry(begin(), ...received).moved) <= 1)
        for (const begin of returns(connector, account)) assert.ok(differ(carry(begin(), ...received).moved) <= 1)
        for (const begin of syncs(connector, account)) assert.ok(!carry(begin(), ...received).requests.some(movesMoney))
      }),
      { numRuns: 200 },
    )
  })

  test(`${name}: a processor reference that was noted is never lost`, async () => {
    const replies = fc.oneof(anyReply, fc.constantFrom(silence, notSent))
    for (const begin of [...everyVerb.map(([, begin]) => begin), ...syncs(connector, account), ...returns(connector, account)])
      await keepsNames(connector, begin, replies)
  })

  test(`${name}: an amount is sent and read exactly, in currencies of 0, 2, 3 and 4 decimals`, () => {
    const { counting } = connector.accepts
    for (const currency of ['JPY', 'USD', 'KWD', 'CLF'] as const) {
      for (const amount of [1, 10, 1000, 1001, 123_456_789, Number.MAX_SAFE_INTEGER - 1]) {
        for (const [verb, begin] of verbs(connector, account, { amount, currency })) {
          // These operations concern the whole held or captured amount, and have no amount of their own.
          if (verb === 'void' || verb === 'extend' || verb === 'post_capture_void' || verb === 'cancel_payout') continue
          const { requests } = answered(verb, begin, good(verb))
          // An amount that the processor cannot express is not sent at all.
          if (whyNotCounted(counting, { amount, currency }) !== null) {
            assert.deepEqual(requests, [], `${verb} ${amount} ${currency}`)
            continue
          }
          if (specimen.byDifference?.includes(verb)) continue
          const { body } = requests.find(request => specimen.amountIn?.test(request.url) ?? movesMoney(request))!
          assert.ok(
            written(counting, { amount, currency }).some(form => `${body}&`.includes(form)),
            `${verb} ${amount} ${currency}: ${body}`,
          )
        }
        if (whyNotCounted(counting, { amount, currency }) !== null) continue
        const echoed = specimen.authorized?.(amount, currency) ?? { ...specimen.answers.authorize, amount, currency }
        const { outcome } = answered('authorize', everyVerb[0]![1], replied(200, echoed))
        assert.ok(outcome.is === 'done')
        assert.deepEqual(outcome.amount, { amount, currency })
      }
    }
  })

  test(`${name}: an account without its credentials sends nothing, and is declined as a configuration error`, () => {
    for (const [verb, begin] of verbs(connector, { ...account, credentials: {} })) {
      const { requests, outcome } = carry(begin(), notSent)
      assert.deepEqual(requests, [], verb)
      assert.ok(outcome.is === 'declined' && outcome.code === 'configuration')
    }
  })
})
