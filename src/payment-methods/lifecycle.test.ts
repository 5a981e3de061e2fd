import { obeysTheLaws } from '../../test/laws.ts'
import { lifecycle, usable } from './lifecycle.ts'
import { mandateLifecycle } from './mandate.ts'

obeysTheLaws({ name: 'a payment method', grid: lifecycle, begins: ['new'], rests: usable })
obeysTheLaws({ name: 'a mandate', grid: mandateLifecycle, begins: ['pending', 'active'], rests: ['active', 'inactive'] })
