import { converseAbout, noAnswer } from '../../accounts/converse-about.ts'
import type { ConnectorAccount } from '../../accounts/merchant.ts'
import { newRequestId } from '../../base/id.ts'
import { decimalOf } from '../../base/money.ts'
import { networkOfAddress } from '../../base/network.ts'
import { connectors } from '../../connectors/all.ts'
import type { GiftCardBalance } from '../../connectors/connector.ts'
import { isOther, type PaymentInstrument } from '../../connectors/instrument.ts'
import { failedTry } from '../../guard/card-testing-counters.ts'
import { tryOf } from '../authorization/card-testing-tries.ts'
import { moved } from '../begin-on-payment.ts'
import type { Payment } from '../payment.ts'
import type { UseCaseCall } from '../services.ts'
import type { PaymentCaller } from '../terms.ts'

/**
 * Returns why a gift card cannot pay this payment, by its balance at the account that would be tried first; null if it
 * can, or if the balance is not known. A browser's request counts as a try to pay, declined if the balance is too low
 * or the card invalid, so that it cannot be used to test cards. Refuses (IR_16, HE_00) a try above a limit.
 */
export async function shortBalance(
  call: UseCaseCall,
  payment: Payment,
  instrument: PaymentInstrument,
  first: ConnectorAccount,
  caller: PaymentCaller,
): Promise<string | null> {
  const ask = connectors[first.connector_name]?.balance
  if (!ask || !isOther(instrument) || instrument.is !== 'gift_card') return null
  const { context, merchant, services } = call
  const client_network = caller.is === 'client' ? networkOfAddress(caller.address) : null
  const leave = client_network && (await services.tries.enter(context, merchant, payment.profile_id, tryOf(payment, client_network)))
  try {
    const { merchant_id, merchant_connector_id, account } = first
    const money = { amount: payment.net_amount, currency: payment.currency }
    const asked = ask({ instrument, money, request_id: newRequestId(context) }, account)
    const reply = await converseAbout<GiftCardBalance>(context, { merchant_id, merchant_connector_id }, account, asked, noAnswer)
    const deny = denialOf(reply, payment)
    if (deny !== null && client_network !== null) await count(call, payment, client_network)
    return deny
  } finally {
    if (leave) leave()
  }
}

function denialOf(reply: GiftCardBalance, { net_amount, currency }: Payment): string | null {
  if (reply.is === 'unknown') return null
  if (reply.is === 'refused') return 'This card could not be read. Check its number and PIN.'
  if (reply.money.currency === currency && reply.money.amount >= net_amount) return null
  return `This card holds ${decimalOf(reply.money.amount, reply.money.currency)} ${reply.money.currency}, which is less than the payment.`
}

/** Counts the failed try in the payment's history; a concurrent change counts it instead, or none does. */
async function count({ context }: UseCaseCall, payment: Payment, network: string): Promise<void> {
  const now = context.now()
  // Tries to pay are counted by operation number, balance requests by the negative version: they never collide.
  const rows = failedTry(payment.merchant_id, -payment.version, tryOf(payment, network), now)
  await context.commit(moved(context, payment, { ...payment, modified_at: now }, 'balance_too_low', { rows, announces: null }))
}
