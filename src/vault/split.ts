import { newId } from '../base/id.ts'
import { Misconfigured } from '../base/misconfigured.ts'
import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, Numbers, Reply, Time, Vault } from '../context.ts'
import { DatabaseAway } from '../database/connection.ts'
import { forgetOrphan, noteOrphan } from './orphans.ts'
import { prefixOf, REFERENCE } from './sealed.ts'
import { type Identity, openSealedMessages } from './sealed-messages.ts'

/** `record`: the row's name and a new handle; `until`: the time after which the record must not be kept. */
export type Question = { does: 'keep' | 'read' | 'forget'; merchant_id: string; record: string; clear?: string; until?: Time }
export type VaultReply = { is: 'done'; clear?: string } | { is: 'gone' }

/** As without the database, no work can begin, and the caller may try again. */
export class VaultAway extends DatabaseAway {}

const HANDLE = 16
const PREFIX = prefixOf(REFERENCE, 'vault')
/** Longer than any request lasts: by then the row with the reference to a number is written, or never will be. */
const WRITTEN_BY_MS = 3_600_000

const whyNot = (reply: Reply): string =>
  reply.is !== 'reply' ? reply.why : reply.status === 200 ? 'its answer cannot be read, or is too old' : `HTTP status ${reply.status}`

const isReference = (kept: Buffer): boolean => kept[0] === REFERENCE
const nameOf = (record: string, kept: Buffer): string => `${record} ${kept.subarray(PREFIX.length).toString('hex')}`

type Edges = Pick<Context, 'query' | 'now' | 'random' | 'send'>

export type SplitVault = Numbers & {
  forgetOrphan(orphan: { merchant_id: string; record: string }): Promise<void>
  /** Refuses (`Misconfigured`) a vault process that answers, and does not recognize this service. */
  check(): Promise<void>
}

/** Without another process; a reference is refused, because no process exists that could resolve it. */
export const numbersHere = (vault: Vault): Numbers => ({
  keep: (merchant_id, record, clear) => vault.seal(merchant_id, record, clear),
  read(merchant_id, record, kept) {
    if (isReference(kept)) throw new VaultAway('this card number is stored by the vault process: set VAULT_URL')
    return vault.open(merchant_id, record, kept)
  },
})

/** Our rows contain references to its records. Numbers sealed here before the vault was split are still opened here. */
export async function openSplitVault(
  context: Edges,
  vault: Vault,
  { url, identity }: { url: string; identity: Identity },
): Promise<SplitVault> {
  const messages = await openSealedMessages(identity, () => Date.parse(context.now()))

  /** Null: it is none of the vault's, or so late that it could be a copy. */
  const answerIn = (body: string) => messages.read<VaultReply>(body).catch(() => null)

  async function send(question: Question, id: string): Promise<Reply> {
    const request = { method: 'POST' as const, url: `${url}/`, headers: { 'content-type': 'application/jose' } }
    const sender = { merchant_id: question.merchant_id, merchant_connector_id: 'vault', purpose: 'move' as const }
    return context.send({ ...request, body: await messages.write({ ...question, id }) }, sender)
  }

  async function ask(question: Question): Promise<VaultReply> {
    const id = newId(context, 'ask_')
    // Each request may be sent twice, because a kept-alive connection that was just closed is no outage.
    for (let again = true; ; again = false) {
      const reply = await send(question, id)
      const answer = reply.is === 'reply' && reply.status === 200 ? await answerIn(reply.body) : null
      if (answer?.id === id) return answer
      if (!again) throw new VaultAway(`the vault cannot be reached: ${whyNot(reply)}`)
    }
  }

  return {
    async check() {
      const reply = await send({ does: 'read', merchant_id: '', record: 'check' }, newId(context, 'ask_'))
      // A vault process that is away may come back, or still start.
      if (reply.is !== 'reply' || reply.status >= 500) return
      if (reply.status !== 200 || (await answerIn(reply.body)) === null)
        throw new Misconfigured(
          `VAULT_IDENTITY is not the other side of the identity of the vault process at ${url}, or the clocks of the two machines differ by more than a minute. Set the two files that one \`npm run vault -- --identities FOLDER\` has made.`,
        )
    },
    async keep(merchant_id, record, clear, until) {
      const kept = Buffer.concat([PREFIX, context.random(HANDLE)])
      const name = nameOf(record, kept)
      await context.query(noteOrphan, [merchant_id, name, later(context.now(), WRITTEN_BY_MS)])
      await ask({ does: 'keep', merchant_id, record: name, clear, ...(until !== undefined && { until }) })
      return kept
    },
    async read(merchant_id, record, kept) {
      if (!isReference(kept)) return vault.open(merchant_id, record, kept)
      const answer = await ask({ does: 'read', merchant_id, record: nameOf(record, kept) })
      // The record was deleted during the request: the next request finds no row.
      return answer.is === 'done' ? answer.clear! : refuse('busy')
    },
    forgetOrphan: orphan =>
      forgetOrphan(context, orphan, {
        referenceOf(record) {
          const at = record.lastIndexOf(' ')
          return { row: record.slice(0, at), kept: Buffer.concat([PREFIX, Buffer.from(record.slice(at + 1), 'hex')]) }
        },
        forget: async (merchant_id, record) => void (await ask({ does: 'forget', merchant_id, record })),
      }),
  }
}
