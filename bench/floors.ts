/**
 * What has been reached: a ratchet. `npm run bench` reports what it finds against it; no test does, because a test
 * that is timed tells of the machine. A commit that makes a payment dearer lowers a floor, and its author says by how
 * much and why in docs/decisions/0011-what-a-payment-costs.md; a commit that makes it cheaper raises one.
 */
export const floors = {
  /**
   * By the number of clients: payments/s of the service, create and confirm in one call, of the frozen yardstick's
   * (`yardstick/`).
   */
  ofYardstick: { 16: 0.64, 64: 0.89, 256: 1.29 } as Record<number, number>,
  /** What a ratio may be under its floor without meaning anything: a share of it. */
  tolerance: 0.03,
  /**
   * MB that the service has resident after its first 10,000 payments: what was reached, and what it must stay under.
   */
  memory: { reached: 225, under: 240 },
}

export type Floors = typeof floors
