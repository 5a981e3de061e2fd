import type { Addition } from '../adding.ts'
import { writeFiles } from '../new-connector.ts'

/** What connectors and the dashboard have. */
export const processors: readonly Addition[] = [
  {
    what: 'A type of payment method',
    description:
      'Its name; the way in which requests contain it, with the members that it needs (here none) and what answers show of them; where customers have it (without this line it is offered everywhere); its name at a checkout; the offer of a connector that takes it, in the words of the processor; an example request for the tests; and the method as the sandbox plays it for the processor.',
    edits: [
      { file: 'src/instruments/methods.ts', after: 'seven_eleven skrill sofort swish', add: 'wero' },
      {
        file: 'src/instruments/wallet.ts',
        after: "we_chat_pay_redirect: way('we_chat_pay', {}, nothing),",
        add: "wero_redirect: way('wero', {}, nothing),",
      },
      { file: 'src/instruments/places.ts', after: "['NOK', 'NO', 'vipps'],", add: "['EUR', 'BE DE FR', 'wero']," },
      { file: 'src/pages/browser/method-names.js', after: "we_chat_pay: 'WeChat Pay',", add: "wero: 'Wero'," },
      {
        file: 'src/connectors/adyen/offers.ts',
        after: "twint: byType('wallet', 'twint_redirect', 'twint',",
        add: "wero: byType('wallet', 'wero_redirect', 'wero', { countries: ['BE', 'DE', 'FR'], currencies: ['EUR'] }),",
      },
      { file: 'sandbox/dialects/adyen-methods.ts', after: "swish: plain('code', 'SEK'),", add: "wero: plain('redirect', 'EUR')," },
      { file: 'test/ways.ts', after: "we_chat_pay_redirect: ['we_chat_pay'],", add: "wero_redirect: ['wero']," },
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
      'A line of `columns` in the resource of the list: heads, the column chooser, the address, the preview and the row of a telephone are derived from it. Columns that are not `wide` are shown on every screen. `npm run check` makes the types of the interface, and finds a member that answers do not have. Heads of the list of payments are also in `test/browser/dashboard-lists.test.ts`. A filter is a line of `filters` beside it, by the name that the interface has for it; a new list is a `Resource` of its own.',
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
