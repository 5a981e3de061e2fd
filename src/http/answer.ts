import type { Result } from './endpoint.ts'
import type { HttpExchange } from './http-exchange.ts'
import { claimKey, findMerchant, openObject, prepareCall, prepareContext, relocate, run } from './operation-steps.ts'
import { cutShort } from './request-lifetime.ts'
import {
  applyProfileHeader,
  authenticateCaller,
  authorizeCaller,
  checkIds,
  checkShapes,
  identifyCaller,
  readRequest,
} from './request-steps.ts'
import { type Answer, send } from './send.ts'

type Ended = Result | null | undefined
// biome-ignore lint/suspicious/noConfusingVoidType: most steps return nothing
type Step = (exchange: HttpExchange) => Ended | void | Promise<Ended | void>

/** A step that returns a result ends the way; a refusal throws. Callers experience the order: hence the reasons. */
const steps: readonly Step[] = [
  // First: no object has such an id, and the value must not get into a row or a query.
  checkIds,
  // Before anything else is read: a caller without a key learns nothing of the shapes, and costs no work.
  authenticateCaller,
  readRequest,
  // After the body is read, because a browser's client_secret may be in it.
  identifyCaller,
  // Before the shapes are checked, because the header X-Profile-Id stands for the body's `profile_id`.
  applyProfileHeader,
  checkShapes,
  // After the shapes, because it reads the ids in query and body; before anything is written or shown.
  authorizeCaller,
  prepareContext,
  findMerchant,
  // Before any row of the merchant is read: its rows may be in another deployment.
  relocate,
  // Before the operation runs or its stored answer is returned: the client_secret must be that of the object.
  openObject,
  prepareCall,
  // Last before the operation, because the digest is of the request as the operation gets it.
  claimKey,
  run,
]

/** Does not return the reply: Fastify would keep all memory of the request until the last byte is sent. */
export async function answer(exchange: HttpExchange): Promise<Answer> {
  for (const step of steps) {
    const ended = step(exchange)
    // Most steps are done at once, and a payment does not wait for them.
    const result = ended instanceof Promise ? await ended : ended
    if (result) return send(exchange.reply, result)
  }
  return undefined
}

/** For a caller who has waited long enough: the object begun. Refuses if nothing was begun. */
export const answerLate = (exchange: HttpExchange): Answer => send(exchange.reply, cutShort(exchange))
