import { needDebian } from '../debian.ts'

/** The path of Debian's own Chromium, the one without a window: pages take it half as long. */
export const chromiumPath = process.env.CHROMIUM || '/usr/bin/chromium-headless-shell'

export const needChromium = (): void => needDebian(chromiumPath, 'chromium-headless-shell', 'CHROMIUM')
