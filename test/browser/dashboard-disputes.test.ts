import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { cards, openShop } from '../shop.ts'
import { builtFirst, signedIn } from './dashboard.ts'
import { barriers } from './look.ts'

// Disputes in the dashboard: the disputes that are due, and the files that answer them.

builtFirst()

test('disputes that need a response are counted and sorted by due date; evidence files are attached and removed without being submitted', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 24_900, card: cards.isDisputed })
  const found = async () => (await shop.call('GET', `/disputes/list?payment_id=${payment_id}`)).body
  await eventually(async () => (await found()).length === 1, 'the dispute is here')
  const [{ dispute_id }] = await found()
  const attached = async () =>
    (await shop.call('GET', `/disputes/evidence/${dispute_id}`)).body.map((one: { evidence_type: string }) => one.evidence_type)
  const { page, problems } = await signedIn(shop, '/disputes')
  await page.getByText('1 dispute needs an answer.').waitFor()
  await page.getByRole('link', { name: 'dispute_opened 1' }).click()
  await page.getByText('the soonest due first').waitFor()
  await page.getByRole('link', { name: '249.00 EUR' }).click()
  const files = page.getByRole('list', { name: 'Files' })
  await files.getByRole('button', { name: 'Attach Receipt' }).waitFor()
  deepEqual(await barriers(page), [])
  await files
    .getByLabel('File: Receipt')
    .setInputFiles({ name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 a receipt') })
  await files.getByRole('button', { name: 'Replace Receipt' }).waitFor()
  deepEqual(await attached(), ['receipt'])
  equal((await found())[0].dispute_status, 'dispute_opened', 'nothing is handed in')
  await files.getByRole('button', { name: 'Remove Receipt' }).click()
  await files.getByRole('button', { name: 'Attach Receipt' }).waitFor()
  deepEqual(await attached(), [])
  deepEqual(problems, [])
})
