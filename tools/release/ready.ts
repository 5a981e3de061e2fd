import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { published } from '../packages.ts'

/** The checks before a release: whether all files have the same version, and what prevents the release. */

/** Returns the output of a git command in this project, without its last line break. */
export const git = (root: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd()

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8')
const json = (root: string, file: string) => JSON.parse(read(root, file))

export const versionOf = (root: string): string => json(root, 'package.json').version

/** Returns the section of a version in the changelog, without its heading; null if there is none. */
export function notesOf(changelog: string, version: string): string | null {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find(text => text.slice(0, text.indexOf('\n')).trim() === version)
  const notes = section?.slice(section.indexOf('\n')).trim()
  return notes ? notes : null
}

/** Returns the files with another version than that of `package.json`, or with none. */
export function disagreements(root: string): string[] {
  const version = versionOf(root)
  const [first, second] = [...read(root, 'CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  const lock = json(root, 'package-lock.json')
  const cli = json(root, 'packages/cli/package.json')
  const versions: Record<string, unknown> = {
    'CHANGELOG.md (its first section, below what is unreleased)': first === 'Unreleased' ? second : first,
    'package-lock.json': lock.version,
    'package-lock.json (packages)': lock.packages[''].version,
    'docs/generated/openapi.json': json(root, 'docs/generated/openapi.json').info.version,
    'packages/node/package.json': json(root, 'packages/node/package.json').version,
    'packages/cli/package.json': cli.version,
    'packages/cli/package.json (@switchyard/node)': cli.dependencies['@switchyard/node'],
  }
  return Object.entries(versions)
    .filter(([, other]) => other !== version)
    .map(([where, other]) => `${where} says ${other}, package.json ${version}`)
}

/** Returns why the output of CI (`bash .ci/run whole`) is not green for this commit; null if it is. */
export function whyNotGreen(output: string): string | null {
  const first = output.slice(0, Math.max(0, output.indexOf('\n')))
  if (first !== 'A whole run') return `it is not a whole run: its first line is ${JSON.stringify(first.slice(0, 80))}`
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(last) ?? []
  if (passed === undefined) return `its last line is not "N passed, 0 failed": ${last.slice(0, 80)}`
  if (Number(failed) > 0) return last
  return Number(passed) > 0 ? null : 'no test ran'
}

/** Returns what prevents a release of this commit, with the remedy. `ci`: the file with the output of CI. */
export function whatStops(root: string, ci: string | null): string[] {
  const version = versionOf(root)
  const stops: string[] = []
  const changed = git(root, 'status', '--porcelain')
  if (changed !== '') stops.push(`the working tree is not clean: commit or remove ${changed.split('\n').length} files`)
  if (git(root, 'tag', '--list', `v${version}`) !== '') stops.push(`the tag v${version} exists: choose the next version (npm version)`)
  const changelog = read(root, 'CHANGELOG.md')
  if (/^## Unreleased$/m.test(changelog)) stops.push(`CHANGELOG.md has a section Unreleased: it becomes ## ${version}`)
  if (notesOf(changelog, version) === null) stops.push(`CHANGELOG.md has no section ## ${version} with something in it`)
  stops.push(...disagreements(root))
  for (const name of published)
    if (json(root, `packages/${name}/package.json`).private === true) stops.push(`packages/${name} is private and cannot be published`)
  if (!existsSync(join(root, `test/releases/${version}.json`)))
    stops.push(`test/releases/${version}.json is missing: npm test -- test/previous-release.test.ts --record`)
  if (ci !== null) {
    const why = existsSync(ci) ? whyNotGreen(readFileSync(ci, 'utf8')) : 'there is no such file'
    if (why !== null) stops.push(`${ci} is not green: ${why}`)
    else if (statSync(ci).mtimeMs / 1000 < Number(git(root, 'log', '-1', '--format=%ct')))
      stops.push(`${ci} is older than the commit: run bash .ci/run whole again`)
  }
  return stops
}
