/** The pages by chapter, in reading order. The menu, `llms.txt` and the build use this list. */
export const contents = [
  {
    text: 'Take money',
    items: [
      { text: 'Take your first payment', link: '/guides/first-payment' },
      { text: 'Checkout in your page', link: '/guides/checkout' },
      { text: 'The element, call by call', link: '/checkout' },
      { text: 'Hosted links', link: '/guides/links' },
      { text: 'Save a card and charge it later', link: '/guides/saved-cards' },
      { text: 'Capture later, in parts, or never', link: '/guides/capture' },
    ],
  },
  {
    text: 'After the payment',
    items: [
      { text: 'Refunds and disputes', link: '/guides/refunds-and-disputes' },
      { text: 'Changes made elsewhere', link: '/guides/changes-made-outside' },
      { text: 'Reconcile a month', link: '/guides/reconcile-a-month' },
      { text: 'Pay out', link: '/guides/payouts' },
      { text: 'Webhooks', link: '/guides/webhooks' },
    ],
  },
  {
    text: 'Decide and test',
    items: [
      { text: 'Route and retry', link: '/guides/routing' },
      { text: 'Why a payment went there', link: '/guides/why' },
      { text: 'Test everything', link: '/guides/testing' },
      { text: 'Go live', link: '/guides/go-live' },
    ],
  },
  {
    text: 'Operate',
    items: [
      { text: 'Run it', link: '/guides/operate' },
      { text: 'Deployment', link: '/deployment' },
      { text: 'Kubernetes', link: '/kubernetes' },
      { text: 'Capacity', link: '/capacity' },
      { text: 'Settings', link: '/generated/settings' },
      { text: 'Security', link: '/security' },
      { text: 'Accounts at processors', link: '/processors' },
    ],
  },
  {
    text: 'Move and extend',
    items: [
      { text: 'Move from Hyperswitch', link: '/guides/from-hyperswitch' },
      { text: 'Move from Stripe', link: '/guides/from-stripe' },
      { text: 'Use the Hyperswitch widget', link: '/guides/hyperswitch-widget' },
      { text: 'Write a connector', link: '/connectors' },
      { text: 'The bridge', link: '/bridge/README' },
    ],
  },
  {
    text: 'Look up',
    items: [
      { text: 'Statuses', link: '/generated/states' },
      { text: 'Errors', link: '/generated/errors' },
      { text: 'Events', link: '/generated/events' },
      { text: 'Test cards', link: '/generated/test-cards' },
      { text: 'Processors', link: '/generated/connectors' },
      { text: 'Fields of a payment', link: '/generated/fields' },
      { text: 'Kept only', link: '/generated/kept-only' },
      { text: 'Coverage', link: '/generated/coverage' },
    ],
  },
] as const

/** All pages: the first page, and the pages of the chapters. */
export const pages: readonly string[] = ['/index', ...contents.flatMap(({ items }) => items.map(({ link }) => link))]
