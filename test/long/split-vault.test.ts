// The tests of saved cards with the separate vault process: the tests themselves cannot see the difference.
process.env.TEST_VAULT = 'split'
const { runFiles } = await import('../group.ts')
const stories = [
  'src/payments/stored-credentials/saved-instrument.test.ts',
  'src/payments/stored-credentials/recurring.test.ts',
  'src/payments/forget.test.ts',
  'src/payment-methods/payment-methods.test.ts',
  'src/payment-methods/account.test.ts',
  'src/payments/actions/confirm-payment.test.ts',
]
await runFiles(stories.map(name => ({ name, url: new URL(`../../${name}`, import.meta.url).href })))
