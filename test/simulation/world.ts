import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { type Dice, openDice } from '../long/dice.ts'

/**
 * The world of a simulation: one clock, one pair of dice, and one list of what is to happen. Everything that waits,
 * waits here, so the world decides what happens next, and the same seed decides the same.
 *
 * Only one thing happens at a time, and the next one only when all promises have come to rest.
 */

/** A process of the simulation. What belongs to it happens only while it lives, and later if it is frozen. */
export type Program = { name: string; isAlive: boolean; isFrozen: boolean; held: Happening[]; clockAhead: number }

type Happening = { at: number; order: number; owner: Program; run(): void; isOff: boolean }

export const openProgram = (name: string): Program => ({ name, isAlive: true, isFrozen: false, held: [], clockAhead: 0 })

/** 2026-01-05T08:00:00Z: where the time of every simulation begins. */
const BEGIN = 1_767_600_000_000

/** A simulation that makes so many steps at one moment turns in a circle. */
const MOST_AT_ONCE = 200_000

/** So long a thread takes to encrypt or to sign. */
const CIPHER_MS = 0.1

const real = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  Date: globalThis.Date,
  hrtime: process.hrtime.bigint,
}

/** Milliseconds of the machine that runs the simulation. */
export const realMilliseconds = (): number => Number(real.hrtime() / 1_000_000n)

/** A promise that nothing of the simulation settles, and the machine's own clock. */
export const reallyWait = (ms: number): Promise<void> => new Promise(done => real.setTimeout(done, ms))

const current = new AsyncLocalStorage<Program>()
const outside = openProgram('the test')

let now = BEGIN
let queue: Happening[] = []
let order = 0
let activity = 0
let immediates = 0
let dice: Dice = openDice('nothing')
let print = 0

/** Puts a happening into the heap. */
function push(happening: Happening): void {
  activity++
  let at = queue.push(happening) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isBefore(happening, queue[parent]!)) break
    queue[at] = queue[parent]!
    at = parent
  }
  queue[at] = happening
}

/** Takes out the first one. */
function pop(): Happening | undefined {
  const first = queue[0]
  const last = queue.pop()
  if (first === undefined || last === first) return first
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= queue.length) break
    if (child + 1 < queue.length && isBefore(queue[child + 1]!, queue[child]!)) child++
    if (!isBefore(queue[child]!, last!)) break
    queue[at] = queue[child]!
    at = child
  }
  queue[at] = last!
  return first
}

const isBefore = (a: Happening, b: Happening): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** Who runs just now. */
export const running = (): Program => current.getStore() ?? outside

/** Does something as this process. */
export const as = <T>(program: Program, work: () => T): T => current.run(program, work)

/** Milliseconds since the simulation began. */
export const elapsed = (): number => now - BEGIN

/** The dice of everything that has none of its own. */
export const worldDice = (): Dice => dice

/** Lets something happen later, to a process; gives what calls it off. */
export function later(ms: number, owner: Program, run: () => void): { isOff: boolean } {
  const happening: Happening = { at: now + Math.max(ms, 0), order: order++, owner, run, isOff: false }
  push(happening)
  return happening
}

/** What was held back while a process was frozen happens now, in its order. */
export function thaw(program: Program): void {
  program.isFrozen = false
  for (const happening of program.held.splice(0)) {
    happening.at = now
    happening.order = order++
    push(happening)
  }
}

/** Requests to the file system that are under way: they take real time, and are waited for. */
const isAtTheDisk = (): boolean => process.getActiveResourcesInfo().some(name => /Req/.test(name))

/** What is being done by the system at this moment, for the happening that takes place. */
let working = 0

/**
 * Work of the system (its threads, its disk): it is begun when its time in the world has come, and nothing else
 * happens before it is done.
 */
export function bySystem<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const owner = running()
  return new Promise((resolve, reject) => {
    later(ms, owner, () => {
      working++
      void work()
        .then(resolve, reject)
        .finally(() => {
          working--
          activity++
        })
    })
  })
}

/** Waits until nothing goes on but what waits for the world. */
async function calm(): Promise<void> {
  let seen: number
  do {
    seen = activity
    await new Promise(done => real.setImmediate(done))
  } while (seen !== activity || immediates > 0 || working > 0 || isAtTheDisk())
}

/** Notes what happened, so that two runs can be compared. */
export function mark(words: string): void {
  for (let i = 0; i < words.length; i++) print = (Math.imul(print, 31) + words.charCodeAt(i)) | 0
}

/** What happened so far, as one number: two runs of a seed have the same. */
export const fingerprint = (): string => (print >>> 0).toString(16).padStart(8, '0')

/** Begins anew, from a seed. */
export function beginWorld(seed: string): void {
  ;[now, queue, order, print, immediates] = [BEGIN, [], 0, 0, 0]
  dice = openDice('world', seed)
  bytes = openDice('bytes', seed)
}

/**
 * An error that no code of a program hears ends that program, as it ends a process. `ended`: told of it.
 */
export function endWhoThrows(ended: (program: Program, error: unknown) => void): void {
  const hear = (error: unknown) => {
    activity++
    ended(running(), error)
  }
  process.on('uncaughtException', hear).on('unhandledRejection', hear)
}

/** Makes things happen until the work is done. Throws what it throws, and if nothing is left to happen. */
export async function drive<T>(work: () => Promise<T>): Promise<T> {
  let ended: { value: T } | { error: unknown } | null = null
  work().then(
    value => (ended = { value }),
    error => (ended = { error }),
  )
  let steps = 0
  let moment = now
  for (;;) {
    await calm()
    if (ended) break
    const next = pop()
    if (!next) throw new Error('the simulation stands still: somebody waits for what will never happen')
    if (next.isOff || !next.owner.isAlive) continue
    if (next.owner.isFrozen) {
      next.owner.held.push(next)
      continue
    }
    if (next.at > now) now = next.at
    steps = moment === now ? steps + 1 : 0
    moment = now
    if (steps > MOST_AT_ONCE) throw new Error('the simulation turns in a circle: time does not pass any more')
    mark(`${Math.round((now - BEGIN) * 1000)} ${next.owner.name}`)
    current.run(next.owner, next.run)
  }
  const end = ended as { value: T } | { error: unknown }
  if ('error' in end) throw end.error
  return end.value
}

/** Milliseconds since 1970 as a process sees them: its clock may be wrong. */
const hostTime = (): number => Math.floor(now + running().clockAhead)

class SimulatedDate extends real.Date {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(hostTime())
    else super(...(given as unknown as [number]))
  }
  static override now(): number {
    return hostTime()
  }
}

type Callback = (...args: unknown[]) => void

/** A timer of the world, with what users of Node's own ask of one. */
class Timer {
  #happening: { isOff: boolean } | null = null
  readonly #owner = running()
  readonly #ring: () => void
  readonly #ms: number
  constructor(ring: () => void, ms: number | undefined) {
    this.#ring = ring
    // As Node has it: what is no number of milliseconds is one.
    this.#ms = ms !== undefined && ms >= 1 && ms <= 2 ** 31 - 1 ? ms : 1
    this.refresh()
  }
  refresh(): this {
    this.close()
    this.#happening = later(this.#ms, this.#owner, () => {
      this.#happening = null
      this.#ring()
    })
    return this
  }
  close(): this {
    if (this.#happening) this.#happening.isOff = true
    this.#happening = null
    return this
  }
  ref = (): this => this
  unref = (): this => this
  hasRef = (): boolean => this.#happening !== null;
  [Symbol.toPrimitive] = (): number => 0;
  [Symbol.dispose] = (): void => void this.close()
}

const setTimeout = (run: Callback, ms?: number, ...args: unknown[]): Timer => new Timer(() => run(...args), ms)

function setInterval(run: Callback, ms?: number, ...args: unknown[]): Timer {
  const timer: Timer = new Timer(() => {
    timer.refresh()
    run(...args)
  }, ms)
  return timer
}

const clear = (timer: unknown): void => void (timer instanceof Timer && timer.close())

/** Counted, so that the world does not go on before it has run. */
function setImmediate(run: Callback, ...args: unknown[]): NodeJS.Immediate {
  immediates++
  const program = running()
  return real.setImmediate(() => {
    immediates--
    activity++
    if (program.isAlive) run(...args)
  })
}

const aborted = (signal: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' })

const pause = <T>(ms?: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal))
    const timer = setTimeout(() => resolve(value), ms)
    signal?.addEventListener('abort', () => {
      timer.close()
      reject(aborted(signal))
    })
  })

/** The dice behind ids, keys and nonces. */
let bytes: Dice = openDice('bytes')

function fill<T extends ArrayBufferView>(into: T): T {
  const view = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
  for (let i = 0; i < view.length; i++) view[i] = bytes.next() * 256
  return into
}

function randomBytes(size: number, done?: (error: null, bytes: Buffer) => void): Buffer | undefined {
  const made = fill(Buffer.alloc(size))
  if (!done) return made
  setImmediate(() => done(null, made))
  return undefined
}

function randomUUID(): string {
  const hex = randomBytes(16)!
  hex[6] = (hex[6]! & 0x0f) | 0x40
  hex[8] = (hex[8]! & 0x3f) | 0x80
  return hex.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * Puts the world in the place of Node's clocks, timers and dice, for all modules that are loaded from now on. There
 * is no way back: a simulation is a process of its own.
 */
export function replaceTheWorld(): void {
  const need = createRequire(import.meta.url)
  const modules = { timers: need('node:timers'), promises: need('node:timers/promises'), crypto: need('node:crypto') }
  const timers = { setTimeout, setInterval, setImmediate, clearTimeout: clear, clearInterval: clear }
  // Promisified, Node's own would keep their own time.
  for (const one of [setTimeout, setImmediate]) Object.defineProperty(one, Symbol.for('nodejs.util.promisify.custom'), { value: pause })
  Object.assign(globalThis, timers, { Date: SimulatedDate })
  Object.assign(modules.timers, timers)
  Object.assign(modules.promises, { setTimeout: pause, setImmediate: (value: unknown) => pause(0, value) })
  Object.assign(modules.crypto, {
    randomBytes,
    randomUUID,
    randomFillSync: fill,
    randomInt: (most: number) => Math.floor(bytes.next() * most),
  })
  Object.assign(process, { hrtime: Object.assign(hrtime, { bigint: () => BigInt(Math.round(elapsed() * 1e6)) }) })
  performance.now = elapsed
  replaceTheCiphers()
  Math.random = () => bytes.next()
  syncBuiltinESMExports()
}

/** Threads that encrypt and sign are done when the world says so. */
function replaceTheCiphers(): void {
  type Work = (...args: unknown[]) => Promise<unknown>
  const prototype = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string, Work>
  for (const name of [
    'decrypt',
    'deriveBits',
    'digest',
    'encrypt',
    'exportKey',
    'generateKey',
    'importKey',
    'sign',
    'verify',
    'wrapKey',
    'unwrapKey',
    'deriveKey',
  ]) {
    const does = prototype[name]!
    prototype[name] = function (...args) {
      return bySystem(CIPHER_MS, () => does.apply(this, args))
    }
  }
}

function hrtime(since: [number, number] = [0, 0]): [number, number] {
  const nanoseconds = Math.round(elapsed() * 1e6) - (since[0] * 1e9 + since[1])
  return [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9]
}
