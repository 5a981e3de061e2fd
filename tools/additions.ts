import type { Addition } from './adding.ts'
import { writeFiles } from './new-connector.ts'

/** The kinds of additions, each with an example (`adding.ts`). */
export const additions: readonly Addition[] = [
  {
    what: 'A field of a payment',
    description:
      'An entry of a chapter in `src/payments/fields/`: requests, rights of browsers, answers, filters of lists, exports, OpenAPI and docs are derived from it. The example describes what is sold, is kept as it was sent, and shown to all.',
    edits: [
      {
        file: 'src/payments/fields/order.ts',
        before: 'merchant_order_reference_id: {',
        add: `cost_center: {
  shape: shortText,
  storedIn: 'request',
  visibility: 'to all',
  effect: 'describes',
  description: "The merchant's cost centre",
},`,
      },
    ],
  },
  {
    what: 'A field of a payout',
    description:
      "An entry of `src/payouts/fields.ts`: requests, answers, lists, exports, deletion, OpenAPI and docs are derived from it. This one is kept as it was sent; `storedIn: 'column'` with a `column` needs a migration too.",
    edits: [
      {
        file: 'src/payouts/fields.ts',
        before: 'browser_info: {',
        add: `cost_center: { shape: shortText, storedIn: 'request', visibility: 'to all', effect: 'describes', description: "The merchant's cost centre" },`,
      },
    ],
  },
  {
    what: 'A field of a refund',
    description: 'An entry of `src/refunds/fields.ts`, and its column.',
    edits: [
      {
        file: 'src/refunds/fields.ts',
        before: 'merchant_connector_details: {',
        add: `cost_center: {
  shape: shortText,
  acceptedIn: ['create'],
  storedIn: 'column',
  column: text().orNull(),
  visibility: 'to all',
  effect: 'describes',
  description: "The merchant's cost centre",
},`,
      },
      { file: 'src/database/migrations/803.do.sql', add: 'alter table refunds add column cost_center text collate "C";' },
    ],
  },
  {
    what: 'A field of a dispute',
    description: 'An entry of `src/disputes/fields.ts`, and its column.',
    edits: [
      {
        file: 'src/disputes/fields.ts',
        before: "attempt_id: { column: text().fixed(), visibility: 'to all' },",
        add: `cost_center: {
  shape: shortText,
  acceptedIn: ['create'],
  storedIn: 'column',
  column: text().orNull(),
  visibility: 'to all',
  effect: 'describes',
  description: "The merchant's cost centre",
},`,
      },
      { file: 'src/database/migrations/804.do.sql', add: 'alter table disputes add column cost_center text collate "C";' },
    ],
  },
  {
    what: 'A field of a customer',
    description: 'An entry of `src/customers/fields.ts`. What is said of a person is sealed, and goes with them; no migration is needed.',
    edits: [
      {
        file: 'src/customers/fields.ts',
        before: 'tax_registration_id: ofPerson,',
        add: "cost_center: { ...ofPerson, description: 'Cost centre of the customer' },",
      },
    ],
  },
  {
    what: 'A field of a merchant account',
    description:
      'An entry of `src/accounts/merchant-fields.ts`: requests, answers, OpenAPI and docs are derived from it. What is kept as `request` stands in the column `details`; no migration is needed.',
    edits: [
      {
        file: 'src/accounts/merchant-fields.ts',
        before: 'primary_business_details: {',
        add: `cost_center: { shape: shortText, storedIn: 'request', visibility: 'to all', effect: 'describes', description: "The merchant's cost centre" },`,
      },
    ],
  },
  {
    what: 'A column of a payment',
    description:
      'The table describes it, the first row has it, and a migration adds it while a service runs ([rows and migrations](design/rows-and-migrations.md)).',
    edits: [
      {
        file: 'src/payments/payment.ts',
        before: 'cancellation_reason: text().orNull().emptyAtFirst(),',
        add: 'noted_at: time().orNull(),',
      },
      { file: 'src/payments/plan/new-payment.ts', before: 'cancellation_reason: null,', add: 'noted_at: null,' },
      { file: 'src/database/migrations/801.do.sql', add: 'alter table payments add column noted_at timestamptz(3);' },
    ],
  },
  {
    what: 'A status of a payment',
    description:
      'The grid says how it is reached and left, and the table beside it what it means, and that it is none of the ecosystem’s seventeen (`ours`); a use case makes the move; the values of the column’s type are the database’s. `npm test -- tools/statuses.test.ts` then names the line by which the dashboard shows it.',
    edits: [
      {
        file: 'src/payments/lifecycle.ts',
        instead: 'cancelled: {},',
        add: "cancelled: { written_off: 'written_off' },\nwritten_off: {},",
      },
      {
        file: 'src/payments/lifecycle.ts',
        after: 'export const statuses: Readonly<Record<PaymentStatus, Definition>> = {',
        add: `  written_off: {
    description: 'A person has looked at it, and asks for nothing more',
    nextStep: 'Nothing',
    customerState: 'looked into',
    eventType: 'action_required',
    traits: ['ours'],
  },`,
      },
      {
        file: 'src/payments/actions/cancel-payment.ts',
        before: "if (may(lifecycle, before.status, 'cancelled')) {",
        add: `if (cancellation_reason === 'write_off' && may(lifecycle, before.status, 'written_off')) {
  const writtenOff: Payment = { ...before, status: after(lifecycle, before.status, 'written_off'), modified_at: now }
  return { change: moved(context, before, writtenOff, 'written_off'), operation: null }
}`,
      },
      { file: 'src/database/migrations/802.do.sql', add: "alter type payment_status add value 'written_off';" },
    ],
  },
  {
    what: 'A setting of a business profile',
    description:
      'An entry of the table: shapes, types, checks, answers and documentation are derived from it. The code that applies it calls `profileSetting(merchant, profile_id, name)`.',
    edits: [
      {
        file: 'src/accounts/profile-settings.ts',
        before: "is_l2_l3_enabled: { ...off, description: 'Whether processors are sent level 2 and 3 data' },",
        add: "is_note_printed: { ...off, description: 'Whether notes are printed' },",
      },
    ],
  },
  {
    what: 'A setting of the deployment',
    description:
      'An entry of the table: the configuration and its type, `--help`, the documentation and the words of a refusal are derived from it. This one is `config.printerPort`.',
    edits: [
      {
        file: 'src/config.ts',
        before: 'LOG_LEVEL: {',
        add: "PRINTER_PORT: {\n  is: wholeNumber(0, 65_535),\n  default: '9100',\n  description: 'Port of the printer',\n},",
      },
    ],
  },
  {
    what: 'An operation of the interface',
    description:
      'A use case in its module, named with the merchant’s verb, and an entry of the routes: router, authentication, validation, OpenAPI and the SDK are derived from it. `auth` says who may call it, with which permission, and whether for a profile or the whole merchant; without it the entry does not compile, and `test/access.ts` has to agree (its lines cover most new routes). Its example answer is what it really answers, for the first object of the examples’ day that it does not refuse; only an operation that is refused for all of them needs a call in the story of that day (`tools/answers.test.ts`).',
    edits: [
      {
        file: 'src/payments/note.ts',
        add: `import type { Call } from '../operations/verb.ts'
import type { Payment } from './payment.ts'
import { begin, moved } from './begin-on-payment.ts'

/** Notes in the history of a payment that a person has looked at it. */
export async function notePayment(call: Call, payment_id: string): Promise<Payment> {
  const { context } = call
  const { payment } = await begin(call, payment_id, before => {
    const after: Payment = { ...before, modified_at: context.now() }
    return { change: moved(context, before, after, 'noted') }
  })
  return payment
}`,
      },
      {
        file: 'src/http/routes/payments.ts',
        before: "import { type Payment, payments as paymentsTable } from '../../payments/payment.ts'",
        add: "import { notePayment } from '../../payments/note.ts'",
      },
      {
        file: 'src/http/routes/payments.ts',
        before: 'manualUpdateOfPayment,',
        add: `endpoint('POST /payments/{payment_id}/note', 'notePayment', {
  title: 'Note a payment',
  description: 'Adds a note to the history of a payment.',
  auth: { credential: 'secret', permission: 'payments:write', scope: 'profile' },
  ...ofPayment,
  json: async call => shown(call, await notePayment(call, call.path.payment_id)),
}),`,
      },
    ],
  },
  {
    what: 'A connector',
    description:
      'A folder of its own, and a line of the table: everything else is derived from its definition. The command creates a connector that passes the conformance suite and contacts no processor; [connectors.md](connectors.md) describes the next steps.',
    made: {
      by: 'npm run new:connector acmepay',
      write: place => writeFiles('acmepay', place),
      files: ['src/connectors/acmepay/', 'src/connectors/all.ts'],
    },
    edits: [],
  },
  {
    what: 'A verb of payouts',
    description:
      'An entry of the verbs, from which the contract of connectors and every list of verbs follow; and one of the verbs of payouts, with its request and the effect of its outcome. This one changes what a cancel does. A connector that has it gets a method of this name ([connectors.md](connectors.md)).',
    edits: [
      {
        file: 'src/connectors/verbs.ts',
        before: "/** Accepts a dispute. If the processor's answer is lost, `sync` finds the result, or the request is sent again. */",
        add: `/** Recalls a payout from the recipient’s bank. */
recall_payout: { of: 'payout', flow: ['payout_flow', 'sub_flow'], acts_on: 'payout', amount: 'whole', takes: null },`,
      },
      {
        file: 'src/connectors/verbs.ts',
        after: 'cancel_payout: Change',
        add: 'recall_payout: Change',
      },
      {
        file: 'src/payouts/verbs.ts',
        after: 'cancel_payout: { buildRequest: askToCancel, after: afterCancel, onPollingEnded: unresolved },',
        add: 'recall_payout: { buildRequest: askToRecall, after: afterCancel, onPollingEnded: unresolved },',
      },
      {
        file: 'src/payouts/verbs.ts',
        before: '/** Applies the answer to a cancel. A refused cancel leaves the payout on its way, decided by its own operation. */',
        add: `function askToRecall({ connector, account, operation, authorization }: RequestInput<Payout>) {
  const { request_id, amount, currency } = operation
  return connector.recall_payout?.({ request_id, authorization, money: { amount, currency } }, account) ?? null
}
`,
      },
      { file: 'src/database/migrations/805.do.sql', add: "alter type operation_verb add value 'recall_payout';" },
    ],
  },
  {
    what: 'A column of a list in the dashboard',
    description:
      'A line of `columns` in the resource of the list: heads, the column chooser, the address, the preview and the row of a telephone are derived from it. Columns that are not `wide` are shown on every screen. A filter is a line of `filters` beside it, by the name that the interface has for it; a new list is a `Resource` of its own.',
    edits: [
      {
        file: 'packages/dashboard/src/pages/refunds.tsx',
        before: "{ name: 'Id', wide: true, cell: refund => <Id id={refund.refund_id} short /> },",
        add: "{ name: 'Changed', wide: true, cell: refund => <Ago at={refund.updated_at} /> },",
      },
    ],
  },
  {
    what: 'A page of the dashboard',
    description:
      'A file of its own, made of parts, and a row of the router. Parts bear the looks ([dashboard](design/dashboard.md)): a page writes no styles. `places` in `shell.tsx` has the pages of the navigation, each with its key and the permission that it needs; `npm run test:browser -- test/browser/dashboard.test.ts` opens it in both colours and widths.',
    edits: [
      {
        file: 'packages/dashboard/src/pages/roles.tsx',
        add: `import type { ReactElement } from 'react'
import { PageHead } from '../parts/page-head'
import Rights from './team/rights'

export default function Roles(): ReactElement {
  return (
    <>
      <PageHead title="Roles" />
      <Rights />
    </>
  )
}`,
      },
      {
        file: 'packages/dashboard/src/router.tsx',
        after: "page('/settings/team', () => import('./pages/team')),",
        add: "page('/settings/roles', () => import('./pages/roles')),",
      },
    ],
  },
]
