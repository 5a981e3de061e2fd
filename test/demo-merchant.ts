import { inTheDemo, payersInTheDemo } from '../sandbox/homes.ts'
import { addAccount } from './merchant.ts'
import { openShop, type Shop } from './shop.ts'

/** Opens a shop with the accounts of the demo merchant: one at every processor that the sandbox imitates. */
export async function openDemoShop(): Promise<Shop> {
  const opened = await openShop({ webhooks: 'on' })
  for (const name of inTheDemo) await addAccount(opened, name)
  for (const name of payersInTheDemo)
    await addAccount(opened, name, { connector_type: 'payout_processor', connector_label: `${name}_payouts` })
  return opened
}
