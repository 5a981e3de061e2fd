import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { type Dice, openDice } from '../long/dice.ts'

/**
 * The world of a simulation: one clock, one random generator (the dice), and one queue of happenings. All code that
 * waits for time waits for this queue, so the world decides the order, and the same seed gives the same order.
 *
 * One happening runs at a time. The next happening runs only when no promise has work left.
 */

/** A process of the simulation. Its happenings run only while it is alive; while it is frozen, they are held back. */
export type Program = { name: string; isAlive: boolean; isFrozen: boolean; held: Happening[]; clockAhead: number }

type Happening = { at: number; order: number; owner: Program; run(): void; isOff: boolean }

export const openProgram = (name: string): Program => ({ name, isAlive: true, isFrozen: false, held: [], clockAhead: 0 })

/** 2026-01-05T08:00:00Z, at which the clock of every simulation begins. */
const BEGIN = 1_767_600_000_000

/** The number of steps at one moment from which a simulation counts as an endless loop. */
const MOST_AT_ONCE = 200_000

/**
 * The time after which a simulation counts as one that does not end. Storms and their last answers take ten minutes.
 */
const LONGEST_MS = 15 * 60_000

/** The time that encrypting or signing takes. */
const CIPHER_MS = 0.1

const real = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  Date: globalThis.Date,
  hrtime: process.hrtime.bigint,
}

/** Returns the milliseconds of the real machine's clock. */
export const realMilliseconds = (): number => Number(real.hrtime() / 1_000_000n)

const current = new AsyncLocalStorage<Program>()
const outside = openProgram('the test')

let now = BEGIN
let queue: Happening[] = []
let order = 0
let activity = 0
let immediates = 0
let dice: Dice = openDice('nothing')
let print = 0

/** Adds a happening to the heap. */
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

/** Removes the first happening from the heap and returns it. */
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

/** Returns the program that runs now. */
export const running = (): Program => current.getStore() ?? outside

/** Runs `work` as this program. */
export const as = <T>(program: Program, work: () => T): T => current.run(program, work)

/** Returns the milliseconds since the simulation began. */
export const elapsed = (): number => now - BEGIN

/** Returns the dice of all code that has no dice of its own. */
export const worldDice = (): Dice => dice

/** Schedules a happening of a program after so many milliseconds. The caller cancels the happening by its `isOff`. */
export function later(ms: number, owner: Program, run: () => void): { isOff: boolean } {
  const happening: Happening = { at: now + Math.max(ms, 0), order: order++, owner, run, isOff: false }
  push(happening)
  return happening
}

/** Thaws a program: the happenings that were held back while it was frozen run now, in their order. */
export function thaw(program: Program): void {
  program.isFrozen = false
  for (const happening of program.held.splice(0)) {
    happening.at = now
    happening.order = order++
    push(happening)
  }
}

/** Whether requests to the file system are under way. They take real time, and the world waits for them. */
const isAtTheDisk = (): boolean => process.getActiveResourcesInfo().some(name => /Req/.test(name))

/** The number of `bySystem` operations under way. */
let working = 0

/**
 * Runs work of the operating system (its threads, its disk) after so many milliseconds of the world's time. No other
 * happening runs until the work is done.
 */
function bySystem<T>(ms: number, work: () => Promise<T>): Promise<T> {
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

/** Waits until all code that still runs waits for the world's queue. */
async function calm(): Promise<void> {
  let seen: number
  do {
    seen = activity
    await new Promise(done => real.setImmediate(done))
  } while (seen !== activity || immediates > 0 || working > 0 || isAtTheDisk())
}

/** Adds a text to the fingerprint, by which two runs are compared. */
export function mark(text: string): void {
  for (let i = 0; i < text.length; i++) print = (Math.imul(print, 31) + text.charCodeAt(i)) | 0
}

/** Returns a hash of everything that has happened so far. Two runs of one seed have the same fingerprint. */
export const fingerprint = (): string => (print >>> 0).toString(16).padStart(8, '0')

/** Resets the world, with the dice of this seed. */
export function beginWorld(seed: string): void {
  ;[now, queue, order, print, immediates] = [BEGIN, [], 0, 0, 0]
  dice = openDice('world', seed)
  bytes = openDice('bytes', seed)
}

/**
 * Makes an error that a program does not catch end that program, as it would end a process. `ended` is called with the
 * program and the error.
 */
export function endWhoThrows(ended: (program: Program, error: unknown) => void): void {
  const onError = (error: unknown) => {
    activity++
    ended(running(), error)
  }
  process.on('uncaughtException', onError).on('unhandledRejection', onError)
}

/** Runs happenings until `work` is done. Throws the error of `work`, and throws if no happening is left to run. */
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
    if (elapsed() > LONGEST_MS) throw new Error('the simulation does not end: a disruption or a client waits forever')
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

/** Returns the milliseconds since 1970 by the clock of the running program's host, which may be wrong. */
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

/** A timer in the world's time, with the methods of Node's timers that are used. */
class Timer {
  #happening: { isOff: boolean } | null = null
  readonly #owner = running()
  readonly #ring: () => void
  readonly #ms: number
  constructor(callback: () => void, ms: number | undefined) {
    this.#ring = callback
    // As in Node: an invalid number of milliseconds counts as 1.
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

/** Calls `run` as soon as possible. Pending calls are counted, so that the world waits for them. */
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

/** The dice from which ids, keys and nonces are drawn. */
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
 * Replaces Node's clocks, timers and random generators by those of the world, for all modules that are loaded from now
 * on. The replacement cannot be undone: a simulation is a process of its own.
 */
export function replaceRuntime(): void {
  const need = createRequire(import.meta.url)
  const modules = { timers: need('node:timers'), promises: need('node:timers/promises'), crypto: need('node:crypto') }
  const timers = { setTimeout, setInterval, setImmediate, clearTimeout: clear, clearInterval: clear }
  // Without this, the promisified forms of these functions would be Node's and keep real time.
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

/** Makes encrypting and signing, which run in threads, end at a time that the world decides. */
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
