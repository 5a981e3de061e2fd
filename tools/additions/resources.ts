import type { Addition } from '../adding.ts'

/** Fields, columns, statuses, filters and settings. */
export const resources: readonly Addition[] = [
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
    what: 'A filter of a list',
    description:
      'A field with `filter`: the queries and bodies of lists, counts, exports, column predicates and the values that a dashboard offers are derived from it. `facet` is for words of which there are few; its number is the next of the resource’s, and the test names it. Objects that exist have no value of a new field, so nothing else is needed; a facet of a field that exists needs a migration of `listings` and `listing_kinds` ([lists](design/lists.md)). A word of which there are many is `by: { id: … }` with one of the columns that the resource’s other filters leave free (of a payout `payment_id`; the start fails if another filter is by it), or is read from the rows (`onRows` in `src/lists/filters.ts`). The dashboard shows the filter by a line of `filters` in the resource of its list.',
    edits: [
      {
        file: 'src/payouts/fields.ts',
        before: 'browser_info: {',
        add: `campaign: {
  shape: shortText,
  storedIn: 'column',
  column: text().orNull(),
  visibility: 'to all',
  effect: 'describes',
  filter: { by: { facet: 8 }, shape: shortText, many: true },
  description: "The merchant's campaign",
},`,
      },
      { file: 'src/database/migrations/806.do.sql', add: 'alter table payouts add column campaign text collate "C";' },
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
        instead: "cancelled: { captured: 'succeeded', captured_in_part: 'partially_captured', contradicted: 'conflicted' },",
        add: "cancelled: { captured: 'succeeded', captured_in_part: 'partially_captured', contradicted: 'conflicted', written_off: 'written_off' },\nwritten_off: {},",
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
        before: "is_l2_l3_enabled: whether('processors are sent level 2 and 3 data'),",
        add: "is_note_printed: whether('notes are printed'),",
      },
    ],
  },
  {
    what: 'A setting that profiles inherit',
    description:
      "A setting of a profile that its merchant has too: with `inherited`, a new profile begins with the merchant’s value; with `levels: ['profile', 'merchant']`, the merchant’s value holds as long as the profile has none. The compiler names `merchant-fields.ts` if its line is missing.",
    edits: [
      {
        file: 'src/accounts/profile-settings.ts',
        before: 'redirect_to_merchant_with_http_post: {',
        add: `is_receipt_printed: {
  ...off,
  levels: ['profile', 'merchant'],
  inherited: true,
  description: 'Whether receipts are printed',
},`,
      },
      {
        file: 'src/accounts/merchant-fields.ts',
        before: "redirect_to_merchant_with_http_post: setting('redirect_to_merchant_with_http_post', bool),",
        add: "is_receipt_printed: setting('is_receipt_printed', bool),",
      },
    ],
  },
]
