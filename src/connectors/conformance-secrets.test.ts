import assert from 'node:assert/strict'
import { test } from 'node:test'
import { junk, prints, statuses } from '../../test/conformance/carry.ts'
import { ofEveryConnector } from '../../test/conformance/each.ts'
import { CVC, KEY, NUMBER, paidWith } from '../../test/conformance/verbs.ts'
import fc from '../../test/fast-check.ts'
import { notSent, replied, silence } from '../../test/rehearse.ts'
import type { Reply } from '../context.ts'
import type { Account, CredentialsVerdict, Registered } from './connector.ts'
import { isOther } from './instrument.ts'

/** Conformance of every connector: each secret is sent only where it is needed. */

ofEveryConnector(({ name, connector, specimen, account, carry, answered, differ, everyVerb }) => {
  test(`${name}: card data and keys are only in the request that needs them, and never in its URL`, () => {
    for (const [verb, begin] of everyVerb) {
      const conflict = replied(409, specimen.errors.find(([status]) => status === 409)?.[1] ?? {})
      const { requests } = answered(verb, begin, conflict, silence)
      for (const request of requests) {
        for (const secret of [NUMBER, CVC, KEY]) assert.ok(!request.url.includes(secret))
        for (const secret of [NUMBER, CVC]) assert.ok(!JSON.stringify(request.headers).includes(secret))
        assert.ok(!request.body?.includes(KEY))
      }
      for (const secret of [NUMBER, CVC]) {
        const bring = requests.filter(({ body }) => body?.includes(secret))
        // A stored card has no number in the request, and a charge without the customer has no security code.
        const most = verb === 'authorize' || verb === 'payout' ? 1 : 0
        assert.ok(differ(bring) <= most, verb)
        if (paidWith.get(begin)?.is === 'card') assert.equal(differ(bring), 1)
      }
      // Other payment methods have secrets too: an account number, a phone number, a token.
      const paid = paidWith.get(begin)
      const instrument = paid && isOther(paid) ? paid : null
      for (const secret of instrument ? Object.values(instrument.secrets) : []) {
        const bring = requests.filter(({ url, headers, body }) => JSON.stringify([url, headers, body]).includes(secret.reveal()))
        // A processor that collects data from its customers itself does not receive all data of a request.
        if (connector.accepts.offers) assert.ok(differ(bring) <= 1, instrument!.type)
        else assert.equal(differ(bring), 1, instrument!.is)
        assert.ok(bring.every(({ body }) => body?.includes(secret.reveal())))
      }
    }
    for (const secret of [NUMBER, CVC, KEY]) assert.ok(!prints([account, everyVerb.map(([, begin]) => begin())]).includes(secret))
  })

  const keysOf = ({ credentials }: Account) => Object.values(credentials).map(key => key.reveal())

  test(`${name}: credential checks and webhook registration reveal no key, and no invalid response succeeds`, () => {
    const questions = (of: Account) => [
      ...(connector.verify ? [() => connector.verify!(of, 'REQ1')] : []),
      ...(connector.webhook?.register ? [() => connector.webhook!.register!('https://shop.example/webhooks/m/mca_1', of)] : []),
    ]
    for (const begin of questions(account)) {
      const verdict = (reply: Reply) => {
        const { requests, outcome } = carry<CredentialsVerdict | Registered>(begin(), reply)
        for (const { url } of requests) assert.ok(!keysOf(account).some(key => url.includes(key)))
        return outcome.is
      }
      for (const reply of [silence, notSent]) assert.equal(verdict(reply), 'unknown')
      fc.assert(fc.property(statuses, junk, (status, body) => assert.equal(verdict({ is: 'reply', status, headers: {}, body }), 'unknown')))
    }
    for (const begin of questions({ ...account, credentials: {}, webhook_secret: null }))
      assert.equal(carry<CredentialsVerdict | Registered>(begin(), silence).outcome.is, 'refused')
  })
})
