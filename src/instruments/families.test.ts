import { deepEqual, doesNotMatch, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { TObject } from 'typebox'
import { Check } from 'typebox/value'
import { onlyCards, succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, openShop } from '../../test/shop.ts'
import { everyWay, HIDDEN, paidBy, ways } from '../../test/ways.ts'
import { Refusal } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { connectors } from '../connectors/all.ts'
import { otherFamilies, type PaymentInstrument } from '../connectors/instrument.ts'
import { type NextAction, nextActions, onwardOf, showNextAction } from '../connectors/next-action.ts'
import { createShape } from '../payments/request-shapes.ts'
import { newKeys } from '../vault/keys.ts'
import { openVault } from '../vault/vault.ts'
import { type AnyFamily, families, familyNamed } from './families.ts'
import { lastingPart, readInstrument } from './input.ts'
import { paymentMethodNames, paymentMethodTypes } from './methods.ts'

const NOW = '2031-02-03T04:05:06.000Z'

type Specimen = { ask: Body; instrument: PaymentInstrument; secrets: RegExp; never: RegExp; wrong: [sent: Body, says: RegExp][] }

/**
 * A card, and every other payment method: a request with it, the instrument that is read from the request, and the
 * pattern of secrets that may appear nowhere. `never`: secrets that the vault may not store permanently either.
 * `wrong`: values that are refused, and the pattern of the refusal.
 */
const cardOf: Record<'card', Specimen> = {
  card: {
    ask: {
      payment_method_data: {
        card: { card_number: '4929 1234-5678 9015', card_exp_month: '3', card_exp_year: '40', card_cvc: '9137', card_holder_name: 'Ada' },
      },
    },
    instrument: {
      is: 'card',
      number: new Secret('4929123456789015'),
      exp_month: 3,
      exp_year: 2040,
      cvc: new Secret('9137'),
      holder: 'Ada',
    },
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

/**
 * The other payment methods. `test/ways.ts` defines their requests, and `payments/methods.test.ts` tests how they are
 * read: here they must come back from the vault as they were read.
 */
const others = everyWay.map(([family, way]): [string, AnyFamily, Specimen] => {
  const ask = paidBy(family, way)
  const instrument = families[family].read(ask.payment_method_data[family], NOW, ask.payment_method_type) as PaymentInstrument
  return [`${family}.${way}`, families[family], { ask, instrument, secrets: HIDDEN, never: /^$/, wrong: [] }]
})
const specimens: [string, AnyFamily, Specimen][] = [['card', families.card, cardOf.card], ...others]

const vault = openVault(JSON.parse(newKeys()))
const facts = { avs_result: 'Y', cvc_result: 'M', eci: '05', authorization_code: 'A1B2C3' }

/** Gives an instrument with all its secrets revealed. */
const revealed = (instrument: unknown): unknown =>
  instrument instanceof Secret
    ? `secret ${instrument.reveal()}`
    : instrument !== null && typeof instrument === 'object'
      ? Object.fromEntries(Object.entries(instrument).map(([name, value]) => [name, revealed(value)]))
      : instrument

/** Gives the schema of the member at a place of a request. */
function shapeAt(place: string): unknown {
  let at: TObject | undefined = createShape as unknown as TObject
  for (const name of place.split('.')) {
    const forms = (at as { anyOf?: readonly TObject[] } | undefined)?.anyOf
    at = (forms?.find(({ properties }) => properties) ?? at)?.properties?.[name] as TObject | undefined
  }
  return at
}

test('every payment method family has test data', () => {
  deepEqual(new Set(specimens.map(([, family]) => family)), new Set(Object.values(families)))
})

for (const [name, family, { ask, instrument, secrets, never, wrong }] of specimens) {
  const sent = family.at.split('.').reduce<Body>((inner, part) => inner[part], ask)

  test(`${name}: its position in the request and its types match the API schema`, () => {
    equal(familyNamed(family.is), family)
    ok(paymentMethodNames.includes(family.method))
    for (const type of family.types) ok(paymentMethodTypes.includes(type), type)
    deepEqual({ ...(shapeAt(family.at) as object) }, { ...family.shape })
    for (const place of [...family.sealed, ...family.fleeting]) ok(shapeAt(place), place)
  })

  test(`${name}: a valid request is read, and invalid values are refused`, () => {
    ok(Check(family.shape, sent))
    // A family with several payment methods must contain exactly one of them; within a payment method, existing
    // clients send further members.
    const oneOfSeveral =
      family.at !== `payment_method_data.${family.is}` ||
      (family.shape as { additionalProperties?: boolean }).additionalProperties === false
    equal(Check(family.shape, { ...sent, unheard_of: 1 }), !oneOfSeveral)
    const input = readInstrument(ask, NOW)
    equal(input?.family, family)
    equal(input?.sent, sent)
    deepEqual(revealed(input!.instrument), revealed(instrument))
    for (const [bad, pattern] of wrong)
      throws(
        () => family.read(bad, NOW, 'credit'),
        (error: unknown) => error instanceof Refusal && pattern.test(JSON.stringify(error.body())),
      )
    equal(readInstrument({ payment_method_data: { billing: {} } }, NOW), null)
  })

  test(`${name}: masked and shown data contain no secrets and match the response schema`, () => {
    const masked = family.mask(vault, 'm_1', instrument, sent)
    const shown = family.show(masked, facts)
    doesNotMatch(JSON.stringify([masked, shown]), secrets)
    doesNotMatch(`${inspect(instrument)} ${JSON.stringify(instrument)} ${Object.values(instrument).join()}`, secrets)
    for (const seen of [shown, family.show(masked, null)]) {
      ok(Check(family.seen, seen), JSON.stringify(seen))
      if (name === 'card') deepEqual(Object.keys(seen).toSorted(), family.seen.required.toSorted())
    }
  })

  test(`${name}: the instrument is restored from the vault, and sensitive authentication data is not stored permanently`, () => {
    const { lasting, waiting } = family.seal(instrument)
    doesNotMatch(lasting, never)
    const masked = JSON.parse(JSON.stringify(family.mask(vault, 'm_1', instrument, sent)))
    deepEqual(revealed(family.open(masked, lasting, waiting)), revealed(instrument))
    doesNotMatch(JSON.stringify(revealed(family.open(masked, lasting, null))), never)
  })

  test(`${name}: the stored part of a request has no sensitive authentication data, and keeps amount and metadata`, () => {
    const body = { amount: 1, card_cvc: '9137', ...ask, metadata: { card_cvc: 'mine' } }
    const copy = structuredClone(body)
    const lasting = lastingPart(body)
    doesNotMatch(JSON.stringify(lasting), never)
    deepEqual(body, copy, 'the request itself is left as it was')
    deepEqual(lastingPart(lasting), lasting)
    deepEqual([lasting.amount, lasting.metadata], [1, body.metadata])
    for (const odd of [{}, { payment_method_data: null }, { payment_method_data: [1] }, { payment_method_data: { [family.is]: 'x' } }])
      deepEqual(lastingPart(odd), odd)
  })
}

test('decrypted wallet data is distinguished from an encrypted token by its fields, and missing or invalid fields are named', () => {
  const read = (way: string, change: (input: Body) => void) => {
    const { payment_method_type, payment_method_data } = structuredClone(paidBy('wallet', way)) as Body
    change(payment_method_data.wallet[payment_method_type])
    const { way: meant, open, secrets } = families.wallet.read(payment_method_data.wallet, NOW, payment_method_type)
    return [meant, { ...open, ...(revealed(secrets) as object) }] as const
  }
  const named = (way: string, change: (input: Body) => void, pattern: RegExp) =>
    throws(
      () => read(way, change),
      (error: unknown) => error instanceof Refusal && pattern.test(JSON.stringify(error.body())),
    )
  const same = () => {}
  equal(read('apple_pay', same)[0], 'apple_pay')
  equal(read('google_pay', same)[0], 'google_pay')
  const [apple, parts] = read('apple_pay_decrypted', same)
  deepEqual(
    [apple, parts['payment_data.application_primary_account_number' as keyof typeof parts], Object.hasOwn(parts, 'payment_data')],
    ['apple_pay_decrypted', 'secret 4895370012003478', false],
  )
  equal(read('google_pay_decrypted', ({ tokenization_data }) => delete tokenization_data.eci_indicator)[0], 'google_pay_decrypted')
  named('google_pay', ({ tokenization_data }) => delete tokenization_data.token, /google_pay\.tokenization_data\.token/)
  named('google_pay_decrypted', ({ tokenization_data }) => delete tokenization_data.cryptogram, /google_pay\.tokenization_data\.cryptogram/)
  named(
    'apple_pay_decrypted',
    ({ payment_data }) => Object.assign(payment_data, { application_primary_account_number: '4895370012003479' }),
    /apple_pay\.payment_data\.application_primary_account_number/,
  )
  named(
    'apple_pay_decrypted',
    ({ payment_data }) => Object.assign(payment_data.payment_data, { online_payment_cryptogram: 'not base64!' }),
    /online_payment_cryptogram must be base64/,
  )
})

test('an invalid or past expiry date of a wallet, network token or Bancontact card is refused with the field name', () => {
  const ended = [
    [
      'wallet',
      'apple_pay_decrypted',
      'apple_pay.payment_data.application_expiration_month',
      'apple_pay.payment_data.application_expiration_year',
    ],
    ['wallet', 'google_pay_decrypted', 'google_pay.tokenization_data.card_exp_month', 'google_pay.tokenization_data.card_exp_year'],
    ['network_token', 'network_token', 'token_exp_month', 'token_exp_year'],
    ['bank_redirect', 'bancontact_card', 'bancontact_card.card_exp_month', 'bancontact_card.card_exp_year'],
  ] as const
  const wrong = [
    ['12', '2020', 'year', 'has expired'],
    ['12', '1999', 'year', 'must have two or four digits'],
    ['13', '2040', 'month', 'must be 1 to 12'],
    [' 1', '2040', 'month', 'digits only'],
  ] as const
  for (const [family, way, monthAt, yearAt] of ended)
    for (const [month, year, which, why] of wrong) {
      const { payment_method_type, payment_method_data } = structuredClone(paidBy(family, way)) as Body
      const put = (path: string, value: string) => {
        const steps = path.split('.')
        steps.slice(0, -1).reduce((inner, step) => inner[step], payment_method_data[family])[steps.at(-1)!] = value
      }
      put(monthAt, month)
      put(yearAt, year)
      throws(
        () => families[family].read(payment_method_data[family], NOW, payment_method_type),
        (error: unknown) => {
          const text = JSON.stringify((error as Refusal).body())
          return text.includes(why) && text.includes(which === 'year' ? yearAt : monthAt)
        },
        `${way}: ${month}/${year}`,
      )
    }
})

/**
 * Stored cards of an absent customer: a request never contains their ids, the service knows them
 * (`payments/stored-credentials/merchant-initiated.ts`).
 */
const keptCards = ['stored_card', 'network_transaction_id']

test('every payment method that a connector accepts can be read from a request', () => {
  for (const { name, accepts } of Object.values(connectors))
    for (const method of accepts.methods) ok(Object.hasOwn(families, method) || keptCards.includes(method), `${name} takes ${method}`)
})

test('a payment method that no connector account accepts is refused, and nothing is sent to the processor', async () => {
  const shop = await openShop()
  await succeed(shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, onlyCards))
  for (const family of otherFamilies) {
    const ask = paidBy(family, Object.keys(ways[family])[0]!)
    const created = await shop.create(ask)
    deepEqual([created.status, created.payment_method], ['requires_confirmation', family])
    for (const answer of [await shop.confirm(created.payment_id), await shop.tryToPay(ask)])
      isRefused(answer, 400, 'IR_39', new RegExp(`enabled for payment_method ${family} `))
  }
  deepEqual(await shop.processor.operations(), [])
})

test('a payment with a stored card cannot be confirmed with another payment method without its data', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({ card: cards.approves })
  for (const family of otherFamilies) {
    const payment_method_type = families[family].types[0]
    isRefused(await shop.confirm(payment_id, { payment_method: family, payment_method_type }), 422, 'IR_06', /payment method data/)
  }
  deepEqual(await shop.processor.operations(), [])
  equal((await shop.confirm(payment_id)).body.status, 'succeeded')
})

test('each type of next action is shown as its schema defines', () => {
  const given: { [Kind in keyof typeof nextActions]: Parameters<(typeof nextActions)[Kind]['show']>[0] } = {
    redirect_to_url: { url: 'https://bank.example/challenge' },
    redirect_inside_popup: { url: 'https://bank.example/challenge' },
    qr_code_information: { data: 'https://bank.example/c', image: 'data:image/png;base64,AAAA', until: NOW, text: null },
    fetch_qr_code_information: { url: 'https://bank.example/code' },
    display_bank_transfer_information: { to: { multibanco: { reference: '1', entity: '2' } }, remaining: 1 },
    display_voucher_information: { parts: { reference: '1' }, made: NOW, until: NOW },
    wait_screen_information: { from: NOW, until: null },
    invoke_upi_intent_sdk: { uri: 'upi://pay', from: NOW, until: NOW },
    invoke_upi_qr_flow: { uri: 'upi://pay', from: NOW, until: NOW },
    third_party_sdk_session_token: { session: { wallet_name: 'open_banking' } },
    collect_otp: { consent: 'consent_required' },
    invoke_hidden_iframe: { url: 'https://bank.example/frame', data: 'e30' },
    invoke_ddc: { url: 'https://bank.example/frame', timeout_ms: 8000 },
    invoke_sdk_client: { order_id: 'order_1' },
    three_ds_invoke: { version: '2.2.0', directory_server_id: 'A000000003', method: { url: 'https://bank.example/method', data: 'e30' } },
  }
  const pages = {
    start: 'https://pay.example/start',
    back: 'https://pay.example/back',
    waiting: null,
    authentication: {
      authenticate: 'https://pay.example/authenticate',
      authorize: 'https://pay.example/authorize',
      poll_id: 'm_1',
      connector: 'phonypay',
      card_network: 'Visa',
    },
  }
  for (const [type, { shows }] of Object.entries(nextActions) as [keyof typeof nextActions, (typeof nextActions)['redirect_to_url']][]) {
    const action = { type, ...given[type] } as NextAction
    const shown = showNextAction(action, pages)
    deepEqual(Object.keys(shown).toSorted(), ['type', ...Object.keys(shows)].toSorted())
    for (const [member, shape] of Object.entries(shows)) ok(Check(shape, shown[member]), member)
    const onward = onwardOf(action)
    // Only our page knows the processor's address for the customer: links of processors contain secrets.
    if (onward !== null) ok(!JSON.stringify(shown).includes(onward))
  }
  deepEqual(showNextAction({ type: 'redirect_to_url', url: 'https://bank.example/c' }, pages), {
    type: 'redirect_to_url',
    redirect_to_url: 'https://pay.example/start',
  })
  equal(onwardOf(null), null)
  const waiting = { ...pages, waiting: 'https://pay.example/waiting' }
  const elsewhere = (Object.keys(nextActions) as (keyof typeof nextActions)[]).filter(
    type => showNextAction({ type, ...given[type] } as NextAction, waiting).redirect_to_url === waiting.waiting,
  )
  deepEqual(
    elsewhere,
    // A transfer within the SEPA and a slip without a file are known, but existing checkouts show nothing of them.
    'fetch_qr_code_information display_bank_transfer_information display_voucher_information wait_screen_information invoke_upi_intent_sdk invoke_upi_qr_flow collect_otp'.split(
      ' ',
    ),
    'what existing checkouts do not know',
  )
  const shown = (action: object) => showNextAction(action as NextAction, waiting).type
  const slip = { ...given.display_voucher_information, type: 'display_voucher_information' }
  equal(shown({ ...slip, parts: { ...slip.parts, download_url: 'https://slip.example/1.pdf' } }), 'display_voucher_information')
  const transfer = { ...given.display_bank_transfer_information, type: 'display_bank_transfer_information' }
  equal(shown({ ...transfer, to: { ach_credit_transfer: { account_number: '1' } } }), 'display_bank_transfer_information')
})
