import { countCharge, giveBackCharge } from '../../payment-methods/charge.ts'
import { tryOf } from '../authorization/card-testing-tries.ts'
import { firstLook } from '../authorization/follow-ups.ts'
import type { UseCaseCall } from '../services.ts'
import type { PaidWith } from './paid-with.ts'
import type { PlannedAttempt } from './plan-attempt.ts'

type Release = (() => unknown) | null

/**
 * A part of a limit that an attempt takes before it is written, because attempts share the limit. `take` refuses, or
 * returns the release (null: none). `held`: until the attempt is over (a browser's try), or for good once written.
 */
export class Reservation {
  readonly held: 'until over' | 'once written'
  readonly #take: () => Promise<Release> | Release
  #release: Release = null

  constructor(held: Reservation['held'], take: () => Promise<Release> | Release) {
    this.held = held
    this.#take = take
  }

  async take(): Promise<void> {
    this.#release = await this.#take()
  }

  /** Does nothing if the reservation was not taken, or is released already. */
  async release(): Promise<void> {
    const release = this.#release
    this.#release = null
    await release?.()
  }
}

/** Returns what an attempt reserves, in this order: a browser's try, a mandate's charge, the trial of an account. */
export function reservationsOf(
  call: UseCaseCall,
  { payment, operation, isBlocked }: PlannedAttempt,
  { repeated }: PaidWith,
): Reservation[] {
  const { context, merchant, services } = call
  const { tries, health } = services
  const { merchant_id, profile_id } = payment
  const { client_network, merchant_connector_id: account } = operation
  const reservations: Reservation[] = []
  // A blocked card counts as a try too: blocked cards are found by trying.
  if (client_network !== null)
    reservations.push(new Reservation('until over', () => tries.enter(context, merchant, profile_id, tryOf(payment, client_network))))
  if (isBlocked) return reservations
  const mandate = repeated?.mandate
  if (mandate)
    reservations.push(
      new Reservation('once written', async () => {
        const counted = await countCharge(context, mandate, payment, firstLook(context.now()))
        return counted === null ? null : () => giveBackCharge(context, payment, counted)
      }),
    )
  reservations.push(
    new Reservation('once written', () =>
      health.sent(merchant_id, profile_id, account) ? () => health.notSent(merchant_id, profile_id, account) : null,
    ),
  )
  return reservations
}
