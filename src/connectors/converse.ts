import type { Reply, Request } from '../world.ts'
import type { Conversation, Outcome } from './connector.ts'

/** A conversation has no business being longer; one that is runs in circles. */
const LONGEST = 6

/**
 * Carries a conversation over `send` and gives its outcome. Never throws: when the connector itself fails, or will not come to an end, the outcome is
 * `unknown` if anything may have reached the processor and `not_sent` otherwise. (A `sync` must therefore not fail before it has asked: the manners suite
 * holds every connector to that.)
 */
export async function converse(send: (request: Request) => Promise<Reply>, conversation: Conversation): Promise<Outcome> {
  let spoke = false
  try {
    let step = conversation.next()
    for (let n = 0; !step.done; n++) {
      if (n === LONGEST) {
        conversation.return({ is: 'unknown', why: 'cut off' })
        return amiss('the conversation would not end', spoke)
      }
      const spokeBefore: boolean = spoke
      spoke = true
      const reply: Reply = await send(step.value)
      if (reply.is === 'not_sent') spoke = spokeBefore
      step = conversation.next(reply)
    }
    return step.value
  } catch {
    return amiss('the connector failed', spoke)
  }
}

const amiss = (why: string, spoke: boolean): Outcome => ({ is: spoke ? 'unknown' : 'not_sent', why })
