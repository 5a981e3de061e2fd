// Calls that a fault keeps waiting, by the clock of their account. A test lists them, lets their time pass, or closes
// their connections.

import type { IncomingMessage } from 'node:http'
import { type Context, draw, iso } from './context.ts'
import type { CallName } from './faults.ts'

type Caller = { name: string; call: CallName; request: IncomingMessage }
type Schedule = { times: number; every: number; callback: (time: number) => void }
type Stay = Caller & Schedule & { id: string; rung: number; next: number; until: number; stop: () => void }

export class Waiting {
  readonly #context: Context
  readonly #clockOf: (name: string) => number
  readonly #stays = new Map<string, Stay>()

  constructor(context: Context, clockOf: (name: string) => number) {
    this.#context = context
    this.#clockOf = clockOf
  }

  /**
   * Keeps a call waiting. Calls `callback` a number of times, at intervals in milliseconds of the account's clock.
   * Returns a function that ends the wait.
   */
  keep(caller: Caller, schedule: Schedule): () => void {
    const id = draw(this.#context, 26)
    const now = this.#clockOf(caller.name)
    const stay = {
      ...caller,
      ...schedule,
      id,
      rung: 0,
      next: now + schedule.every,
      until: now + schedule.times * schedule.every,
      stop: () => {},
    }
    this.#stays.set(id, stay)
    this.#arm(stay)
    return () => this.#drop(stay)
  }

  /** Returns the waiting calls of an account whose connections are still open. */
  of(name: string): object[] {
    return [...this.#stays.values()]
      .filter(stay => stay.name === name && !stay.request.socket.destroyed)
      .map(({ id, call, request, until }) => ({
        id,
        call,
        path: request.url,
        idempotency_key: request.headers['idempotency-key'] ?? null,
        until: iso(until),
      }))
  }

  /**
   * Closes the connection of a waiting call; the effect of the call still happens at its time. Returns false if the
   * call is not waiting.
   */
  hangUp(name: string, id: string): boolean {
    const stay = this.#stays.get(id)
    if (stay?.name !== name || stay.request.socket.destroyed) return false
    stay.request.socket.resetAndDestroy()
    return true
  }

  /** Carries out the waiting calls that are due after the account's clock was moved. */
  look(name: string): void {
    for (const stay of this.#stays.values()) if (stay.name === name) this.#ring(stay)
  }

  /** Closes the waiting calls of an account that was deleted, without an answer or an effect. */
  forget(name: string): void {
    for (const stay of this.#stays.values()) {
      if (stay.name !== name) continue
      this.#drop(stay)
      stay.request.socket.destroy()
    }
  }

  close(): void {
    for (const stay of this.#stays.values()) this.#drop(stay)
  }

  #ring(stay: Stay): void {
    const now = this.#clockOf(stay.name)
    while (stay.next <= now && this.#stays.has(stay.id)) {
      stay.rung += 1
      stay.next += stay.every
      if (stay.rung === stay.times) this.#drop(stay)
      stay.callback(stay.rung)
    }
    if (this.#stays.has(stay.id)) this.#arm(stay)
  }

  #arm(stay: Stay): void {
    stay.stop()
    stay.stop = this.#context.after(stay.next - this.#clockOf(stay.name), () => this.#ring(stay))
  }

  #drop(stay: Stay): void {
    stay.stop()
    this.#stays.delete(stay.id)
  }
}
