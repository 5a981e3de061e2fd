// PostgreSQL's package leaves the links between its libraries to an install script, and scripts are switched off here
// (.npmrc). Without the links neither initdb nor postgres starts ("libicuuc.so.60: cannot open shared object file").
import { readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/**
 * Makes the links that are missing below the package folder. Symlinks appear whole, so two starts at once do no harm.
 */
export function makeLinks(packageDir) {
  const links = JSON.parse(readFileSync(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'))
  let made = 0
  for (const { source, target } of links) {
    const link = join(packageDir, target)
    const text = relative(dirname(link), join(packageDir, source))
    if (linkText(link) === text) continue
    const draft = join(dirname(link), `.${basename(link)}.${process.pid}`)
    rmSync(draft, { force: true })
    symlinkSync(text, draft)
    renameSync(draft, link)
    made++
  }
  return made
}

function linkText(link) {
  try {
    return readlinkSync(link)
  } catch {
    return null
  }
}
