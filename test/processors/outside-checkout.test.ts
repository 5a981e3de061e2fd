import { definesOutside } from './outside-tests.ts'

definesOutside('checkout')
