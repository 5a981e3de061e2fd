import { obeysTheLaws } from '../../test/laws.ts'
import { lifecycle, usable } from './lifecycle.ts'

obeysTheLaws({ name: 'a payment method', grid: lifecycle, begins: ['new'], rests: usable })
