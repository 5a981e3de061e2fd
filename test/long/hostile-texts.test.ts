import { hostileTests } from '../hostile-readers.ts'

/** Readers take linear time for texts of the lengths that strangers and merchants may send. */

// A quadratic reader takes seconds for such a webhook, and minutes for such a file.
hostileTests({ webhook: 65_536, file: 100_000, body: 64_000 })
