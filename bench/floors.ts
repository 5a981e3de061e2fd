/**
 * The figures reached so far: a ratchet. `npm run bench` reports its results against them; no test does, because a
 * timed test would measure the machine. A commit that makes a payment more expensive lowers a floor, and its author
 * explains by how much and why in docs/design/payment-cost.md; a commit that makes a payment cheaper raises
 * one.
 */
export const floors = {
  /**
   * The service's payments a second (create and confirm in one call), as a ratio of those of the frozen yardstick
   * (`yardstick/`), by number of clients.
   */
  ofYardstick: { 16: 0.64, 64: 0.89, 256: 1.29 } as Record<number, number>,
  /** The share by which a ratio may be below its floor without significance. */
  tolerance: 0.03,
  /** The service's resident memory after its first 10,000 payments, in MB: the value reached, and the limit. */
  memory: { reached: 225, under: 240 },
}

export type Floors = typeof floors
