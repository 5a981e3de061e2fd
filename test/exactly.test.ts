import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import type { Types } from '@adyen/api-library'
import type Stripe from 'stripe'
import { exactly, type Plain, type Strange } from './exactly.ts'

/** The type checker is the test: the code after each marked line must not compile. */

const refund = exactly<Plain<Types.checkout.PaymentRefundRequest>>()
const intent = exactly<Stripe.PaymentIntentCreateParams>()

const amount = { value: 500, currency: 'USD' }
const usd = { amount: 500, currency: 'usd' }
/**
 * Requests built as connectors build them: by calls and conditions, where TypeScript itself sees no unknown member.
 */
const begun = () => ({ merchantAccount: 'Shop', amount })
const atTheTop = (is: boolean) => ({ ...begun(), ...(is && { bogusMember: true }) })
const withinAnObject = (is: boolean) => ({ ...begun(), amount: { ...amount, ...(is && { bogusMember: true }) } })
const withinAList = () => ({ ...begun(), splits: [1].map(() => ({ type: 'Commission' as const, bogusMember: true })) })
const withinACard = () => ({ ...usd, payment_method_options: { card: { request_three_d_secure: 'any' as const, bogus_member: true } } })

test('a request with a field that the vendor does not publish does not compile, at any depth', () => {
  deepEqual(refund(begun()), { merchantAccount: 'Shop', amount })
  // @ts-expect-error at the top
  refund(atTheTop(true))
  // @ts-expect-error within an object
  refund(withinAnObject(true))
  // @ts-expect-error within a list
  refund(withinAList())
  intent({ ...usd, payment_method_options: { card: { request_three_d_secure: 'any' } } })
  // @ts-expect-error at the top
  intent({ ...usd, ...{ bogus_member: true } })
  // @ts-expect-error within objects
  intent(withinACard())
})

test('the type error names the unknown field', () => {
  type Challenge = { threeDS2RequestData: { deviceChannel: 'browser'; threeDSRequestorChallengeInd: '04' } }
  const path: Strange<Challenge, Types.checkout.PaymentRequest> = 'threeDS2RequestData.deviceChannel'
  // @ts-expect-error the other member is known
  const other: Strange<Challenge, Types.checkout.PaymentRequest> = 'threeDS2RequestData.threeDSRequestorChallengeInd'
  deepEqual([path, other], ['threeDS2RequestData.deviceChannel', 'threeDS2RequestData.threeDSRequestorChallengeInd'])
})
