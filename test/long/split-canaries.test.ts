// The canaries with the separate vault process: neither database contains a trace of them except encrypted, and ours
// contains no card number at all.
process.env.TEST_VAULT = 'split'
await import('./canaries.test.ts')
