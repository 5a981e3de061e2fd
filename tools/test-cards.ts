import { type Behaviour, cards } from '../sandbox/cards.ts'

/** What a merchant sees of a card; of what concerns the processor alone, the sandbox's own words. */
function seen(says: string, { challenge, approves }: Behaviour): string {
  if (approves === 'half')
    return 'approved for half the amount: authorized if `enable_partial_authorization` is true, otherwise reversed and `failed`'
  if (challenge === undefined) return says
  const passed = challenge === 'approved' ? 'approved' : `declined \`${challenge}\``
  return `requires a challenge; ${passed} if the customer passes it. With \`authentication_type: "no_three_ds"\` declined \`authentication_required\``
}

/** The sandbox's cards, for merchants: number, and what happens. */
export const testCards = (): [string, string][] =>
  Object.values(cards).map(({ numbers, says, does }) => [numbers.map(number => `\`${number}\``).join(' '), seen(says, does)])
