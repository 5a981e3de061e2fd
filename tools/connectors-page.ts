import { type Currency, currencies } from '../src/base/currencies.ts'
import { documentTypes } from '../src/connectors/adyen/defense.ts'
import { alsoCalled, connectors } from '../src/connectors/all.ts'
import type { Connector } from '../src/connectors/connector.ts'
import type { Counting } from '../src/connectors/counting.ts'
import { type Offer, requiredMembers, typeOfRow } from '../src/connectors/offer.ts'
import type { Port } from '../src/connectors/port.ts'
import { verbNames } from '../src/connectors/verbs.ts'
import { paymentMethodNames } from '../src/instruments/methods.ts'
import { code, page, table } from './markdown.ts'

/** The features that a connector may have: its verbs, and its look-ups. */
const abilities = [...verbNames, 'read_dispute', 'sync', 'returned', 'webhook'] as const
const hoursOf = (ms: number): string => {
  const count = Math.floor(ms / 3_600_000)
  return `${count} ${count === 1 ? 'hour' : 'hours'}`
}
function resending({ idempotent_ms }: Connector['accepts']): string {
  if (idempotent_ms === 0) return 'never'
  if (typeof idempotent_ms === 'number') return `with the same id${Number.isFinite(idempotent_ms) ? `, for ${hoursOf(idempotent_ms)}` : ''}`
  const byHours = Map.groupBy(Object.entries(idempotent_ms), ([, ms]) => hoursOf(ms))
  return `with the same id, ${[...byHours].map(([hours, all]) => `${all.map(([verb]) => code(verb)).join(', ')} for ${hours}`).join('; ')}`
}

/** Returns a row for each type and connector, ordered by type. */
const offerRows = (all: readonly Port[]): string[][] =>
  all
    .flatMap(({ name, accepts: { offers = {} } }) => Object.entries(offers).map(([row, offer]) => ({ type: typeOfRow(row), name, offer })))
    .sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))
    .map(({ type, name, offer }) => [
      code(type),
      code(name),
      code(offer.family),
      offer.countries?.join(', ') ?? 'all',
      offer.currencies?.join(', ') ?? 'all',
      amountsOf(offer),
      (offer.capture ?? ['automatic']).map(code).join(', '),
      offer.requires?.map(one => code(requiredMembers[one])).join(', ') ?? '—',
      offer.refunds === false ? '—' : 'yes',
      againOf(offer),
      offer.decided,
    ])

const againOf = ({ recurring, setUp }: Offer): string =>
  recurring ? `yes${recurring === 'after days' ? ', decided after days' : ''}${setUp ? '; set up without a charge' : ''}` : '—'

const amountsOf = ({ least = {}, most = {} }: Offer): string =>
  [
    ...Object.entries(least).map(([currency, amount]) => `at least ${amount} ${currency}`),
    ...Object.entries(most).map(([currency, amount]) => `at most ${amount} ${currency}`),
  ].join('; ') || '—'

/** Returns the section about evidence for disputes. */
const evidence = (all: readonly Port[]): string[] => [
  '## Evidence',
  'Evidence that can be submitted for a dispute. For processors not listed here, this service cannot contest disputes.',
  table(
    ['connector', 'files', 'texts', 'not supported'],
    all
      .filter(one => one.contest_dispute)
      .map(({ name, accepts: { evidence } }) => [
        code(name),
        evidence
          ? Object.entries(evidence.files)
              .map(([type, most]) => `${code(type)} up to ${most} bytes`)
              .join(', ')
          : 'all that the service accepts',
        evidence?.texts === false ? '—' : 'yes',
        evidence?.without?.map(code).join(', ') ?? '—',
      ]),
  ),
  'Each file is sent to Adyen as a document type, and a dispute is defended with the reason whose required documents are all present ([disputes](../design/disputes.md)). A file is sent as the first of these types that the reason accepts:',
  table(
    ['`evidence_type`', 'documents at Adyen'],
    Object.entries(documentTypes).map(([type, documents]) => [code(type), documents.map(code).join(', ')]),
  ),
]

/** Returns the section about what the connectors lack. */
const notOffered = (all: readonly Port[]): string[] => [
  '## Not offered',
  table(
    ['connector', 'verbs', 'methods', 'capture methods', 'currencies'],
    all.map(one => [
      code(one.name),
      missing(abilities, verb => one[verb] !== undefined),
      missing(paymentMethodNames, method => (one.accepts.methods as readonly string[]).includes(method)),
      missing(captures, way => one.accepts.capture.includes(way)),
      missing(Object.keys(currencies) as Currency[], currency => one.accepts.counting?.currencies?.includes(currency) ?? true),
    ]),
  ),
]

export function connectorsPage(): string {
  const all = Object.values(connectors)
    .filter(({ name }) => !Object.hasOwn(alsoCalled, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return page(
    'Connectors',
    'The features of each processor, as implemented by its connector. A missing verb is not supported by the processor.',
    table(
      ['connector', ...abilities],
      all.map(one => [code(one.name), ...abilities.map(verb => (one[verb] ? 'yes' : '—'))]),
    ),
    table(
      ['connector', 'methods', 'capture methods', 'retries', 'lookup of requests', 'in flight at most', 'credentials'],
      all.map(({ name, accepts, credentials }) => [
        code(name),
        accepts.methods.map(code).join(', '),
        accepts.capture.map(code).join(', '),
        resending(accepts),
        accepts.lookup,
        `${accepts.in_flight_ms / 1000} s`,
        credentialsOf(credentials),
      ]),
    ),
    `Customers can be authenticated in the checkout itself (native 3-D Secure, \`three_ds_invoke\`) at ${all
      .filter(({ returned }) => returned?.native)
      .map(({ name }) => code(name))
      .join(', ')}; at others by a redirect, or apart from the processor.`,
    '*In flight at most*: how long after sending a request can still arrive at the processor. Until then, "not found" is not treated as a decline.',
    '## Ways to pay',
    'Payment methods besides cards. Countries are those of the billing address. A connector that is not listed takes no other method, or all types of those in the table above.',
    table(
      ['type', 'connector', 'method', 'payers in', 'currencies', 'amounts', 'capture', 'required', 'refunds', 'charged again', 'decided'],
      offerRows(all),
    ),
    ...evidence(all),
    ...changesAndReports(all),
    '## Money, webhooks and settings',
    table(
      ['connector', 'currencies', 'units that differ from ISO 4217', 'webhooks identify', '`metadata` of the connector account'],
      all.map(({ name, accepts, webhook, settings }) => [
        code(name),
        currenciesOf(accepts.counting),
        countedOtherwise(accepts.counting),
        webhook
          ? ['our request id', ...webhook.byReference.map(verb => `the processor’s reference of a ${code(verb)}`)].join('; ')
          : 'none',
        ['`base_url`', ...Object.entries(settings ?? {}).map(([member, { description }]) => `${code(member)}: ${description}`)].join('; '),
      ]),
    ),
    ...notOffered(all),
    '## Other names',
    'These names refer to the same connector. A payment shows the name used by its connector account.',
    table(
      ['name', 'connector'],
      Object.entries(alsoCalled).map(([name, one]) => [code(name), code(one.name)]),
    ),
    '## Sources',
    'Not every processor publishes its API. *Documented* comes from the processor, *second-hand* from other client code. *Guessed* is an assumption, with the consequence if it is wrong. Confirm these with the processor before you rely on them. No connector has been tested with a live account.',
    table(
      ['connector', 'documented', 'second-hand', 'guessed'],
      all.map(({ name, sources: { documented, second_hand = '—', guessed = '—' } }) => [code(name), documented, second_hand, guessed]),
    ),
    'To write, test and review a connector, see [connectors.md](../connectors.md).',
  )
}

const changesAndReports = (all: readonly (typeof connectors)[string][]) => [
  '## Changes made at the processor',
  'What others did there, and how it is noticed ([changes made elsewhere](../guides/changes-made-outside.md)). A connector that is not listed notices none.',
  table(
    ['connector', 'a look-up of the payment', 'webhooks', 'its list of changes', 'which lists the last'],
    all.flatMap(({ name, accepts: { tells } }) =>
      tells
        ? [
            [
              code(name),
              tells.lookup.join(', ') || '—',
              tells.webhooks.join(', ') || '—',
              tells.changes?.join(', ') || '—',
              !tells.changes ? '—' : tells.changes_kept_ms === undefined ? 'all' : `${tells.changes_kept_ms / 86_400_000} days`,
            ],
          ]
        : [],
    ),
  ),
  '## Settlement reports',
  'Reports that are fetched daily once an account asks for it ([reconcile a month](../guides/reconcile-a-month.md)). Reports of others are uploaded.',
  table(
    ['connector', 'reports'],
    all.flatMap(({ name, accepts: { reports } }) => (reports ? [[code(name), reports]] : [])),
  ),
]

function credentialsOf(credentials: Connector['credentials']): string {
  const named = credentials.members.map(one => `${code(one)}${called(credentials, one)}`)
  const optional = Object.entries(credentials.optional ?? {}).map(([one, use]) => `${code(one)} (optional, ${use})`)
  return `${code(credentials.auth_type)}: ${[...named, ...optional].join(', ')}`
}
const called = ({ called }: Connector['credentials'], member: string): string => (called?.[member] ? ` (${called[member].label})` : '')
const captures = ['automatic', 'manual', 'manual_multiple'] as const
const missing = <Word extends string>(all: readonly Word[], has: (word: Word) => boolean): string =>
  all
    .filter(word => !has(word))
    .map(code)
    .join(', ') || '—'
const currenciesOf = (counting: Counting | undefined): string =>
  counting?.currencies ? `${counting.currencies.length} (see below)` : 'all'

function countedOtherwise(counting: Counting | undefined): string {
  const decimals = Object.entries(counting?.decimals ?? {}).map(([currency, n]) => `${currency} with ${n} decimals`)
  const steps = Object.entries(counting?.steps ?? {}).map(([currency, n]) => `${currency} in steps of ${n}`)
  return [...decimals, ...steps].join(', ') || '—'
}
