import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { attach, disputed, files, getDispute, openDisputedShop } from '../disputes.ts'
import { type Answer, type Body, http, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { type Crossing, crossings, dyingService } from './dying.ts'
import { openVariations } from './variations.ts'

/**
 * The service is killed at each crossing of the two answers to a dispute, to accept and to contest. Another process
 * takes over: it agrees with the processor, and a dispute that was not answered can still be answered.
 */

const { add, run } = openVariations()

const as =
  (shop: Shop, url: string) =>
  (path: string, body: unknown): Promise<Answer> =>
    http('POST', url + path, body, { 'api-key': shop.api_key })

const answers = {
  accept: { path: (id: string) => `/disputes/accept/${id}`, body: () => ({}), makes: ['dispute_accepted'] },
  contest: {
    path: () => '/disputes/evidence',
    body: (dispute_id: string) => ({ dispute_id, uncategorized_text: 'see the receipt' }),
    makes: ['dispute_challenged'],
  },
  'contest and win': {
    path: () => '/disputes/evidence',
    body: (dispute_id: string) => ({ dispute_id, uncategorized_text: 'winning_evidence' }),
    makes: ['dispute_won'],
  },
} as const

/**
 * The answers that are tested at the sandbox's own processor, and at PayPal, where a webhook names a dispute which is
 * then read.
 */
const tellers = { phonypay: ['accept', 'contest', 'contest and win'], paypal: ['accept', 'contest'] } as const

for (const [connector, names] of Object.entries(tellers) as [keyof typeof tellers, readonly (keyof typeof answers)[]][])
  for (const name of names)
    for (const delivery of ['heard', 'not heard'] as const) for (const at of crossings) answeredOnce(connector, name, delivery, at)

function answeredOnce(connector: keyof typeof tellers, name: keyof typeof answers, delivery: 'heard' | 'not heard', at: Crossing): void {
  const { path, body, makes } = answers[name]
  add(`${name} at ${at}`, `${connector}: ${name}: killed at ${at}, the processor’s own news ${delivery}`, async () => {
    const shop = await openDisputedShop(connector)
    const { dispute_id } = await disputed(shop)
    if (delivery === 'not heard') await shop.processor.account({ webhooks: 'hold' })
    const answer = (url: string) => as(shop, url)(path(dispute_id), body(dispute_id))
    equal(await dyingService(shop, at, answer), 'died')
    // Silence does not mean that the answer was refused, and no other process answers the dispute meanwhile.
    const isOpen =
      !['commit.1.before', 'commit.2.after'].includes(at) && (await getDispute(shop, dispute_id)).dispute_status === 'dispute_opened'
    if (isOpen) {
      const { code } = (await answer(shop.url)).body.error
      // The processor's webhook may have arrived in between: then the dispute is no longer open to an answer.
      const isOver = delivery === 'heard' && (await getDispute(shop, dispute_id)).dispute_status !== 'dispute_opened'
      if (code !== 'HE_00') deepEqual([code, isOver], ['HE_03', true])
    }
    await shop.wait('5 minutes')
    const wasSent = !at.startsWith('commit.1')
    const { dispute_status } = await getDispute(shop, dispute_id)
    deepEqual([dispute_status], wasSent ? makes : ['dispute_opened'])
    await agree(shop)
    // An answer that never reached the processor can be sent again.
    if (!wasSent) deepEqual([(await answer(shop.url)).body.dispute_status], makes)
    await agree(shop)
  })
}

/**
 * The crossings at Adyen: the service reads the defense reasons, supplies the documents, and then defends, which is
 * final.
 */
const adyenCrossings: readonly Crossing[] = [...crossings, 'send.2.during', 'send.2.after', 'send.3.during', 'send.3.after']

for (const at of adyenCrossings)
  test(`adyen: contest, service killed at ${at}: the dispute is defended once, with each file as its document type`, async () => {
    const shop = await openDisputedShop('adyen')
    const { dispute_id, remote } = await disputed(shop, { reason: 'product_unacceptable' })
    for (const evidence_type of ['receipt', 'uncategorized_file']) await attach(shop, { dispute_id, evidence_type }, { bytes: files.pdf })
    const answer = (url: string) => as(shop, url)('/disputes/evidence', { dispute_id })
    equal(await dyingService(shop, at, answer), 'died')
    await shop.wait('10 minutes')
    const wasSent = at !== 'commit.1.before'
    const { dispute_status } = await getDispute(shop, dispute_id)
    const ledger = (await shop.processor.ledger()) as Body
    const { status, evidence } = ledger.disputes.find(({ id }: Body) => id === remote.id)
    equal(dispute_status, status === 'under_review' ? 'dispute_challenged' : 'dispute_opened', `${at} ${status}`)
    if (wasSent) equal(status, 'under_review')
    const bytes = `${files.pdf.length} bytes`
    deepEqual(evidence, status === 'under_review' ? { TIDorInvoice: bytes, DefenseMaterial: bytes } : {})
    await agree(shop)
  })

/**
 * The answers at Checkout.com, where evidence is supplied first, which decides nothing, and is then submitted.
 * `unanswered`: the crossings at which Checkout.com has received no answer yet.
 */
const begun: readonly Crossing[] = ['commit.1.before', 'commit.1.after']
type Answered = { at: readonly Crossing[]; unanswered: readonly Crossing[]; stands: string }
const checkoutAnswers: Record<'accept' | 'contest', Answered> = {
  accept: { at: crossings, unanswered: begun, stands: 'dispute_accepted' },
  contest: {
    at: [...crossings, 'send.2.during', 'send.2.after'],
    unanswered: [...begun, 'send.1.during', 'send.1.after'],
    stands: 'dispute_challenged',
  },
}

for (const [name, { at: all, unanswered, stands }] of Object.entries(checkoutAnswers))
  for (const at of all)
    add(`${name} at ${at}`, `checkout: ${name}: killed at ${at}: it is answered once, and what was not answered can be`, async () => {
      const shop = await openDisputedShop('checkout')
      const { dispute_id, remote } = await disputed(shop)
      await shop.processor.account({ webhooks: 'hold' })
      const answer = (url: string) =>
        name === 'accept'
          ? as(shop, url)(`/disputes/accept/${dispute_id}`, {})
          : as(shop, url)('/disputes/evidence', { dispute_id, uncategorized_text: 'see the receipt' })
      equal(await dyingService(shop, at, answer), 'died')
      await shop.wait('10 minutes')
      const wasSent = !unanswered.includes(at)
      const { status } = ((await shop.processor.ledger()) as Body).disputes.find(({ id }: Body) => id === remote.id)
      equal(status !== 'needs_response', wasSent, `${at} ${status}`)
      equal((await getDispute(shop, dispute_id)).dispute_status, wasSent ? stands : 'dispute_opened')
      if (!wasSent) equal((await answer(shop.url)).body.dispute_status, stands)
      await agree(shop)
    })

run()
