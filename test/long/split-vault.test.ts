// The stories of saved cards, with the vault as a process of its own: whoever tells them cannot know.
process.env.TEST_VAULT = 'split'
await import('../../src/payments/saved.test.ts')
await import('../../src/payments/recurring.test.ts')
await import('../../src/payments/forget.test.ts')
await import('../../src/payment-methods/payment-methods.test.ts')
await import('../../src/payment-methods/account.test.ts')
await import('../../src/payments/confirm.test.ts')
