import { connectors } from '../../src/connectors/all.ts'
import type { Port } from '../../src/connectors/port.ts'
import { browser_info } from '../browser-info.ts'
import { cards } from '../cards.ts'
import { ends, recipients } from '../payout-shop.ts'
import type { Dice } from './dice.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer of the interface, as a client meets it
type Body = any

/**
 * How a client sends a request. `under a key` (an Idempotency-Key) and `named` (with an id of its own): it is repeated
 * until it is answered. `once`: the client has neither, and does not repeat it.
 */
export type How = 'under a key' | 'named' | 'once'

/**
 * The steps that one client can take. A step gives the body of a successful answer; null if it was refused, or if its
 * result is unknown. `tag` distinguishes steps of one kind.
 */
export type Client = {
  dice: Dice
  /** Whether every processor at which this client may pay has this ability. */
  can(ability: Ability): boolean
  buy(ask: Body, how: How): Promise<Body | null>
  move(
    payment_id: string,
    verb: 'confirm' | 'capture' | 'cancel' | 'incremental_authorization' | 'extend_authorization' | 'cancel_post_capture' | 'release',
    body?: Body,
    tag?: string,
  ): Promise<Body | null>
  giveBack(payment_id: string, amount: number, how: How, tag?: string): Promise<Body | null>
  /** Retrieves a payment with `force_sync`, so that the service queries the processor. */
  look(payment_id: string): Promise<Body | null>
  /** Goes to the challenge of a payment as the customer, and accepts or rejects it. */
  challenge(payment: Body, answer: 'accept' | 'reject'): Promise<void>
  /**
   * Authenticates the customer separately from the processor; if the issuer challenges the customer, accepts or
   * rejects the challenge.
   */
  authenticate(payment: Body, answer: 'accept' | 'reject'): Promise<void>
  /** Accepts a dispute, or submits this text as evidence against it. */
  answer(dispute_id: string, evidence?: string, tag?: string): Promise<Body | null>
  payOut(ask: Body, how: How): Promise<Body | null>
  movePayout(payout_id: string, verb: 'confirm' | 'fulfill' | 'cancel', tag?: string): Promise<Body | null>
  lookAtPayout(payout_id: string): Promise<Body | null>
}

/**
 * A condition for a journey: a processor that reports disputes by webhook, a payout account, or an authentication
 * account.
 */
export type Need = 'news' | 'payer' | 'directory'
export type Journey = { name: string; weight: number; needs?: Need; takes?: readonly Ability[]; go(client: Client): Promise<unknown> }

/**
 * The abilities that a journey may require of a processor. By default a journey requires that it accepts card numbers.
 */
const abilities = {
  cards: ({ accepts }) => accepts.methods.includes('card'),
  parts: ({ accepts }) => accepts.capture.includes('manual_multiple'),
  'final captures': ({ accepts }) => accepts.finalCaptures !== false,
  'part approvals': ({ accepts }) => accepts.partialApproval === true,
  'results of 3-D Secure': ({ accepts }) => accepts.authentication?.includes('three_ds_result') ?? false,
  'native 3-D Secure': ({ returned }) => returned?.native === true,
  increments: ({ increment }) => increment !== undefined,
  extensions: ({ extend }) => extend !== undefined,
  'voids after a capture': ({ post_capture_void }) => post_capture_void !== undefined,
  'answers to disputes': ({ contest_dispute, accepts }) => contest_dispute !== undefined && accepts.evidence?.texts !== false,
  'PayPal wallets': ({ name }) => name === 'paypal',
  'pages of banks': ({ name }) => name === 'mollie',
  'its own errors': ({ name }) => name === 'phonypay',
  // Adyen cannot be queried: after silence the same request is sent again, and Adyen's idempotency makes both one.
  'a lapse of idempotency': ({ name }) => name !== 'adyen',
} as const satisfies Record<string, (connector: Port) => boolean>
export type Ability = keyof typeof abilities

export const isAble = (connector: string, ability: Ability): boolean => abilities[ability](connectors[connector]!)

/** Whether this journey can run at the processor of this connector. */
export const canGo = ({ takes = ['cards'] }: Journey, connector: string): boolean => takes.every(ability => isAble(connector, ability))

/** The endings of the recipients' accounts, which determine the result of a payout; none is returned days later. */
const endings = [
  ends.approves,
  ends.approves,
  ends.declines,
  ends.approvesLater,
  ends.declinesLater,
  ends.resets,
  ends.paysAndResets,
  ends.paysAndFails500,
  ends.waits,
]

const manual = { capture_method: 'manual' } as const
const inParts = { capture_method: 'manual_multiple' } as const
const challenged = { authentication_type: 'three_ds' } as const
/** A challenge for a known browser: in the checkout, where the processor authenticates itself. */
const knownByBrowser = { ...challenged, browser_info } as const

const apart = { authentication_type: 'three_ds', request_external_three_ds_authentication: true } as const

const byPaypal = {
  payment_method: 'wallet',
  payment_method_type: 'paypal',
  payment_method_data: { wallet: { paypal_redirect: {} } },
} as const
const byIdeal = {
  payment_method: 'bank_redirect',
  payment_method_type: 'ideal',
  payment_method_data: { bank_redirect: { ideal: {} } },
} as const
const byPage = {
  payment_method: 'card_redirect',
  payment_method_type: 'card_redirect',
  payment_method_data: { card_redirect: { card_redirect: {} } },
} as const

/** Cards whose issuer authenticates the customer at once, challenges the customer, or refuses the authentication. */
const authenticated = [
  cards.approves,
  cards.approves,
  cards.challenges,
  cards.challenges,
  cards.challenges,
  cards.isAttempted,
  cards.isNotAuthenticated,
  cards.cannotBeAuthenticated,
  cards.isRejectedByIssuer,
  cards.isNotEnrolled,
  cards.declines,
  cards.approvesLater,
  cards.hangs,
  cards.chargesAndResets,
] as const

/** Cards whose charge happens or does not happen, while the processor's answer is lost. */
const faults = [
  cards.hangs,
  cards.chargesAndHangs,
  cards.resets,
  cards.chargesAndResets,
  cards.fails500,
  cards.chargesAndFails500,
  cards.answersHtml503,
  cards.chargesAndAnswersHtml,
  cards.chargesAndTruncates,
  cards.chargesAndDrips,
  cards.chargesAndAnswersNothing,
  cards.ignoresIdempotency,
  cards.isSlow,
  cards.chargesAndAnswersHuge,
] as const

/** Gives the cards with faults that this client may use. */
const faultsOf = ({ can }: Pick<Client, 'can'>) =>
  can('a lapse of idempotency') ? faults : faults.filter(card => card !== cards.ignoresIdempotency)

/** Splits of a hold of 1250 into captures that use it up. */
const wholeHolds = [[500, 750], [750, 500], [1250], [400, 400, 450], [250, 250, 250, 250, 250], [1, 1249]] as const

const known: readonly How[] = ['under a key', 'named']

/** The journeys of clients. Each step follows the success of the one before. */
export const journeys: readonly Journey[] = [
  {
    name: 'pay, give a part back',
    weight: 3,
    async go({ buy, giveBack, dice }) {
      const paid = await buy({}, dice.one(known))
      return paid && giveBack(paid.payment_id, dice.between(100, 1250), dice.one(known))
    },
  },
  {
    name: 'pay, give back more than was paid, in two at once',
    weight: 3,
    async go({ buy, giveBack }) {
      const paid = await buy({}, 'named')
      return paid && Promise.all([giveBack(paid.payment_id, 800, 'named', 'a'), giveBack(paid.payment_id, 800, 'under a key', 'b')])
    },
  },
  {
    name: 'pay, give all back in five at once',
    weight: 1,
    async go({ buy, giveBack, dice }) {
      const paid = await buy({ card: dice.one([cards.approves, cards.refundsLater, cards.refundsFailLater]) }, 'under a key')
      return paid && Promise.all([1, 2, 3, 4, 5].map(tag => giveBack(paid.payment_id, 250, dice.one(known), String(tag))))
    },
  },
  {
    name: 'hold, capture a part, give it back',
    weight: 3,
    async go({ buy, move, giveBack }) {
      const held = await buy(manual, 'under a key')
      const captured = held && (await move(held.payment_id, 'capture', { amount_to_capture: 1000 }))
      return captured && giveBack(held.payment_id, 1000, 'named')
    },
  },
  {
    name: 'hold, capture in parts at once',
    weight: 2,
    takes: ['cards', 'parts'],
    async go({ buy, move }) {
      const held = await buy(inParts, 'named')
      const capture = (amount_to_capture: number, tag: string) => move(held.payment_id, 'capture', { amount_to_capture }, tag)
      return held && Promise.all([capture(500, 'a'), capture(600, 'b')])
    },
  },
  {
    name: 'hold, capture the whole of it in parts at once, give some back',
    weight: 4,
    takes: ['cards', 'parts'],
    async go({ buy, move, giveBack, look, dice }) {
      const card = dice.one([cards.approves, cards.approves, cards.approves, cards.capturesLater, cards.refusesCaptures])
      const held = await buy({ ...inParts, card }, dice.one(known))
      if (!held) return
      await Promise.all(
        dice.one(wholeHolds).map((amount_to_capture, i) => move(held.payment_id, 'capture', { amount_to_capture }, String(i))),
      )
      await look(held.payment_id)
      return giveBack(held.payment_id, 1250, dice.one(known))
    },
  },
  {
    name: 'hold, capture a part, let the rest go, or capture it meanwhile, and give some back',
    weight: 3,
    takes: ['cards', 'parts'],
    async go({ buy, move, giveBack, dice, can }) {
      const card = dice.one([cards.approves, cards.approves, cards.capturesLater, cards.refusesVoids])
      const held = await buy({ ...inParts, card }, dice.one(known))
      const part = held && (await move(held.payment_id, 'capture', { amount_to_capture: 500 }, 'a'))
      if (!part) return
      const rest = () => move(held.payment_id, 'release')
      const final_capture = can('final captures')
      const last = () => move(held.payment_id, 'capture', { amount_to_capture: dice.one([300, 750]), final_capture }, 'b')
      await (dice.chance(0.3) ? rest() : dice.chance(0.5) ? last() : Promise.all([rest(), last()]))
      return giveBack(held.payment_id, 500, dice.one(known))
    },
  },
  {
    name: 'hold, more captures at once than fit',
    weight: 2,
    takes: ['cards', 'parts'],
    async go({ buy, move }) {
      const held = await buy(inParts, 'named')
      return (
        held &&
        Promise.all(['a', 'b', 'c', 'd'].map(tag => move(held.payment_id, 'capture', { amount_to_capture: tag === 'd' ? 1250 : 500 }, tag)))
      )
    },
  },
  {
    name: 'hold, cancel',
    weight: 3,
    async go({ buy, move, dice }) {
      const held = await buy({ ...manual, card: dice.one([cards.approves, cards.approves, cards.refusesVoids]) }, 'named')
      return held && move(held.payment_id, 'cancel')
    },
  },
  {
    name: 'hold, raise it, have it last longer, capture it all',
    weight: 2,
    takes: ['cards', 'increments', 'extensions'],
    async go({ buy, move, dice }) {
      const held = await buy({ ...manual, request_incremental_authorization: true, request_extended_authorization: true }, dice.one(known))
      const raised = held && (await move(held.payment_id, 'incremental_authorization', { amount: dice.between(1300, 2000) }))
      if (!raised) return
      await move(held.payment_id, 'extend_authorization')
      return move(held.payment_id, 'capture')
    },
  },
  {
    name: 'hold, raise it while it is captured or cancelled',
    weight: 2,
    takes: ['cards', 'increments'],
    async go({ buy, move, dice }) {
      const held = await buy({ ...manual, request_incremental_authorization: true }, 'named')
      return (
        held &&
        Promise.all([
          move(held.payment_id, 'incremental_authorization', { amount: 1900 }),
          move(held.payment_id, dice.one(['capture', 'cancel'])),
        ])
      )
    },
  },
  {
    name: 'pay, cancel after the capture, or give back meanwhile',
    weight: 2,
    takes: ['cards', 'voids after a capture'],
    async go({ buy, move, giveBack, dice }) {
      const paid = await buy({}, dice.one(known))
      if (!paid) return
      const undo = move(paid.payment_id, 'cancel_post_capture')
      return dice.chance(0.5) ? undo : Promise.all([undo, giveBack(paid.payment_id, 500, 'named')])
    },
  },
  {
    name: 'hold, capture and cancel at once',
    weight: 2,
    takes: ['cards', 'parts'],
    async go({ buy, move, dice }) {
      const held = await buy(dice.one([manual, inParts]), 'named')
      return (
        held &&
        Promise.all([move(held.payment_id, 'capture', { amount_to_capture: dice.one([700, 1250]) }), move(held.payment_id, 'cancel')])
      )
    },
  },
  {
    name: 'hold, capture a part, then cancel and capture the rest at once',
    weight: 1,
    takes: ['cards', 'parts'],
    async go({ buy, move }) {
      const held = await buy(inParts, 'under a key')
      const part = held && (await move(held.payment_id, 'capture', { amount_to_capture: 300 }, 'a'))
      return part && Promise.all([move(held.payment_id, 'cancel'), move(held.payment_id, 'capture', { amount_to_capture: 950 }, 'b')])
    },
  },
  {
    name: 'create, confirm',
    weight: 2,
    async go({ buy, move }) {
      const created = await buy({ confirm: false }, 'under a key')
      return created && move(created.payment_id, 'confirm')
    },
  },
  {
    name: 'create, confirm three times and cancel at once',
    weight: 1,
    async go({ buy, move }) {
      const created = await buy({ confirm: false }, 'named')
      const confirms = created && ['a', 'b', 'c'].map(tag => move(created.payment_id, 'confirm', {}, tag))
      return confirms && Promise.all([...confirms, move(created.payment_id, 'cancel')])
    },
  },
  {
    name: 'be declined',
    weight: 1,
    go: ({ buy, dice }) => buy({ card: dice.one([cards.declines, cards.hasNoMoney, cards.isLost]) }, 'named'),
  },
  {
    name: 'pay by a faulty card, give a part back',
    weight: 6,
    async go({ buy, look, giveBack, dice, can }) {
      const paid = await buy({ card: dice.one(faultsOf({ can })) }, dice.one(known))
      const seen = paid && (await look(paid.payment_id))
      return seen?.status === 'succeeded' && giveBack(paid.payment_id, 700, dice.one(known))
    },
  },
  {
    name: 'hold by a faulty card, capture or cancel',
    weight: 4,
    takes: ['cards', 'parts'],
    async go({ buy, look, move, dice, can }) {
      const held = await buy({ ...dice.one([manual, inParts]), card: dice.one(faultsOf({ can })) }, dice.one(known))
      if (!held) return
      await look(held.payment_id)
      return dice.chance(0.5) ? move(held.payment_id, 'capture', { amount_to_capture: 1250 }) : move(held.payment_id, 'cancel')
    },
  },
  {
    name: 'pay without key or name, give back without key or name',
    weight: 2,
    async go({ buy, giveBack, dice, can }) {
      const paid = await buy({ card: dice.one([cards.approves, cards.approves, ...faultsOf({ can })]) }, 'once')
      return paid && giveBack(paid.payment_id, 700, 'once')
    },
  },
  {
    name: 'pay, be given back later or not at all',
    weight: 2,
    async go({ buy, giveBack, dice }) {
      const paid = await buy({ card: dice.one([cards.refundsLater, cards.refundsFailLater, cards.refusesRefunds]) }, 'under a key')
      return paid && giveBack(paid.payment_id, 300, 'named')
    },
  },
  {
    name: 'pay by a card that is decided later, and try to cancel',
    weight: 2,
    async go({ buy, move, dice }) {
      const card = dice.one([cards.approvesLater, cards.declinesLater])
      const paid = await buy({ card, ...(dice.chance(0.5) && manual) }, 'named')
      return paid && dice.chance(0.5) && move(paid.payment_id, 'cancel')
    },
  },
  {
    name: 'hold, capture later',
    weight: 1,
    async go({ buy, move, look }) {
      const held = await buy({ ...manual, card: cards.capturesLater }, 'named')
      const captured = held && (await move(held.payment_id, 'capture', {}))
      return captured && look(held.payment_id)
    },
  },
  {
    name: 'a capture is refused, then cancel',
    weight: 1,
    async go({ buy, move }) {
      const held = await buy({ ...manual, card: cards.refusesCaptures }, 'named')
      const refused = held && (await move(held.payment_id, 'capture'))
      return refused && move(held.payment_id, 'cancel')
    },
  },
  {
    name: 'a cancel is refused, then capture',
    weight: 1,
    async go({ buy, move }) {
      const held = await buy({ ...manual, card: cards.refusesVoids }, 'named')
      const refused = held && (await move(held.payment_id, 'cancel'))
      return refused && move(held.payment_id, 'capture')
    },
  },
  {
    name: 'be approved for half',
    weight: 1,
    takes: ['cards', 'part approvals'],
    async go({ buy, move, dice }) {
      const ask = {
        card: cards.approvesHalf,
        ...(dice.chance(0.5) && { enable_partial_authorization: true }),
        ...(dice.chance(0.5) && manual),
      }
      const paid = await buy(ask, 'under a key')
      return paid?.status === 'partially_authorized_and_requires_capture' && move(paid.payment_id, dice.one(['capture', 'cancel'] as const))
    },
  },
  {
    name: 'a processor that speaks of something else',
    weight: 1,
    takes: ['its own errors'],
    go: ({ buy, dice }) =>
      buy({ card: dice.one([cards.echoesAnotherAmount, cards.echoesAnotherCurrency, cards.echoesAnotherReference]) }, 'named'),
  },
  {
    name: 'a challenge, answered or left alone',
    weight: 4,
    async go({ buy, challenge, look, giveBack, dice }) {
      const card = dice.one([cards.challenges, cards.challenges, '4000008400001629'])
      const paid = await buy({ ...dice.one([challenged, knownByBrowser]), card, ...(dice.chance(0.3) && manual) }, dice.one(known))
      if (!paid || dice.chance(0.2)) return
      await challenge(paid, dice.chance(0.8) ? 'accept' : 'reject')
      const seen = await look(paid.payment_id)
      return seen?.status === 'succeeded' && giveBack(paid.payment_id, 400, 'named')
    },
  },
  {
    name: 'be authenticated apart from the processor, or go away',
    weight: 4,
    needs: 'directory',
    takes: ['cards', 'results of 3-D Secure'],
    async go({ buy, authenticate, look, giveBack, dice }) {
      const paid = await buy({ ...apart, card: dice.one(authenticated), ...(dice.chance(0.3) && manual) }, dice.one(known))
      if (!paid || dice.chance(0.15)) return
      await authenticate(paid, dice.chance(0.75) ? 'accept' : 'reject')
      const seen = await look(paid.payment_id)
      return seen?.status === 'succeeded' && giveBack(paid.payment_id, 400, 'named')
    },
  },
  {
    name: 'be authenticated in two tabs at once, while the merchant looks or cancels',
    weight: 3,
    needs: 'directory',
    takes: ['cards', 'results of 3-D Secure'],
    async go({ buy, authenticate, look, move, dice }) {
      const paid = await buy({ ...apart, card: dice.one([cards.approves, cards.challenges]) }, dice.one(known))
      if (!paid) return
      const tabs = [authenticate(paid, 'accept'), authenticate(paid, dice.chance(0.8) ? 'accept' : 'reject')]
      return Promise.all([...tabs, dice.chance(0.4) ? move(paid.payment_id, 'cancel') : look(paid.payment_id)])
    },
  },
  {
    name: 'be authenticated by the processor in two tabs at once, while the merchant looks or cancels',
    weight: 3,
    takes: ['cards', 'native 3-D Secure'],
    async go({ buy, authenticate, look, move, dice }) {
      const paid = await buy({ ...knownByBrowser, card: cards.challenges, ...(dice.chance(0.3) && manual) }, dice.one(known))
      if (!paid) return
      const tabs = [authenticate(paid, 'accept'), authenticate(paid, dice.chance(0.8) ? 'accept' : 'reject')]
      return Promise.all([...tabs, dice.chance(0.4) ? move(paid.payment_id, 'cancel') : look(paid.payment_id)])
    },
  },
  {
    name: 'be disputed, and answer it twice at once or not at all; give some back meanwhile',
    weight: 3,
    needs: 'news',
    takes: ['cards', 'answers to disputes'],
    async go({ buy, look, answer, giveBack, dice }) {
      const paid = await buy({ card: cards.isDisputed }, dice.one(known))
      const seen = paid && (await look(paid.payment_id))
      if (!seen || dice.chance(0.3)) return
      const dispute_id = seen.disputes?.[0]?.dispute_id
      const text = () => dice.one([undefined, 'winning_evidence', 'losing_evidence', 'see the receipt'])
      return Promise.all([
        ...(dispute_id ? [answer(dispute_id, text(), 'a'), answer(dispute_id, text(), 'b')] : []),
        giveBack(paid.payment_id, 500, 'named'),
      ])
    },
  },
  {
    name: 'pay out at once',
    weight: 4,
    needs: 'payer',
    takes: [],
    async go({ payOut, lookAtPayout, dice }) {
      const paid = await payOut({ to: recipients[dice.one(['card', 'bank', 'wallet'] as const)](dice.one(endings)) }, dice.one(known))
      return paid && lookAtPayout(paid.payout_id)
    },
  },
  {
    name: 'a payout, fulfilled three times and cancelled at once',
    weight: 3,
    needs: 'payer',
    takes: [],
    async go({ payOut, movePayout, dice }) {
      const made = await payOut({ to: recipients.bank(dice.one(endings)), auto_fulfill: false }, 'named')
      const moves = made && ['a', 'b', 'c'].map(tag => movePayout(made.payout_id, 'fulfill', tag))
      return moves && Promise.all([...moves, movePayout(made.payout_id, 'cancel')])
    },
  },
  {
    name: 'a payout, confirmed twice at once, then called off on its way',
    weight: 2,
    needs: 'payer',
    takes: [],
    async go({ payOut, movePayout, dice }) {
      const to = recipients.wallet(dice.one([ends.waits, ends.approvesLater, ends.approves]))
      const made = await payOut({ to, confirm: false }, 'under a key')
      if (!made) return
      await Promise.all(['a', 'b'].map(tag => movePayout(made.payout_id, 'confirm', tag)))
      return movePayout(made.payout_id, 'cancel')
    },
  },
  {
    name: 'a challenge, accepted while the merchant cancels',
    weight: 3,
    async go({ buy, challenge, move, dice }) {
      const ask = dice.one([challenged, knownByBrowser])
      const paid = await buy({ ...ask, card: cards.challenges, ...(dice.chance(0.5) && manual) }, 'named')
      return (
        paid &&
        Promise.all(
          dice.chance(0.5)
            ? [challenge(paid, 'accept'), move(paid.payment_id, 'cancel')]
            : [move(paid.payment_id, 'cancel'), challenge(paid, 'accept')],
        )
      )
    },
  },
  {
    name: 'pay by a PayPal wallet, or give up there; give a part back',
    weight: 4,
    takes: ['PayPal wallets'],
    async go({ buy, challenge, look, giveBack, dice }) {
      const paid = await buy({ ...byPaypal, ...(dice.chance(0.3) && manual) }, dice.one(known))
      if (!paid || dice.chance(0.15)) return
      await challenge(paid, dice.chance(0.8) ? 'accept' : 'reject')
      const seen = await look(paid.payment_id)
      return seen?.status === 'succeeded' && giveBack(paid.payment_id, dice.between(100, 1250), dice.one(known))
    },
  },
  {
    name: 'a PayPal wallet, approved while the merchant cancels',
    weight: 2,
    takes: ['PayPal wallets'],
    async go({ buy, challenge, move, dice }) {
      const paid = await buy({ ...byPaypal, ...(dice.chance(0.5) && manual) }, 'named')
      return paid && Promise.all([challenge(paid, 'accept'), move(paid.payment_id, 'cancel')])
    },
  },
  {
    name: 'a PayPal wallet is held, captured in parts at once, and the rest let go',
    weight: 3,
    takes: ['PayPal wallets'],
    async go({ buy, challenge, move, giveBack, dice }) {
      const held = await buy({ ...byPaypal, ...inParts }, dice.one(known))
      if (!held) return
      await challenge(held, 'accept')
      const capture = (amount_to_capture: number, tag: string) => move(held.payment_id, 'capture', { amount_to_capture }, tag)
      await Promise.all([capture(500, 'a'), capture(600, 'b')])
      await move(held.payment_id, dice.one(['release', 'cancel'] as const))
      return giveBack(held.payment_id, 400, dice.one(known))
    },
  },
  {
    name: 'pay by iDEAL, or not; give it back in parts at once',
    weight: 4,
    takes: ['pages of banks'],
    async go({ buy, challenge, look, giveBack, dice }) {
      const paid = await buy({ ...byIdeal, currency: 'EUR' }, dice.one(known))
      if (!paid || dice.chance(0.15)) return
      await challenge(paid, dice.chance(0.8) ? 'accept' : 'reject')
      const seen = await look(paid.payment_id)
      const parts = [500, 600, 400]
      return seen?.status === 'succeeded' && Promise.all(parts.map((amount, i) => giveBack(paid.payment_id, amount, 'named', String(i))))
    },
  },
  {
    name: "a card's page is accepted while the merchant cancels",
    weight: 2,
    takes: ['pages of banks'],
    async go({ buy, challenge, move, dice }) {
      const paid = await buy({ ...byPage, currency: 'EUR', ...(dice.chance(0.5) && manual) }, 'named')
      return paid && Promise.all([challenge(paid, 'accept'), move(paid.payment_id, 'cancel')])
    },
  },
  {
    name: "a hold by a card's page is captured in parts, or let go of",
    weight: 3,
    takes: ['pages of banks'],
    async go({ buy, challenge, move, look, giveBack, dice }) {
      const held = await buy({ ...byPage, currency: 'EUR', ...inParts }, dice.one(known))
      if (!held) return
      await challenge(held, 'accept')
      await look(held.payment_id)
      await Promise.all([300, 400].map((amount_to_capture, i) => move(held.payment_id, 'capture', { amount_to_capture }, String(i))))
      await (dice.chance(0.5) ? move(held.payment_id, 'release') : move(held.payment_id, 'cancel'))
      return giveBack(held.payment_id, 300, 'named')
    },
  },
]
