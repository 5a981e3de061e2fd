import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPresentable, junk, oddTexts, statuses } from '../../test/conformance/carry.ts'
import { ofEveryConnector } from '../../test/conformance/each.ts'
import { CVC, KEY, NUMBER, returns, syncs, withoutCode, withoutNumber } from '../../test/conformance/verbs.ts'
import fc from '../../test/fast-check.ts'
import { notSent, replied, silence } from '../../test/rehearse.ts'
import type { Reply } from '../context.ts'

/** Conformance of every connector: its handling of all answers, and of all webhooks that come unasked. */

ofEveryConnector(({ name, connector, specimen, account, carry, beforeOf, answered, statusOf, everyVerb, isNameless, anyReply }) => {
  test(`${name}: no error response to the data of a returning customer declines the payment`, () => {
    for (const begin of returns(connector, account)) {
      for (const [status, body] of specimen.errors) {
        const { outcome } = carry(begin(), replied(status, body))
        // The connector queries the prepared operation by the operation's own id, not by the data that the customer
        // returned with.
        assert.ok(outcome.is === 'unknown' || (outcome.is === 'not_found' && outcome.gone), `${status} ${outcome.is}`)
      }
    }
  })

  test(`${name}: every response gives an outcome that can be stored and shown`, () => {
    fc.assert(
      fc.property(anyReply, anyReply, (first, second) => {
        for (const [verb, begin] of everyVerb) {
          for (const { outcome } of [carry(begin(), first, second), answered(verb, begin, first, second)]) {
            const numbers =
              (verb === 'authorize' || verb === 'payout') && !withoutNumber.has(begin)
                ? withoutCode.has(begin)
                  ? [NUMBER]
                  : [NUMBER, CVC]
                : []
            isPresentable(outcome, [KEY, ...numbers])
            assert.ok(outcome.is !== 'not_found' && outcome.is !== 'lapsed', 'an answer to sync only')
          }
        }
        for (const begin of [...syncs(connector, account), ...returns(connector, account)])
          isPresentable(carry(begin(), first, second).outcome, [KEY])
      }),
      { numRuns: 1000 },
    )
  })

  test(`${name}: a response that it does not understand gives an unknown outcome`, () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), junk, (status, body) => {
        const reply: Reply = { is: 'reply', status, headers: {}, body }
        for (const [verb, begin] of everyVerb) assert.equal(answered(verb, begin, reply).outcome.is, 'unknown', verb)
        for (const begin of [...syncs(connector, account), ...returns(connector, account)]) {
          const { requests, outcome } = carry(begin(), reply)
          assert.ok(outcome.is === 'unknown' || isNameless(requests, outcome), outcome.is)
        }
      }),
      { numRuns: 500 },
    )
    for (const [verb, begin] of everyVerb) {
      for (const status of [200, 201, 202, 204, 400, 401, 402, 403, 404, 409, 422, 429, 500, 503]) {
        if (!specimen.bare?.includes(status))
          assert.equal(answered(verb, begin, replied(status, '')).outcome.is, 'unknown', `${verb} ${status}`)
      }
      const text: string = JSON.stringify(specimen.answers[verb])
      for (let cut = 0; cut < text.length; cut += 7) {
        assert.equal(answered(verb, begin, replied(statusOf(verb), text.slice(0, cut))).outcome.is, 'unknown', `${verb} cut at ${cut}`)
      }
      for (const status of [201, 202, 204, 301, 302, 307, 308, 408, 418, 500, 502, 503, 504]) {
        if (status === statusOf(verb) || (status === 201 && specimen.made?.includes(verb))) continue
        for (const body of [...Object.values(specimen.answers), ...specimen.errors.map(([, error]) => error)]) {
          assert.equal(answered(verb, begin, replied(status, body)).outcome.is, 'unknown', `${verb} ${status}`)
        }
      }
    }
  })

  test(`${name}: only a complete and valid response is an approval`, () => {
    fc.assert(
      fc.property(statuses, junk, (status, body) => {
        for (const [verb, begin] of everyVerb) {
          const { outcome } = answered(verb, begin, { is: 'reply', status, headers: {}, body })
          assert.notEqual(outcome.is, 'done')
          assert.notEqual(outcome.is, 'waiting')
        }
      }),
      { numRuns: 500 },
    )
  })

  test(`${name}: no response is unknown, an unsent request is not sent, and a failed lookup decides nothing`, () => {
    for (const [verb, begin] of everyVerb) {
      assert.equal(answered(verb, begin, silence).outcome.is, 'unknown', verb)
      assert.equal(answered(verb, begin, notSent).outcome.is, 'not_sent', verb)
      if (beforeOf(verb, begin).length > 0)
        for (const reply of [silence, notSent]) assert.equal(carry(begin(), reply).outcome.is, 'not_sent', verb)
    }
    const broke = { ...account, credentials: {} }
    const questions = [account, broke].flatMap(one => [...syncs(connector, one), ...returns(connector, one)])
    for (const begin of questions) {
      for (const reply of [silence, notSent]) {
        const { requests, outcome } = carry(begin(), reply)
        assert.ok(outcome.is === 'unknown' || isNameless(requests, outcome), outcome.is)
      }
    }
  })

  const webhook = connector.webhook
  if (webhook)
    test(`${name}: a webhook with any bytes and headers is rejected or read as empty, without an exception`, () => {
      fc.assert(
        fc.property(
          fc.oneof(fc.uint8Array({ maxLength: 60 }), junk.map(Buffer.from)),
          fc.dictionary(oddTexts, oddTexts),
          oddTexts,
          (bytes, headers, signature) => {
            const raw = Buffer.from(bytes)
            for (const header of ['x-sandbox-signature', 'stripe-signature', 'bridge-signature', 'signature']) {
              assert.equal(
                webhook.verify(raw, { ...headers, [header]: signature }, account, '2026-03-01T10:00:00.000Z'),
                specimen.unsigned === true,
              )
            }
            assert.deepEqual(webhook.read(raw), [])
          },
        ),
        { numRuns: 300 },
      )
    })
})
