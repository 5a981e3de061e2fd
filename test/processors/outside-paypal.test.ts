import { definesOutside } from './outside-tests.ts'

definesOutside('paypal', { without: { 'a raised hold': 'PayPal raises no holds' } })
