import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** For shops' pages (`sdk/v1.js`). With a version, it never changes: at a release, the old is kept by that name. */

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
