// The place where changes are written: first the ledger file, then memory, then the operations that become due by the
// change.

import type { Entry } from './agenda.ts'
import type { Account, Books } from './books.ts'
import { type Context, iso, newId } from './context.ts'
import { changeOf, lapseDispute, needDispute, raisedBy } from './disputes.ts'
import type { Ledger } from './ledger.ts'
import { isPayout, ripenPayout } from './payouts.ts'
import { isUndecided, lapse, ripen, type Turn } from './processor.ts'
import type { Announcement, Change } from './records.ts'
import { Waiting } from './waiting.ts'
import { deliver, furtherEvents, type WebhookSender, webhookMode } from './webhooks.ts'

type Tools = { context: Context; books: Books; ledger: Ledger<Change>; webhookSender: WebhookSender }

export class Desk {
  readonly context: Context
  readonly books: Books
  readonly webhookSender: WebhookSender
  /** Calls that a fault keeps waiting. */
  readonly waiting: Waiting
  /** The base address at which shoppers reach this sandbox. Known once the server listens. */
  url = ''
  readonly #ledger: Ledger<Change>
  readonly #timers = new Map<Account, { due: number; stop: () => void }>()
  readonly #deliveries = new WeakMap<Account, Set<Promise<void>>>()
  #state: 'replayed' | 'open' | 'closed' = 'replayed'
  #ticking = false

  constructor({ context, books, ledger, webhookSender }: Tools) {
    this.context = context
    this.books = books
    this.#ledger = ledger
    this.webhookSender = webhookSender
    this.waiting = new Waiting(context, name => this.now(books.account(name)))
  }

  /** Starts the clock. Entries that became due while the sandbox was not running are carried out now. */
  open(url: string): void {
    this.url = url
    this.#state = 'open'
    for (const account of this.books.accounts.values()) this.#tick(account)
  }

  close(): void {
    this.#state = 'closed'
    for (const { stop } of this.#timers.values()) stop()
    this.waiting.close()
  }

  /** Returns the account as of now: entries that are due have been carried out. */
  account(name: string): Account {
    const account = this.books.account(name)
    this.#tick(account)
    return account
  }

  now(account: Account): number {
    return Math.floor(this.context.now() + account.clock_offset)
  }

  turn(account: Account, ordered: Turn['ordered'] = null): Turn {
    return { at: this.now(account), context: this.context, ordered }
  }

  write(change: Change): void {
    const account = this.books.account(change.account)
    const announced = this.#announce(account, change)
    const whole = announced.length > 0 ? { ...change, announced } : change
    this.#ledger.append(whole)
    this.books.apply(whole)
    // A timer counts real time, so it is set anew when the account's clock is moved.
    if (change.forgotten || change.clock_offset !== undefined) this.#disarm(account)
    if (change.forgotten) {
      this.waiting.forget(account.name)
      return
    }
    this.#tick(account)
    if (change.clock_offset !== undefined) this.waiting.look(account.name)
  }

  /**
   * Resolves when all changes are on the disk. Every answer waits for this, because the data that an answer was read
   * from must be on the disk.
   */
  synced(): Promise<void> {
    return this.#ledger.synced()
  }

  async delivered(account: Account): Promise<void> {
    await Promise.all(this.#deliveries.get(account) ?? [])
  }

  /**
   * Whether the account still exists and the sandbox is open. Otherwise the result of a delivery cannot be recorded.
   */
  keeps(account: Account): boolean {
    return this.#state === 'open' && this.books.accounts.get(account.name) === account
  }

  #announce(account: Account, change: Change): Announcement[] {
    const announced = (change.operations ?? []).filter(operation => !isUndecided(operation) || account.operations.has(operation.id))
    const events = announced.flatMap(operation => {
      const also = furtherEvents(account, operation, change.payment)
      return [{}, ...also].map(more => ({ event: { operation: operation.id, ...more }, fate: operation.webhooks }))
    })
    const news = (change.news ?? []).map(event => ({ event, fate: undefined }))
    return [...events, ...news].flatMap(({ event, fate }) => {
      const mode = webhookMode(account.settings, change.webhooks ?? fate)
      const created_at = iso(this.now(account))
      if (mode === 'off') return []
      return {
        id: newId(this.context, 'evt'),
        ...event,
        created_at,
        held: mode === 'hold',
        ...(mode === 'lose' && { lost: true as const }),
      }
    })
  }

  #tick(account: Account): void {
    if (this.#ticking || this.#state !== 'open') return
    this.#ticking = true
    try {
      for (;;) {
        const entry = account.agenda.takeDue(this.now(account))
        if (entry === null) break
        this.#happen(account, entry)
      }
    } finally {
      this.#ticking = false
    }
    this.#arm(account)
  }

  #happen(account: Account, entry: Entry): void {
    const turn: Turn = { at: entry.due, context: this.context, ordered: null }
    if (entry.what === 'operation') {
      const operation = account.operations.get(entry.id)!
      // Decided operations have no due time any more, except payouts that will be returned.
      if (operation.due_at !== entry.due) return
      const payment = account.payments.get(operation.payment)!
      const effect = (isPayout(payment) ? ripenPayout : ripen)(payment, operation, turn)
      const dispute = raisedBy(account, effect.payment, turn)
      this.write({ account: account.name, ...effect, ...(dispute && changeOf(dispute)) })
    }
    if (entry.what === 'hold') {
      const payment = account.payments.get(entry.id)!
      if (payment.hold_until !== entry.due) return
      this.write({ account: account.name, ...lapse(payment, account.operations.get(payment.id)!, turn) })
    }
    if (entry.what === 'dispute') {
      const dispute = needDispute(account, entry.id)
      if (dispute.due_at !== entry.due || dispute.status !== 'needs_response') return
      this.write({ account: account.name, ...changeOf(lapseDispute(account, dispute, turn)) })
    }
    if (entry.what === 'delivery') {
      const event = account.events.get(entry.id)!
      if (event.next_at !== entry.due) return
      this.#keepDelivery(account, deliver(this, account, event))
    }
  }

  #keepDelivery(account: Account, delivery: Promise<void>): void {
    const deliveries = this.#deliveries.get(account) ?? new Set()
    this.#deliveries.set(account, deliveries.add(delivery))
    void delivery.finally(() => deliveries.delete(delivery))
  }

  #arm(account: Account): void {
    const due = account.agenda.first?.due
    if (due === this.#timers.get(account)?.due) return
    this.#disarm(account)
    if (due === undefined) return
    const wake = () => {
      this.#timers.delete(account)
      this.#tick(account)
    }
    this.#timers.set(account, { due, stop: this.context.after(due - this.now(account), wake) })
  }

  #disarm(account: Account): void {
    this.#timers.get(account)?.stop()
    this.#timers.delete(account)
  }
}
