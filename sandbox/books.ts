// All accounts in memory, as the ledger file records them. Only `apply` changes them, live and at replay alike.

import { Agenda } from './agenda.ts'
import type { Queued } from './faults.ts'
import type { Announcement, Change, Dispute, Document, KeptAnswer, Operation, Payment, Settings } from './records.ts'

export type Event = Pick<Announcement, 'type' | 'document' | 'lost'> & {
  id: string
  created_at: string
  /** The operation as it stood when it was announced; operations are never changed in place. */
  operation: Operation
  held: boolean
  rounds: number
  attempts: number
  delivered: boolean
  next_at: number | null
}

export type Account = {
  name: string
  settings: Settings
  clock_offset: number
  faults: Queued[]
  payments: Map<string, Payment>
  operations: Map<string, Operation>
  references: Map<string, string>
  keys: Map<string, { fingerprint: string; operation: string; answer?: KeptAnswer }>
  documents: Map<string, Document>
  /** The ids that dialects give to payments, each with the ledger's payment id. */
  names: Map<string, string>
  sends: Map<string, number>
  events: Map<string, Event>
  agenda: Agenda
}

export class Books {
  readonly accounts = new Map<string, Account>()
  /** The account and operation of each challenge token, because a shopper sends no key. */
  readonly challenges = new Map<string, { account: string; operation: string }>()

  /** The account of each authentication id, because a shopper sends no key. */
  readonly authentications = new Map<string, string>()

  account(name: string): Account {
    const known = this.accounts.get(name)
    if (known !== undefined) return known
    const account = openAccount(name)
    this.accounts.set(name, account)
    return account
  }

  apply(change: Change): void {
    if (change.forgotten) {
      this.#forget(change.account)
      return
    }
    const account = this.account(change.account)
    if (change.settings !== undefined) account.settings = change.settings
    if (change.clock_offset !== undefined) account.clock_offset = change.clock_offset
    if (change.faults !== undefined) account.faults = change.faults
    if (change.sent !== undefined) account.sends.set(change.sent, (account.sends.get(change.sent) ?? 0) + 1)
    if (change.payment !== undefined) applyPayment(account, change.payment)
    for (const operation of change.operations ?? []) this.#applyOperation(account, operation)
    for (const document of change.documents ?? []) {
      applyDocument(account, document)
      if (document.object === 'authentication') this.authentications.set(document.id, account.name)
    }
    if (change.key !== undefined && (change.key.answer || !account.keys.has(change.key.key))) {
      const { key, ...kept } = change.key
      account.keys.set(key, kept)
    }
    applyEvents(account, change)
  }

  #applyOperation(account: Account, operation: Operation): void {
    account.operations.set(operation.id, operation)
    // Under the fault `ignore_idempotency`, several operations have one reference, which names the first of them.
    if (!account.references.has(operation.reference)) account.references.set(operation.reference, operation.id)
    if (operation.due_at !== null) account.agenda.add({ due: operation.due_at, what: 'operation', id: operation.id })
    if (operation.challenge !== null) {
      this.challenges.set(operation.challenge.token, { account: account.name, operation: operation.id })
    }
  }

  #forget(name: string): void {
    for (const { challenge } of this.accounts.get(name)?.operations.values() ?? []) {
      if (challenge !== null) this.challenges.delete(challenge.token)
    }
    for (const id of this.accounts.get(name)?.documents.keys() ?? []) this.authentications.delete(id)
    this.accounts.delete(name)
  }
}

function applyPayment(account: Account, payment: Payment): void {
  const before = account.payments.get(payment.id)
  account.payments.set(payment.id, payment)
  if (payment.document !== undefined && !before) account.names.set(payment.document, payment.id)
  if (payment.hold_until !== null && payment.hold_until !== before?.hold_until) {
    account.agenda.add({ due: payment.hold_until, what: 'hold', id: payment.id })
  }
}

function applyDocument(account: Account, document: Document): void {
  account.documents.set(document.id, document)
  if (document.object !== 'dispute') return
  const { id, status, due_at } = document as Dispute
  if (status === 'needs_response') account.agenda.add({ due: due_at, what: 'dispute', id })
}

function applyEvents(account: Account, change: Change): void {
  for (const { id, operation, created_at, held, lost, type, document } of change.announced ?? []) {
    const stored = account.operations.get(operation)!
    account.events.set(id, {
      id,
      created_at,
      operation: stored,
      held,
      rounds: 0,
      attempts: 0,
      delivered: false,
      next_at: null,
      ...(lost && { lost }),
      ...(type !== undefined && { type }),
      ...(document !== undefined && { document }),
    })
    if (!held && !lost) promise(account, id, Date.parse(created_at))
  }
  const delivery = change.delivery
  const event = delivery && account.events.get(delivery.event)
  if (!delivery || !event) return
  event.held = false
  event.rounds = delivery.rounds
  event.attempts = delivery.attempts
  event.delivered = delivery.delivered
  event.next_at = null
  if (delivery.next_at !== null) promise(account, event.id, delivery.next_at)
}

function promise(account: Account, event: string, at: number): void {
  account.events.get(event)!.next_at = at
  account.agenda.add({ due: at, what: 'delivery', id: event })
}

function openAccount(name: string): Account {
  return {
    name,
    settings: { webhook_url: null, webhook_secret: null, webhooks: null },
    clock_offset: 0,
    faults: [],
    payments: new Map(),
    operations: new Map(),
    references: new Map(),
    keys: new Map(),
    documents: new Map(),
    names: new Map(),
    sends: new Map(),
    events: new Map(),
    agenda: new Agenda(),
  }
}
