import { needDebian } from '../debian.ts'

/** The path of Debian's own Chromium. */
export const chromiumPath = process.env.CHROMIUM || '/usr/bin/chromium'

export const needChromium = (): void => needDebian(chromiumPath, 'chromium', 'CHROMIUM')
