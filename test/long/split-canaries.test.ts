// The canaries, with the vault as a process of its own: neither database holds a trace of them but what is sealed,
// and ours no number at all.
process.env.TEST_VAULT = 'split'
await import('./canaries.test.ts')
