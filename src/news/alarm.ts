import type { Settings } from '../accounts/settings.ts'
import { statement } from '../database/statement.ts'
import { alarmAfter } from '../payments/alarm.ts'
import type { Operation } from '../payments/payment.ts'
import type { Here } from '../payments/perform.ts'
import { findOperation, findPayment } from '../payments/rows.ts'
import type { World } from '../world.ts'
import { ask } from './hear.ts'

/** Only while the alarm is the one that went off: whoever settled the operation meanwhile has set it himself. */
const setAlarm = statement(
  'set_alarm',
  'update operations set ask_at = $4 where merchant_id = $1 and payment_id = $2 and n = $3 and ask_at = $5',
)

/** An alarm went off: asks the processor about the operation. If that brought nothing new, the alarm is set to the next rung of its ladder. */
export async function answerAlarm(
  world: World,
  here: Here,
  settings: Settings,
  alarm: Pick<Operation, 'merchant_id' | 'payment_id' | 'n'>,
): Promise<void> {
  const { merchant_id, payment_id, n } = alarm
  const [merchant, operation, payment] = await Promise.all([
    settings.merchant(merchant_id),
    findOperation(world, merchant_id, payment_id, n),
    findPayment(world, merchant_id, payment_id),
  ])
  if (!merchant || !operation || !payment || operation.ask_at === null) return
  try {
    await ask(world, here, merchant, operation)
  } finally {
    await world.query(setAlarm, [merchant_id, payment_id, n, alarmAfter(operation, world.now(), payment.expires_on), operation.ask_at])
  }
}
