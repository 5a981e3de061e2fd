import { definesOutside } from '../processors/outside-tests.ts'
import { outsideTraits } from '../processors/outside-traits.ts'
import { sampleOf } from '../sample.ts'

/**
 * The whole grid: what is moved at each processor, before, during and after operations of ours, told by webhook, late,
 * three times and not at all. The suite of processors takes one way of each.
 */
for (const [name, traits] of sampleOf(Object.entries(outsideTraits), 9)) definesOutside(name, traits, 'whole')
