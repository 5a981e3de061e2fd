import { familyOfWays } from './other.ts'
import { way } from './way.ts'

/** Cash at a shop against a code. A request may give only the family's name, and answers always do. */
export const reward = familyOfWays('reward', { reward: way(['classic', 'evoucher']) })
