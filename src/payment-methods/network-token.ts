import type { Context } from '../context.ts'
import { checkBlocked } from '../guard/blocklist.ts'
import { networkToken, readNetworkToken } from '../instruments/network-token.ts'
import { checkNetwork } from '../instruments/networks.ts'
import type { MaskedOther } from '../instruments/other.ts'
import { newMethod, type Show } from './create.ts'
import { joinedAgreement, saveSealed } from './keep.ts'
import type { Recurring } from './method.ts'
import type { MigrateAsk } from './shape.ts'

const PLACE = 'network_token.network_token_data'
const names = { number: 'network_token_number', exp_month: 'network_token_exp_month', exp_year: 'network_token_exp_year' }

type TokenAsk = MigrateAsk & Required<Pick<MigrateAsk, 'network_token' | 'network_transaction_id'>>

/**
 * For off-session charges by the network transaction id of the cardholder's agreement only: an on-session charge needs
 * a cryptogram that only the token requestor can get.
 */
export async function migrateToken<T>(
  context: Context,
  merchant_id: string,
  { customer_id, network_token, network_transaction_id, metadata, billing }: TokenAsk,
  show: Show<T>,
): Promise<T> {
  const { network_token_number: number, network_token_exp_month, network_token_exp_year, ...more } = network_token.network_token_data
  const { card_network } = more
  const expiry = { exp_month: network_token_exp_month, exp_year: network_token_exp_year }
  const token = readNetworkToken({ number, ...expiry, ...more }, context.now(), PLACE, names)
  const digits = token.secrets.network_token!.reveal()
  await checkBlocked(context, merchant_id, digits)
  checkNetwork(card_network, await context.bins.of(digits.slice(0, 8)), `${PLACE}.card_network`)
  const ask = {
    payment_method: 'network_token',
    payment_method_type: 'network_token',
    ...(metadata && { metadata }),
    ...(billing && { billing }),
  } as const
  const method = newMethod(context, merchant_id, customer_id, ask)
  const agreed: Recurring = { usage: 'off_session', network_transaction_id, network_account: null, connectors: {} }
  const paid_with = networkToken.mask(context.vault, merchant_id, token, {}) as MaskedOther
  const sealed = {
    fingerprint: context.vault.fingerprint(merchant_id, `network_token ${digits}`),
    lasting: networkToken.seal(token).lasting,
    columns: (same: { details: object; recurring: Recurring | null } | undefined) => ({
      details: { ...same?.details, ...method.details, paid_with },
      recurring: joinedAgreement(same?.recurring ?? null, agreed),
    }),
  }
  return saveSealed(context, method, sealed, { show, made: null, beside: async () => [] })
}
