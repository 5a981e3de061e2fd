import type { Account } from '../connectors/connector.ts'
import { carry } from '../connectors/converse.ts'
import type { PortConversation } from '../connectors/port.ts'
import { withoutCard } from '../connectors/redaction/card-numbers.ts'
import { tokenOf } from '../connectors/tokens.ts'
import type { Context, Request, Sender } from '../context.ts'

/** No money moves: requests wait their turn like queries. `failed`: the result of an incomplete conversation. */
export function converseAbout<T>(
  context: Context,
  sender: Omit<Sender, 'purpose'>,
  account: Account,
  conversation: PortConversation<T>,
  failed: (why: string) => T,
): Promise<T> {
  const send = (request: Request) => context.send(request, { ...sender, purpose: 'ask' })
  const carrier = {
    send,
    screen: withoutCard,
    token: (tokenRequest: Parameters<typeof tokenOf>[1]) => tokenOf(account, tokenRequest, context.now, send),
    note: async () => false,
  }
  return carry(carrier, conversation, failed)
}

export const noAnswer = (why: string) => ({ is: 'unknown', why }) as const
