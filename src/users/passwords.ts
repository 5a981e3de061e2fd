import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { FairLimiter, type Waiter } from '../base/fair-limiter.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import { lengthOf } from '../base/shapes.ts'
import type { Context } from '../context.ts'

// Passwords, hashed with Node's own argon2id (RFC 9106). A hash contains its cost, so the cost can be raised later.

/** The minimum that OWASP recommends for argon2id: 19 MiB, two passes, one lane; about 30 ms. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
const SALT_BYTES = 16
const SHORTEST = 12
export const LONGEST_PASSWORD = 200

/** `address`: the caller's network. `account`: its id, or the address typed. `known`: signed in there, once or now. */
export type HashAsker = { address: string; account: string; known: boolean }

/** The most hashes that wait for one address, for one account, and of strangers in all. */
const SHARE = 12
const MOST_WAITING = 200

/**
 * One hash of strangers at a time, because payments need the threads of the pool, and one of known people, who do not
 * wait for strangers. Within a queue, addresses take turns.
 */
const queues = { known: new FairLimiter(1, SHARE), strangers: new FairLimiter(1, SHARE) } as const
const ofAccount = new Map<string, number>()
let strangers = 0

async function inTurn<T>({ address, account, known }: HashAsker, work: () => Promise<T>): Promise<T> {
  const queue = known ? queues.known : queues.strangers
  const own = ofAccount.get(account) ?? 0
  if (!known && (strangers >= MOST_WAITING || own >= SHARE)) tooMany()
  return new Promise<T>((resolve, reject) => {
    const turn: Waiter = {
      line: known ? account : address,
      merchant: '',
      to: '',
      is: 'new',
      begin: () => void work().then(resolve, reject).finally(end),
    }
    const end = () => {
      if (!known) {
        strangers--
        const left = (ofAccount.get(account) ?? 1) - 1
        if (left === 0) ofAccount.delete(account)
        else ofAccount.set(account, left)
      }
      queue.leave(turn)
    }
    if (!known) {
      strangers++
      ofAccount.set(account, own + 1)
    }
    if (queue.enter(turn)) return
    end()
    reject(new Refusal('unavailable', { problem: TOO_MANY }))
  })
}

const TOO_MANY = 'Too many people are signing in at once'
const tooMany = (): never => refuse('unavailable', { problem: TOO_MANY })

const tagOf = (asker: HashAsker, password: string, nonce: Buffer, { memory, passes, parallelism }: typeof cost): Promise<Buffer> =>
  inTurn(asker, () =>
    promisify(argon2)('argon2id', { message: password.normalize('NFKC'), nonce, memory, passes, parallelism, tagLength: TAG_BYTES }),
  ) as Promise<Buffer>

const bare = (bytes: Buffer): string => bytes.toString('base64').replace(/(?<!=)=+$/, '')

/** Stored as `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(context: Pick<Context, 'random'>, asker: HashAsker, password: string): Promise<string> {
  const nonce = context.random(SALT_BYTES)
  const tag = await tagOf(asker, password, nonce, cost)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${bare(nonce)}$${bare(tag)}`
}

const nobodys = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${bare(Buffer.alloc(SALT_BYTES))}$${bare(Buffer.alloc(TAG_BYTES))}`

/** Takes as long for an account without a password, or that does not exist. */
export async function isPassword(asker: HashAsker, kept: string | null | undefined, password: string): Promise<boolean> {
  const [, m, t, p, salt, tag] = (kept ?? nobodys).match(/^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/)!
  const nonce = Buffer.from(salt!, 'base64')
  const found = await tagOf(asker, password, nonce, { memory: Number(m), passes: Number(t), parallelism: Number(p) })
  return timingSafeEqual(found, Buffer.from(tag!, 'base64')) && kept != null
}

/** Refuses (IR_07) a password that is too short, mostly one character, or little more than the e-mail address. */
export function checkPassword(password: string, email: string | null): void {
  const wrong = (message: string) => refuse('invalid_value', { field: 'password', problem: message })
  if (lengthOf(password) < SHORTEST) wrong(`must have at least ${SHORTEST} characters`)
  if (new Set(password).size < 5) wrong('must have at least 5 different characters')
  if (email !== null && password.toLowerCase().includes(email.split('@')[0]!) && lengthOf(password) < email.split('@')[0]!.length + 6)
    wrong('must be more than the e-mail address')
}
