import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop } from '../../test/shop.ts'

/** The deployment's rules for the error codes of processors. */

const declined = {
  connector: 'phonypay',
  flow: 'Payment',
  sub_flow: 'Authorize',
  code: 'lost_card',
  message: 'The card was reported lost.',
}
const rule = { ...declined, status: 'Failure', decision: 'do_default', step_up_possible: false, clear_pan_possible: false }

async function openRules() {
  const shop = await openShop()
  const call = (path: string, body: Body) => http('POST', shop.url + path, body, { 'api-key': ADMIN_KEY })
  return {
    shop,
    create: (body: Body) => call('/gsm', body),
    get: (body: Body) => call('/gsm/get', body),
    update: (body: Body) => call('/gsm/update', body),
    remove: (body: Body) => call('/gsm/delete', body),
  }
}

test('a default rule maps a sandbox decline to a unified code and a retry decision', async () => {
  const { shop, get } = await openRules()
  const { body } = await get({ ...declined, code: 'card_declined', message: 'The card was declined.' })
  deepEqual([body.decision, body.unified_code, body.error_category], ['retry', 'UE_1000', 'soft_decline'])
  deepEqual(body.feature_data, {
    retry: { step_up_possible: false, clear_pan_possible: false, alternate_network_possible: false, decision: 'retry' },
  })
  const payment = await shop.pay({ card: cards.declines })
  equal(payment.error_details.unified_details.standardised_code, 'do_not_honor')
  equal(payment.error_details.unified_details.user_guidance_message, 'Try another card, or ask your bank.')
})

test('a rule that is updated, deleted or created again changes the unified code of later declines', async () => {
  const { shop, create, get, update, remove } = await openRules()
  const failure = async () => {
    const { unified_code, unified_message, error_details } = await shop.pay({ card: cards.isLost })
    return [unified_code, unified_message, error_details.unified_details.standardised_code]
  }
  deepEqual((await failure())[2], 'card_lost_or_stolen')
  isRefused(await create(rule), 400, 'IR_38')
  equal((await update({ ...declined, unified_code: 'UE_1234', unified_message: 'Stolen.', router_error: 'x' })).body.router_error, 'x')
  deepEqual(await failure(), ['UE_1234', 'Stolen.', 'card_lost_or_stolen'])
  equal(
    (await update({ ...declined, feature_data: { retry: { step_up_possible: true, clear_pan_possible: false, decision: 'retry' } } })).body
      .step_up_possible,
    true,
  )
  equal((await get(declined)).body.router_error, null, 'it is cleared unless it is said again')
  const { message: _message, ...key } = declined
  deepEqual((await remove(declined)).body, { gsm_rule_delete: true, ...key })
  for (const gone of [await get(declined), await remove(declined), await update(declined)]) isRefused(gone, 404, 'IR_37')
  // Without a rule, the unified code is that of every refusal of this kind.
  deepEqual(await failure(), ['UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'card_lost_or_stolen'])
  equal((await create({ ...rule, unified_code: 'UE_9' })).status, 200)
  deepEqual((await failure())[0], 'UE_9')
})

test('a rule for the network code takes precedence over one for the processor code', async () => {
  const { shop, create, remove } = await openRules()
  const network = 'Network:Visa|IssuerCode:41'
  const before = (await shop.pay({ card: cards.isLost })).unified_code
  const made = await create({ ...rule, code: network, message: network, unified_code: 'UE_41' })
  equal(made.status, 200, made.text)
  equal((await shop.pay({ card: cards.isLost })).unified_code, 'UE_41')
  await remove({ ...declined, code: network, message: network })
  equal((await shop.pay({ card: cards.isLost })).unified_code, before)
})

test('a rule with an unknown connector or field, or without a decision, is refused with the name of the field', async () => {
  const { create } = await openRules()
  isRefused(await create({ ...rule, connector: 'nopay' }), 400, 'IR_06', /connector/)
  const { decision: _left_out, ...without } = rule
  isRefused(await create(without), 400, 'IR_04', /decision/)
  isRefused(await create({ ...rule, decision: 'perhaps' }), 400, 'IR_06', /decision/)
  isRefused(await create({ ...rule, retries: 3 }), 400, 'IR_06', /retries/)
})

test('all rules or those of one connector are listed; a merchant can read them, and cannot change them', async () => {
  const { shop, create } = await openRules()
  const list = async (query = '', key = ADMIN_KEY) => http('GET', `${shop.url}/gsm/list${query}`, undefined, { 'api-key': key })
  const stripes = { ...rule, connector: 'stripe', code: 'listed', message: 'Listed.' }
  equal((await create(stripes)).status, 200)
  const { body: all } = await list()
  equal(all.size, all.data.length)
  deepEqual(
    all.data.map((one: Body) => one.connector),
    all.data.map((one: Body) => one.connector).toSorted(),
  )
  const { body: some } = await list('?connector=stripe', shop.api_key)
  deepEqual(
    some.data,
    all.data.filter((one: Body) => one.connector === 'stripe'),
  )
  deepEqual(some.data.find((one: Body) => one.code === 'listed').message, 'Listed.')
  isRefused(await list('?connector=nobody'), 400, 'IR_06', /connector/)
  isRefused(await list('', shop.publishable_key), 403, 'IR_22')
  isRefused(await http('POST', `${shop.url}/gsm`, rule, { 'api-key': shop.api_key }), 403, 'IR_22')
})
