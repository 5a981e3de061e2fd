import type { Exchanged, Reply, Request, Time } from '../context.ts'
import type { Outcome } from './connector.ts'
import type { Grant, KnownCustomer, TokenRequest } from './conversation.ts'
import type { PortConversation } from './port.ts'
import { type Screen, screenedId, Unscreened } from './redaction/card-numbers.ts'

/** The limits of a conversation. A longer conversation is in an endless loop. */
const LONGEST = { requests: 16, lines: 28 }

export type Carrier = {
  send(request: Request): Promise<Reply>
  /** Resolves when the reference is durable. False: the operation has ended meanwhile. */
  note(reference: string): Promise<boolean>
  token(tokenRequest: TokenRequest): Promise<Grant>
  /** Absent if nothing is paid. `called` stores the processor's id of the customer. */
  customer?: { known(): Promise<KnownCustomer | null>; called(reference: string): Promise<void> }
  /** All requests and replies, except for access tokens; absent or null if no record is kept. */
  listened?: { now(): Time; exchanges: Exchanged[] } | null
  screen: Screen
}

/**
 * Runs a verb's conversation. Never throws: if the connector itself fails or does not end, the outcome is `unknown` if
 * anything may have reached the processor, `not_sent` otherwise. (So no `sync` may fail before it has sent a request,
 * as the conformance suite checks.) An outcome without a reference gets the noted one.
 */
export function converse(carrier: Carrier, conversation: PortConversation): Promise<Outcome> {
  let noted: string | null = null
  const note = (reference: string) => {
    noted = reference
    return carrier.note(reference)
  }
  return carry({ ...carrier, note }, conversation, amiss).then(outcome => (noted === null ? outcome : named(outcome, noted)))
}

/** `failed`: the result of a conversation that does not come to its end; `spoke`: something may have been sent. */
export async function carry<T>(
  carrier: Carrier,
  conversation: PortConversation<T>,
  failed: (why: string, spoke: boolean) => T,
): Promise<T> {
  let spoke = false
  let requests = 0
  const end = (why: string): T => {
    conversation.return(new Unscreened(failed(why, spoke)))
    return failed(why, spoke)
  }
  try {
    let step = conversation.next()
    for (let lines = 0; !step.done; lines++) {
      if (requests === LONGEST.requests || lines === LONGEST.lines) return end('too many requests for one operation')
      const line = step.value
      if ('note' in line) {
        if (!(await carrier.note(screenedId(line.note, carrier.screen)))) return end('the operation was completed in the meantime')
        step = conversation.next(undefined as never)
      } else if ('customer' in line) {
        const { customer } = carrier
        if (line.customer === 'called') await customer?.called(screenedId(line.reference, carrier.screen))
        step = conversation.next((line.customer === 'known' ? ((await customer?.known()) ?? null) : undefined) as never)
      } else if ('fetch' in line) {
        // A request for a token does not count as sent: it moves no money.
        step = conversation.next((await carrier.token(line)) as never)
      } else {
        const spokeBefore: boolean = spoke
        spoke = true
        requests++
        const { listened } = carrier
        const at = listened?.now()
        const begun = listened ? performance.now() : 0
        const reply: Reply = await carrier.send(line)
        listened?.exchanges.push({ request: line, reply, at: at!, ms: Math.round(performance.now() - begun) })
        if (reply.is === 'not_sent') spoke = spokeBefore
        step = conversation.next(reply)
      }
    }
    return step.value.screened(carrier.screen)
  } catch {
    return failed('the connector failed', spoke)
  }
}

const amiss = (why: string, spoke: boolean): Outcome => ({ is: spoke ? 'unknown' : 'not_sent', why })

function named(outcome: Outcome, reference: string): Outcome {
  const nameless =
    outcome.is === 'unknown' || outcome.is === 'later' || outcome.is === 'not_sent' || outcome.is === 'declined' || outcome.is === 'waiting'
  return nameless && (outcome.reference ?? null) === null ? { ...outcome, reference } : outcome
}
