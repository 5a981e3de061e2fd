import type { Exchanged, Reply, Request, Time } from '../context.ts'
import type { Conversation, Outcome } from './connector.ts'
import type { Grant, KnownCustomer, TokenRequest } from './conversation.ts'
import { referenceOf, type Screen, screened } from './screen.ts'

/** A conversation has no business being longer; one that is runs in circles. */
const LONGEST = { requests: 16, lines: 28 }

/** How what a conversation says is done. */
export type Carrier = {
  send(request: Request): Promise<Reply>
  /**
   * Writes down a reference; resolves when it is durable. False: no more is to be said, because the operation has
   * ended meanwhile.
   */
  note(reference: string): Promise<boolean>
  token(tokenRequest: TokenRequest): Promise<Grant>
  /** The customer who pays; absent where nothing is paid. `called` keeps what the processor calls them. */
  customer?: { known(): Promise<KnownCustomer | null>; called(reference: string): Promise<void> }
  /** Where what is said and heard is taken down; not what asks for a token. */
  listened?: { now(): Time; heard: Exchanged[] } | null
  /** By which what the processor says is screened. */
  screen: Screen
}

/**
 * Carries a verb's conversation and gives its outcome. Never throws: when the connector itself fails, or will not
 * come to an end, the outcome is `unknown` if anything may have reached the processor and `not_sent` otherwise. (A
 * `sync` must therefore not fail before it has asked: the conformance suite holds every connector to that.) A
 * reference that was noted is in every outcome that names none.
 */
export function converse(carrier: Carrier, conversation: Conversation): Promise<Outcome> {
  let noted: string | null = null
  const note = (reference: string) => {
    noted = reference
    return carrier.note(reference)
  }
  return carry({ ...carrier, note }, conversation, amiss).then(outcome => (noted === null ? outcome : named(outcome, noted)))
}

/**
 * The same for a conversation that ends in something else; `failed` says what it is worth when it did not come to its
 * end.
 */
export async function carry<T>(carrier: Carrier, conversation: Conversation<T>, failed: (why: string, spoke: boolean) => T): Promise<T> {
  let spoke = false
  let requests = 0
  const end = (why: string): T => {
    conversation.return(failed(why, spoke))
    return failed(why, spoke)
  }
  try {
    let step = conversation.next()
    for (let lines = 0; !step.done; lines++) {
      if (requests === LONGEST.requests || lines === LONGEST.lines) return end('too many requests for one operation')
      const line = step.value
      if ('note' in line) {
        if (!(await carrier.note(referenceOf(line.note, carrier.screen)))) return end('the operation was completed in the meantime')
        step = conversation.next(undefined as never)
      } else if ('customer' in line) {
        const { customer } = carrier
        if (line.customer === 'called') await customer?.called(referenceOf(line.reference, carrier.screen))
        step = conversation.next((line.customer === 'known' ? ((await customer?.known()) ?? null) : undefined) as never)
      } else if ('fetch' in line) {
        // Who asks for a token has not spoken: it moves no money.
        step = conversation.next((await carrier.token(line)) as never)
      } else {
        const spokeBefore: boolean = spoke
        spoke = true
        requests++
        const { listened } = carrier
        const at = listened?.now()
        const begun = listened ? performance.now() : 0
        const reply: Reply = await carrier.send(line)
        listened?.heard.push({ request: line, reply, at: at!, ms: Math.round(performance.now() - begun) })
        if (reply.is === 'not_sent') spoke = spokeBefore
        step = conversation.next(reply)
      }
    }
    return screened(step.value, carrier.screen)
  } catch {
    return failed('the connector failed', spoke)
  }
}

const amiss = (why: string, spoke: boolean): Outcome => ({ is: spoke ? 'unknown' : 'not_sent', why })

/** The outcome with what was noted, unless it names a reference itself. */
function named(outcome: Outcome, reference: string): Outcome {
  const nameless =
    outcome.is === 'unknown' || outcome.is === 'later' || outcome.is === 'not_sent' || outcome.is === 'declined' || outcome.is === 'waiting'
  return nameless && (outcome.reference ?? null) === null ? { ...outcome, reference } : outcome
}
