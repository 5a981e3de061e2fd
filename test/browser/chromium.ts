import { needDebian } from '../debian.ts'

/** Debian's own browser. */
export const chromiumPath = process.env.CHROMIUM || '/usr/bin/chromium'

export const needChromium = (): void => needDebian(chromiumPath, 'chromium', 'CHROMIUM')
