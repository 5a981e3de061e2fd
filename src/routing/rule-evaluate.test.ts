import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { choice, priority, split } from '../../test/routes.ts'
import type { Body } from '../../test/shop.ts'
import { activate, openTwoAccounts, type TwoAccounts } from '../../test/two-accounts.ts'

const ask = (shop: TwoAccounts, parameters: Body, more: Body = {}) =>
  shop.post('/routing/rule/evaluate', { created_by: shop.profile_id, parameters, fallback_output: [], ...more })
const word = (value: string) => ({ type: 'enum_variant', value })
const gateway = (id: string) => ({ gateway_name: 'phonypay', gateway_id: id })

const rules = (shop: TwoAccounts) => {
  const rule = (name: string, connectorSelection: Body, condition: Body[]) => ({ name, connectorSelection, statements: [{ condition }] })
  return {
    type: 'advanced',
    data: {
      defaultSelection: priority(shop.first, shop.second),
      rules: [
        rule('large', priority(shop.second), [{ lhs: 'amount', comparison: 'greater_than', value: { type: 'number', value: 5000 } }]),
        rule('small', priority(shop.second), [{ lhs: 'amount', comparison: 'less_than', value: { type: 'number', value: 100 } }]),
        rule('shelf', split([shop.first, 50], [shop.second, 50]), [
          { lhs: 'metadata', comparison: 'equal', value: { type: 'metadata_variant', value: { key: 'shelf', value: '7' } } },
        ]),
        rule('debit', priority(shop.second), [{ lhs: 'card_type', comparison: 'equal', value: word('debit') }]),
      ],
    },
  }
}

test('rule evaluation runs the active rules on the given parameters; a missing parameter matches no condition', async () => {
  const shop = await openTwoAccounts()
  await activate(shop, rules(shop))
  const { body } = await ask(shop, { amount: { type: 'number', value: 6000 }, card_network: word('visa') })
  deepEqual(body, {
    status: 'success',
    rule: 'large',
    output: { type: 'priority', connectors: [gateway(shop.second)] },
    evaluated_output: [choice(shop.second)],
    eligible_connectors: [choice(shop.second)],
  })
  const outcome = async (parameters: Body, more?: Body) => {
    const { status, rule, evaluated_output } = (await ask(shop, parameters, more)).body
    return [status, rule, evaluated_output[0].merchant_connector_id]
  }
  deepEqual(await outcome({}), ['default_selection', null, shop.first], 'no amount is neither large nor small')
  deepEqual(await outcome({ amount: { type: 'number', value: 50 } }), ['success', 'small', shop.second])
  deepEqual(await outcome({ card_type: word('DEBIT') }), ['success', 'debit', shop.second])
  deepEqual(await outcome({ card_type: word('debit') }, { created_by: shop.merchant_id }), ['success', 'debit', shop.second])
  const shelf = { metadata: { type: 'metadata_variant', value: { key: 'shelf', value: '7' } } }
  const drawn = async (payment_id: string) => outcome(shelf, { payment_id })
  deepEqual(await drawn('pay_1'), await drawn('pay_1'), 'a split is drawn by the payment')
  equal(new Set((await Promise.all(Array.from({ length: 20 }, (_, i) => drawn(`pay_${i}`)))).map(([, , id]) => id)).size, 2)
})

test('rule evaluation lists the eligible connectors separately from the chosen ones', async () => {
  const shop = await openTwoAccounts()
  await activate(shop, priority(shop.second, shop.first))
  const only = [{ payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit', minimum_amount: 1000 }] }]
  await shop.post(`/account/${shop.merchant_id}/connectors/${shop.second}`, {
    connector_type: 'payment_processor',
    payment_methods_enabled: only,
  })
  const eligible = async (parameters: Body) => {
    const { evaluated_output, eligible_connectors } = (await ask(shop, parameters)).body
    deepEqual(evaluated_output, [choice(shop.second), choice(shop.first)])
    return eligible_connectors
  }
  deepEqual(await eligible({}), [choice(shop.second), choice(shop.first)], 'what is not said stands in nobody’s way')
  deepEqual(await eligible({ amount: { type: 'number', value: 999 } }), [choice(shop.first)])
})

test('without an active algorithm, evaluation returns the fallback_output of the request, or else the fallback order of the profile', async () => {
  const shop = await openTwoAccounts()
  const own = (await ask(shop, {})).body
  deepEqual([own.status, own.evaluated_output], ['default_selection', [choice(shop.first), choice(shop.second)]])
  const requested = (await ask(shop, {}, { fallback_output: [gateway(shop.second)] })).body
  deepEqual(
    [requested.output, requested.evaluated_output],
    [{ type: 'priority', connectors: [gateway(shop.second)] }, [choice(shop.second)]],
  )
})

test('unknown parameters, invalid values and accounts of another profile are refused, and the error names the field', async () => {
  const [shop, other] = [await openTwoAccounts(), await openTwoAccounts()]
  isRefused(await ask(shop, { phase_of_moon: word('full') }), 422, 'IR_06', /parameters\.phase_of_moon/)
  isRefused(await ask(shop, { currency: word('XXQ') }), 422, 'IR_06', /parameters\.currency/)
  isRefused(await ask(shop, { amount: word('7') }), 422, 'IR_06', /parameters\.amount\.type/)
  isRefused(await ask(shop, { currency: { type: 'enum_variant_array', value: ['USD'] } }), 422, 'IR_06', /parameters\.currency/)
  isRefused(await ask(shop, { card_bin: { type: 'str_value', value: '42' } }), 422, 'IR_06', /parameters\.card_bin/)
  isRefused(await ask(shop, {}, { fallback_output: [gateway(other.first)] }), 422, 'IR_06', /fallback_output\[0\]/)
  isRefused(await ask(shop, {}, { created_by: other.profile_id }), 404, 'HE_02')
  const second = (await shop.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'second' })).body.profile_id
  const meaning = (created_by: string, profile_id: string) =>
    shop.call('POST', '/routing/rule/evaluate', { created_by, parameters: {}, fallback_output: [] }, { 'x-profile-id': profile_id })
  isRefused(await meaning(shop.profile_id, second), 400, 'IR_16', /created_by/)
  deepEqual((await meaning(shop.merchant_id, second)).body.evaluated_output, [])
  isRefused(await ask(shop, {}, { created_by: shop.merchant_id }), 422, 'IR_06', /created_by/)
  isRefused(await ask(shop, [] as unknown as Body), 400, 'IR_06', /parameters/)
})
