import { equal, ok } from 'node:assert/strict'
import { Secret } from '../src/base/secret.ts'
import type { Connector, Conversation } from '../src/connectors/connector.ts'
import { converse } from '../src/connectors/converse.ts'
import { unscreened } from '../src/connectors/port.ts'
import type { Reply, Request } from '../src/context.ts'
import fc from './fast-check.ts'

const movesMoney = ({ method }: Request) => method !== 'GET'

/**
 * Verifies the duties of every connector towards the ids that its processor gives, with any answers: an id that was
 * noted is never lost, because every outcome after it has a reference; and where an operation can be queried only by
 * the processor's id of it, this id is noted before a second request could move money.
 */
export async function keepsNames({ accepts }: Connector, begin: () => Conversation, replies: fc.Arbitrary<Reply>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(replies, { minLength: 1, maxLength: 4 }), async received => {
      const notes: string[] = []
      let sent = 0
      const outcome = await converse(
        {
          screen: { digest: () => 'digest', isCard: () => true },
          async send(request) {
            // A 401 proves that the request did nothing: the request after it is not a second one.
            const before = received[Math.min(sent, received.length) - 1]
            const again = before?.is === 'reply' && before.status === 401
            if (accepts.lookup === 'by reference' && movesMoney(request) && sent > 0 && !again)
              ok(notes.length > 0, 'said before it was noted')
            return received[Math.min(++sent, received.length) - 1]!
          },
          async note(reference) {
            notes.push(reference)
            return true
          },
          token: async () => ({ is: 'granted', token: new Secret('token'), expires_in_s: 3600 }),
        },
        unscreened(begin()),
      )
      for (const note of notes) ok(/^[\x21-\x7e]{1,128}$/.test(note), note)
      if (notes.length > 0) equal(typeof ('reference' in outcome && outcome.reference), 'string')
    }),
    { numRuns: 300 },
  )
}
