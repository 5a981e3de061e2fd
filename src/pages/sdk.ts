import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * The script for shops' own pages (`sdk/v1.js`). Its address with a version never means anything else: a version that
 * was released is kept as a file of that name when the next one comes.
 */

const script = readFileSync(new URL('sdk/v1.js', import.meta.url))
const [, version] = /const VERSION = '([^']+)'/.exec(script.toString())!

export const loader = {
  script,
  version: version!,
  /** What a browser holds the script to (Subresource Integrity). */
  integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
  /** Fixes arrive here within minutes. */
  current: '/sdk/v1.js',
  /** And here never. */
  pinned: `/sdk/v${version}.js`,
}
