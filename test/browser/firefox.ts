import { needDebian } from '../debian.ts'

/** The path of Debian's own Firefox. */
export const firefoxPath = process.env.FIREFOX || '/usr/bin/firefox-esr'

export const needFirefox = (): void => needDebian(firefoxPath, 'firefox-esr', 'FIREFOX')
