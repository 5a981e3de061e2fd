import { obeysTheLaws } from '../../test/laws.ts'
import { refundLifecycle } from './lifecycle.ts'

// The card's bank may return a refund that succeeded. A refund that was given up or has failed may still turn out to
// have happened: then it requires manual review (`review`), and the true result can still arrive.
obeysTheLaws({ name: 'a refund', grid: refundLifecycle, begins: ['pending'], rests: ['succeeded', 'failed', 'review'] })
