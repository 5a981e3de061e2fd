import type {
  ChangesRead,
  Connector,
  Conversation,
  DisputeUpdate,
  OutcomeUpdate,
  PaymentUpdate,
  ReferencesUpdate,
  ReportUpdate,
  ReturnUpdate,
  WebhookUpdate,
} from './connector.ts'
import type { Outcome } from './outcome.ts'
import type { PaymentReport } from './payment-report.ts'
import { Unscreened, withoutCard } from './redaction/card-numbers.ts'

/** A conversation of which only a screen opens the result. */
export type PortConversation<T = Outcome> = Conversation<Unscreened<T>>

type Closed<M> = M extends (...given: infer A) => Conversation<infer T>
  ? (...given: A) => PortConversation<T>
  : M extends (...given: infer A) => boolean | Conversation<boolean>
    ? (...given: A) => boolean | PortConversation<boolean>
    : M

/** News of a webhook: what it says is closed, the identifiers of its operation are not. */
export type Update =
  | (Omit<OutcomeUpdate, 'outcome' | 'otherwise'> & { outcome: Unscreened<Outcome> | 'ask'; otherwise?: Update })
  | (Omit<ReturnUpdate, 'parameters'> & { parameters: Unscreened<ReturnUpdate['parameters']> })
  | (Omit<ReferencesUpdate, 'references'> & { references: Unscreened<ReferencesUpdate['references']> })
  | (Omit<PaymentUpdate, 'report'> & { report: Unscreened<PaymentReport> | 'ask' })
  | { is: 'dispute'; news: Unscreened<DisputeUpdate> }
  | ReportUpdate

/** Changes at a processor: each update as closed as one of a webhook. */
export type Changes = { is: 'changes'; updates: readonly Update[]; next: string | null } | Exclude<ChangesRead, { is: 'changes' }>

type Webhook = NonNullable<Connector['webhook']>
type Returned = NonNullable<Connector['returned']>
type Others = Omit<Connector, 'webhook' | 'returned' | 'list_changes'>
type ListChanges = NonNullable<Connector['list_changes']>

/** A connector as the service uses it: what its processor says is `Unscreened`. */
export type Port = { [K in keyof Others]: Closed<Others[K]> } & {
  webhook?: Omit<{ [K in keyof Webhook]: Closed<Webhook[K]> }, 'read'> & { read(raw: Buffer): Update[] }
  returned?: { [K in keyof Returned]: Closed<Returned[K]> }
  list_changes?(...given: Parameters<ListChanges>): PortConversation<Changes>
}

type Begin = (...given: unknown[]) => Conversation<unknown>

export function* unscreened<T>(conversation: Conversation<T>): PortConversation<T> {
  return new Unscreened(yield* conversation)
}

const closing =
  (begin: Begin) =>
  (...given: unknown[]) =>
    unscreened(begin(...given))

function closedUpdate(update: WebhookUpdate): Update {
  if (update.is === 'dispute') return { is: 'dispute', news: new Unscreened(update) }
  if (update.is === 'report') return new Unscreened(update).screened(withoutCard)
  const of = new Unscreened(update.of).screened(withoutCard)
  switch (update.is) {
    case 'outcome':
      return {
        is: 'outcome',
        of,
        outcome: update.outcome === 'ask' ? 'ask' : new Unscreened(update.outcome),
        ...(update.otherwise && { otherwise: closedUpdate(update.otherwise) }),
      }
    case 'return':
      return { is: 'return', of, parameters: new Unscreened(update.parameters) }
    case 'references':
      return { is: 'references', of, references: new Unscreened(update.references) }
    case 'payment':
      return { is: 'payment', of, report: update.report === 'ask' ? 'ask' : new Unscreened(update.report) }
  }
}

function* closedChanges(conversation: Conversation<ChangesRead>): PortConversation<Changes> {
  const read = yield* conversation
  return new Unscreened<Changes>(read.is === 'changes' ? { ...read, updates: read.updates.map(closedUpdate) } : read)
}

/** Wraps a connector so that everything its processor says is screened before it is read. */
export function portOf(connector: Connector): Port {
  const { webhook, returned, list_changes } = connector
  const members = Object.entries<unknown>(connector)
  return {
    ...Object.fromEntries(members.map(([name, value]) => [name, typeof value === 'function' ? closing(value as Begin) : value])),
    ...(returned && { returned: { ...returned, ask: closing(returned.ask as Begin) } }),
    ...(list_changes && { list_changes: (...given: Parameters<ListChanges>) => closedChanges(list_changes(...given)) }),
    ...(webhook && {
      webhook: {
        ...webhook,
        verify(...given: Parameters<Webhook['verify']>) {
          const verdict = webhook.verify(...given)
          return typeof verdict === 'boolean' ? verdict : unscreened(verdict)
        },
        read: (raw: Buffer) => webhook.read(raw).map(closedUpdate),
        ...(webhook.register && { register: closing(webhook.register as Begin) }),
      },
    }),
  } as unknown as Port
}
