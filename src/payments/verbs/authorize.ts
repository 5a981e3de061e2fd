import { merchantDisplayName } from '../../accounts/profile-settings.ts'
import type { ThreeDsResult } from '../../connectors/authentication.ts'
import type { AuthorizeRequest, Later, StoredCredential } from '../../connectors/verbs.ts'
import type { Operation } from '../../operations/operation.ts'
import type { RequestInput, VerbDefinition } from '../../operations/verb.ts'
import { descriptorOf } from '../authorization/descriptor.ts'
import { installmentsOf } from '../authorization/installments.ts'
import { channelOf, notedIn, purchaseOf } from '../authorization/purchase.ts'
import { retryTarget } from '../authorization/retry-target.ts'
import { splitOf } from '../authorization/split.ts'
import { captureModeOf, type Payment, type PaymentParams } from '../payment.ts'
import { acceptanceOf, storedCredentialOf } from '../stored-credentials/stored-credential.ts'
import { authorizeAddress } from '../three-ds/external-three-ds.ts'
import { returnPage } from '../three-ds/return-page.ts'
import { afterAuthorize } from './after-authorize.ts'
import { askedUntil, unresolved } from './moves.ts'

/** Returns the verb that authorizes. `publicUrl`: the address that customers return to. */
export const authorizeVerb = (publicUrl: () => string): VerbDefinition<Payment> => ({
  buildRequest: (input: RequestInput<Payment>) => buildRequest(input, publicUrl()),
  after: afterAuthorize,
  next: retryTarget,
  until: askedUntil,
  onPollingEnded: unresolved,
})

function buildRequest(
  { connector, account, merchant, head: payment, operation, instrument, threeDsResult }: RequestInput<Payment>,
  publicUrl: string,
) {
  // The instrument is not kept for a second sending.
  if (!instrument) return null
  const { request_id, amount, currency } = operation
  const stored_credential = storedCredentialOf(payment)
  const channel = channelOf(payment.request)
  const purchase = purchaseOf(merchant, payment, operation.connector)
  const metadata = notedIn(payment.request.metadata)
  const split = splitOf(payment.request)
  const installments = installmentsOf(payment.request)
  const acceptance = acceptanceOf(payment.request)
  const order_id = orderAt(payment.request, operation)
  // An amount of 0 charges nothing: the instrument is verified, for later.
  const say = amount === 0 ? connector.setUp : connector.authorize
  return (
    say?.(
      {
        request_id,
        money: { amount, currency },
        instrument,
        capture: captureModeOf(payment),
        ...authenticationOf(payment, stored_credential, channel, threeDsResult),
        return_url: returnPage(publicUrl, payment, operation.connector, request_id),
        ...(connector.returned?.native && { notification_url: authorizeAddress(publicUrl, payment, operation.connector, request_id) }),
        merchant_name: merchantDisplayName(merchant),
        partial_approval: payment.request.enable_partial_authorization === true ? 'accept' : 'refuse',
        later: laterOf(payment),
        statement_descriptor: descriptorOf(payment.request),
        stored_credential,
        ...(acceptance && { acceptance }),
        ...(purchase && { purchase }),
        ...(metadata && { metadata }),
        ...(channel && { channel }),
        ...(split && { split }),
        ...(installments !== null && { installments }),
        ...(order_id !== null && { order_id }),
      },
      account,
    ) ?? null
  )
}

/** Returns the order that was created for this payment at the operation's account; null without one. */
const orderAt = ({ ordered }: PaymentParams, { merchant_connector_id }: Operation): string | null =>
  ordered && ordered.merchant_connector_id === merchant_connector_id ? ordered.order_id : null

/** The processor authenticates no customer who was authenticated already, is to be exempt, or is absent. */
function authenticationOf(
  { authentication_type, request }: Payment,
  stored_credential: StoredCredential | null,
  channel: AuthorizeRequest['channel'] | null,
  three_ds_result: ThreeDsResult | undefined,
): Pick<AuthorizeRequest, 'three_ds' | 'three_ds_result' | 'exemption'> {
  if (three_ds_result) return { three_ds: 'skip', three_ds_result }
  const exemption = request.psd2_sca_exemption_type
  // The customer is not present for a challenge.
  if (stored_credential?.is === 'used' || channel) return { three_ds: 'skip' }
  if (exemption) return { three_ds: 'skip', exemption }
  if (authentication_type !== 'three_ds' || request.authentication) return { three_ds: 'skip' }
  return { three_ds: request.force_3ds_challenge === true ? 'challenge' : 'request' }
}

const nothing: readonly never[] = []
/** Returns the later changes of the hold that the payment requested. */
function laterOf({ request }: Payment): readonly Later[] {
  const { request_incremental_authorization: increment, request_extended_authorization: extend, enable_overcapture: overcapture } = request
  if (!increment && !extend && !overcapture) return nothing
  const requested = { increment, extend, overcapture }
  return (['increment', 'extend', 'overcapture'] as const).filter(one => requested[one] === true)
}
