import { obeysTheLaws } from '../../test/laws.ts'
import { refundLifecycle } from './lifecycle.ts'

// A refund that succeeded may be taken back by the card's bank. One that was given up or has failed may still turn
// out to have happened: then a person looks (`review`), who may hear the truth.
obeysTheLaws({ name: 'a refund', grid: refundLifecycle, begins: ['pending'], rests: ['succeeded', 'failed', 'review'] })
