import { type Behaviour, cards } from '../sandbox/cards.ts'

/** Returns the merchant's view of a card; for behavior that concerns the processor alone, the sandbox's own words. */
function seen(outcome: string, { challenge, approves }: Behaviour): string {
  if (approves === 'half')
    return 'approved for half the amount: authorized if `enable_partial_authorization` is true, otherwise reversed and `failed`'
  if (challenge === undefined) return outcome
  const passed = challenge === 'approved' ? 'approved' : `declined \`${challenge}\``
  return `requires a challenge; ${passed} if the customer passes it. With \`authentication_type: "no_three_ds"\` declined \`authentication_required\``
}

/** Returns the sandbox's cards for merchants: number, and result. */
export const testCards = (): [string, string][] =>
  Object.values(cards).map(({ numbers, outcome, does }) => [numbers.map(number => `\`${number}\``).join(' '), seen(outcome, does)])
