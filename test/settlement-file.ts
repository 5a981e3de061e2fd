import { request } from 'undici'
import type { Shop } from './shop.ts'

/** Gives the settlement file of a shop's processor, as CSV. */
export async function settlementFile(shop: Shop): Promise<string> {
  const answer = await request(`${shop.processor.url}/v1/settlements.csv`, {
    headers: { authorization: `Bearer sandbox_${shop.merchant_id}` },
  })
  return answer.body.text()
}
