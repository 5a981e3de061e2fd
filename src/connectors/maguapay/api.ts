import type { Currency } from '../../base/currencies.ts'
import type { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import type { Account } from '../connector.ts'
import type { Card } from '../instrument.ts'
import { credentialOf, credentialsOf } from '../kit/credentials.ts'
import { type ParsedReply, parseReply, readerOf } from '../kit/parse-reply.ts'
import { basicOf, jsonRequest } from '../kit/request.ts'
import { settingOf } from '../settings.ts'
import { type Order, readOrder, readRefused } from './replies.ts'

/** The requests to Magua Pay: every request is about an order. */

export const GATEWAY = 'https://api-gateway.smartcore.pro'
const CARDS = 'https://chd-api.smartcore.pro'

/** Returns the host for card numbers; an account with another base URL uses it for all requests. */
export const cardUrlOf = (account: Account): string =>
  settingOf(account, 'card_url') ?? (account.base_url === GATEWAY ? CARDS : account.base_url)

export const cardMembers = ({ number, exp_month, exp_year, cvc, holder }: Omit<Card, 'is'>) => ({
  card_number: number.reveal(),
  card_exp_month: String(exp_month).padStart(2, '0'),
  card_exp_year: String(exp_year),
  ...(cvc && { card_cvv: cvc.reveal() }),
  ...(holder !== null && { card_holder: holder }),
})

export const post = (url: string, account: Account, body: object): Request =>
  jsonRequest('POST', url, basicOf(credentialOf(account), credentialOf(account, 'key1')), body)

/** Members that all requests to create an order have: the account, and the URL for callbacks. */
export const accountMember = (account: Account) => {
  const name = settingOf(account, 'account')
  return name === undefined ? {} : { account: name }
}
export const callbackMember = ({ webhook_url }: Account) => (webhook_url === undefined ? {} : { callback_url: webhook_url })

export const parseOrder = (reply: Reply, currency: Currency, account: Account, secrets: readonly Secret[] = []): ParsedReply<Order> =>
  parseReply(
    reply,
    [...credentialsOf(account), ...secrets],
    readerOf(body => readOrder(body, currency), readRefused),
  )
