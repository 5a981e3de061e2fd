import { converseAbout, noAnswer } from '../accounts/converse-about.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import { connectors } from '../connectors/all.ts'
import type { PaymentRead } from '../connectors/payment-report.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import type { Operation } from '../operations/operation.ts'
import type { Call } from '../operations/verb.ts'
import { findPayment } from '../payments/rows.ts'
import { applyReport } from './receive.ts'

/**
 * `waits`: an operation under way may explain a difference. `silent`: no answer, or none that can be read.
 * `unsupported`: the processor cannot be asked.
 */
type Asked = 'compared' | 'waits' | 'silent' | 'unsupported'

/** How often a payment is asked about that changes meanwhile. */
const MOST_TRIES = 3

/** Asks the processor about the whole payment and applies the answer. */
export async function askWhole(call: Call, authorization: Operation): Promise<Asked> {
  const { context, merchant } = call
  const { merchant_id, object_id, merchant_connector_id, reference, request_id, amount, currency, began } = authorization
  const account = findConnectorAccount(merchant, merchant_connector_id)?.account
  const connector = connectors[authorization.connector]
  if (!connector?.read_payment) return 'unsupported'
  if (!account) return 'silent'
  for (let tries = 1; ; tries++) {
    const asked = (await findPayment(context, merchant_id, object_id))?.version
    const conversation = connector.read_payment({ reference, request_id, money: { amount, currency }, began }, account)
    const read = await converseAbout<PaymentRead>(context, { merchant_id, merchant_connector_id }, account, conversation, noAnswer)
    if (read.is === 'unsupported') return 'unsupported'
    if (read.is !== 'payment') return 'silent'
    const applied = await applyReport(call, authorization, new Unscreened(read.report), { asked })
    if (applied !== 'older') return applied
    if (tries === MOST_TRIES) return 'waits'
  }
}
