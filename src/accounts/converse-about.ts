import type { Account, Conversation } from '../connectors/connector.ts'
import { carry } from '../connectors/converse.ts'
import { withoutCard } from '../connectors/screen.ts'
import { tokenOf } from '../connectors/tokens.ts'
import type { Context, Request, Sender } from '../context.ts'

/**
 * Carries a conversation that moves no money, about an account itself: in its turn, as questions are. `failed` says
 * what it is worth if it does not come to its end.
 */
export function converseAbout<T>(
  context: Context,
  whose: Omit<Sender, 'purpose'>,
  account: Account,
  conversation: Conversation<T>,
  failed: (why: string) => T,
): Promise<T> {
  const send = (request: Request) => context.send(request, { ...whose, purpose: 'ask' })
  const carrier = {
    send,
    screen: withoutCard(context.vault),
    token: (tokenRequest: Parameters<typeof tokenOf>[1]) => tokenOf(account, tokenRequest, context.now, send),
    note: async () => false,
  }
  return carry(carrier, conversation, failed)
}
