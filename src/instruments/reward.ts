import { familyOfWays } from './other.ts'
import { way } from './way.ts'

/** Cash that is paid in at a shop, against a code. A request may say it by its name alone, and answers do. */
export const reward = familyOfWays('reward', { reward: way(['classic', 'evoucher']) })
