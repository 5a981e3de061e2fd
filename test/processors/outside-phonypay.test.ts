import { definesOutside } from './outside-tests.ts'
import { outsideTraits } from './outside-traits.ts'

definesOutside('phonypay', outsideTraits.phonypay!)
