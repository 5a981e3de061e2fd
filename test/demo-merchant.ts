import { inTheDemo, payersInTheDemo } from '../sandbox/homes.ts'
import { addAccount } from './merchant.ts'
import { openShop, type Shop } from './shop.ts'

/** As the demo merchant, it has an account at every processor that the sandbox speaks like. */
export async function openDemoShop(): Promise<Shop> {
  const opened = await openShop({ webhooks: 'on' })
  for (const name of inTheDemo) await addAccount(opened, name)
  for (const name of payersInTheDemo)
    await addAccount(opened, name, { connector_type: 'payout_processor', connector_label: `${name}_payouts` })
  return opened
}
