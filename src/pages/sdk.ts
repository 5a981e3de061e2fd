import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * The script for shops' own pages (`sdk/v1.js`). The script at an address with a version never changes: a released
 * version is kept as a file of that name when the next version is released.
 */

const script = readFileSync(new URL('sdk/v1.js', import.meta.url))
const [, version] = /const VERSION = '([^']+)'/.exec(script.toString())!

export const loader = {
  script,
  version: version!,
  /** The digest against which browsers check the script (Subresource Integrity). */
  integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
  /** The address of the current script, which receives fixes within minutes. */
  current: '/sdk/v1.js',
  /** The address of exactly this version, which never changes. */
  pinned: `/sdk/v${version}.js`,
}
