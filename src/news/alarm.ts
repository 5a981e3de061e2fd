import type { Settings } from '../accounts/settings.ts'
import { later } from '../base/time.ts'
import { nextAlarm } from '../payments/alarm.ts'
import { isUnfinished, type Operation } from '../payments/payment.ts'
import type { Here } from '../payments/perform.ts'
import { findOperation, findPayment } from '../payments/rows.ts'
import type { Statement, World } from '../world.ts'
import { ask } from './hear.ts'

const setAlarm: Statement = {
  name: 'set_alarm',
  text: "update operations set ask_at = $4 where merchant_id = $1 and payment_id = $2 and n = $3 and state in ('open', 'waiting', 'unknown')",
}

/** For what should have ended by now and could not be written: it must ring again, and not in every tick. */
const anHourAfter = (now: string): string => later(now, 3_600_000)

/** An alarm went off: asks the processor about the operation. If that brought no end, the alarm is set to the next rung of the ladder. */
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
  if (!merchant || !operation || !payment || !isUnfinished(operation)) return
  try {
    await ask(world, here, merchant, operation)
  } finally {
    const now = world.now()
    await world.query(setAlarm, [merchant_id, payment_id, n, nextAlarm(operation.began, now, payment.expires_on) ?? anHourAfter(now)])
  }
}
