import assert from 'node:assert/strict'
import { unwrapped } from '../../src/connectors/all.ts'
import type { Connector, Conversation, Outcome, Verb } from '../../src/connectors/connector.ts'
import type { Reply, Request } from '../../src/context.ts'
import { replied } from '../rehearse.ts'
import { arbitraryReply, type Carried, carryBy } from './carry.ts'
import type { Specimen } from './specimen.ts'
import { accountOf, madeKnown, paidWith, verbs, waysOf, withoutNumber } from './verbs.ts'

/** Returns a connector's specimen, from the file of the connector's name; undefined if the file does not exist. */
const specimenOf = async (name: string): Promise<Specimen | undefined> =>
  import(`./specimens/${name}.ts`).then(
    ({ specimen }: { specimen: Specimen }) => specimen,
    () => undefined,
  )

const specimens = await Promise.all(
  Object.entries(unwrapped).map(async ([name, connector]) => ({ name, connector, specimen: await specimenOf(name) })),
)

/** Calls `define` with every connector. Connectors that are only another name for one of these behave the same. */
export function ofEveryConnector(define: (one: Subject) => void): void {
  for (const { name, connector, specimen } of specimens) {
    assert.ok(specimen, `${name} has no specimen (test/conformance/specimens/${name}.ts)`)
    define(subjectOf(name, connector, specimen))
  }
}

export type Subject = ReturnType<typeof subjectOf>

function subjectOf(name: string, connector: Connector, specimen: Specimen) {
  const account = accountOf(connector, specimen)
  if (specimen.ways) waysOf.set(name, specimen.ways)
  const movesMoney = ({ method, url, body }: Request) =>
    method !== 'GET' && !specimen.harmless?.test(url) && !(body !== undefined && specimen.harmlessBody?.test(body))
  const carry = <T = Outcome>(conversation: Conversation<T>, ...replies: Reply[]): Carried<T> =>
    carryBy<T>(movesMoney, conversation, replies)
  /** Returns the good answers to the requests that a verb sends before the request that moves money. */
  const beforeOf = (verb: Verb, begin: () => Conversation): readonly object[] => {
    if (paidWith.get(begin)?.is === 'stored_card' && !specimen.alwaysFirst) return specimen.codeMadeKnown ?? []
    return withoutNumber.has(begin) && !madeKnown.has(begin) && !specimen.alwaysFirst ? [] : (specimen.before?.[verb] ?? [])
  }
  const answered = (verb: Verb, begin: () => Conversation, ...replies: Reply[]) =>
    carry(begin(), ...beforeOf(verb, begin).map(body => replied(200, body)), ...replies)
  const isReceived = (verb: Verb) => specimen.received?.verbs.includes(verb) ?? false
  const statusOf = (verb: Verb) => (isReceived(verb) ? specimen.received!.status : 200)
  const good = (verb: Verb) => replied(statusOf(verb), specimen.answers[verb])
  /** Returns the number of different requests that moved money. A verb may repeat only the same request and key. */
  const differ = (moved: Request[]) => new Set(moved.map(request => JSON.stringify(request))).size
  const everyVerb = verbs(connector, account)
  /**
   * Whether the outcome is that of an operation without a processor's id. Where the id is noted before money moves,
   * such an operation has moved no money, and the processor need not be queried.
   */
  const isNameless = (requests: Request[], { is }: Outcome) =>
    connector.accepts.lookup === 'by reference' && requests.length === 0 && is === 'not_found'
  /** Returns the idempotency key of a request, from the header or the body. */
  const keyOf = ({ headers, body = '' }: Request) =>
    specimen.keyIn ? specimen.keyIn.exec(body)?.[1] : headers[specimen.keyHeader ?? 'idempotency-key']
  const anyReply = arbitraryReply(specimen)
  return {
    name,
    connector,
    specimen,
    account,
    movesMoney,
    carry,
    beforeOf,
    answered,
    isReceived,
    statusOf,
    good,
    differ,
    everyVerb,
    isNameless,
    keyOf,
    anyReply,
  }
}
