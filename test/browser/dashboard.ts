import { equal } from 'node:assert/strict'
import { join } from 'node:path'
import { before } from 'node:test'
import { buildPages } from '../../launch/pages.ts'
import { type Browser, openOwner, PASSWORD } from '../people.ts'
import { cards, openShop, type Shop } from '../shop.ts'
import { type Visit, visit } from './visit.ts'

// Shared by all tests of the dashboard, which use the build that `npm start` makes.

const project = join(import.meta.dirname, '../..')

/** Builds the dashboard before the first test. Each file of tests calls this function. */
export const builtFirst = (): void => before(() => buildPages(project, 'dashboard', () => {}).done)

export const wide = { width: 1440, height: 900 }

/** Opens a page of the dashboard as the owner of this shop. */
export async function signedIn(shop: Shop, path = '/payments', viewport = wide, prefers: Parameters<typeof visit>[3] = {}): Promise<Visit> {
  const found = await visit(shop.url, `/dashboard${path}`, viewport, prefers)
  await signIn(found, shop)
  return found
}

const owners = new Map<string, Promise<Browser>>()

/** Gives the owner of a shop, who is made at the first call. */
export function ownerOf(shop: Shop): Promise<Browser> {
  const owner = owners.get(shop.merchant_id) ?? openOwner(shop)
  owners.set(shop.merchant_id, owner)
  return owner
}

export async function signIn({ page }: Visit, shop: Shop, who?: Browser): Promise<void> {
  const { user } = who ?? (await ownerOf(shop))
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('#page').waitFor()
}

/** Opens a shop with payments of several results, one of them half refunded. */
export async function openTradingShop(): Promise<{ shop: Shop; paid: string; held: string; refused: string }> {
  const shop = await openShop()
  const euro = { currency: 'EUR', amount: 24_900 }
  const paid = await shop.pay({ ...euro, merchant_order_reference_id: 'NL-204397' })
  const held = await shop.pay({ currency: 'KWD', amount: 18_250, capture_method: 'manual' })
  const refused = await shop.pay({ currency: 'JPY', amount: 1_890_000, card: cards.declines })
  equal([paid.status, held.status, refused.status].join(), 'succeeded,requires_capture,failed')
  return { shop, paid: paid.payment_id, held: held.payment_id, refused: refused.payment_id }
}
