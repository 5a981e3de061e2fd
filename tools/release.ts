import { execFileSync, spawnSync } from 'node:child_process'
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeRelease } from './release/contents.ts'
import { versionOf, whatStops, whyNotGreen } from './release/ready.ts'

/**
 * Makes a release of the commit that is checked out: checks whether a release is possible, writes its files into a
 * folder, and tags the commit. Nothing leaves this machine: the remaining steps are printed. The tag comes last, so an
 * interrupted release has none and can be made again.
 */

const root = join(import.meta.dirname, '..')
const say = (...lines: string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)

/** Runs the whole of CI with its output shown. Returns why CI is not green, or null. */
function runCi(): string | null {
  const { stdout } = spawnSync('bash', ['.ci/run', 'whole'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e9,
  })
  process.stdout.write(stdout)
  return whyNotGreen(stdout)
}

/** Returns the key for signatures, or why it cannot be used, in words. */
function readKey(file: string): KeyObject | string {
  try {
    const key = createPrivateKey(readFileSync(file))
    return key.asymmetricKeyType === 'ed25519' ? key : `--key ${file} must be an Ed25519 key: openssl genpkey -algorithm ed25519 -out FILE`
  } catch (error) {
    return `--key ${file} cannot be read as a private key: ${(error as Error).message}`
  }
}

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, ci: { type: 'string' }, into: { type: 'string' }, key: { type: 'string' } },
})
const isDry = values['dry-run']
const version = versionOf(root)
const into = resolve(values.into ?? join(root, 'release', version))

const stops = whatStops(root, values.ci === undefined ? null : resolve(values.ci))
// A dry run may be repeated; a folder that is not a release is never removed.
const isInTheWay = existsSync(into) && !(isDry && existsSync(join(into, 'SHA256SUMS')))
if (isInTheWay) stops.push(`${into} exists: remove it, or choose another folder with --into`)
const key = values.key === undefined ? null : readKey(resolve(values.key))
if (typeof key === 'string') stops.push(key)
if (stops.length === 0 && !isDry && values.ci === undefined) {
  const why = runCi()
  if (why !== null) stops.push(`CI is not green: ${why}`)
}
if (stops.length > 0) say(`What stops release ${version}:`, ...stops.map(one => `- ${one}`))
if (isInTheWay || typeof key === 'string' || (stops.length > 0 && !isDry)) process.exit(1)

mkdirSync(dirname(into), { recursive: true })
const making = mkdtempSync(join(dirname(into), '.release-'))
try {
  const packed = await writeRelease(root, making)
  // The checksums cover all other files, so only their file is signed.
  const sums = join(making, 'SHA256SUMS')
  if (key !== null) writeFileSync(`${sums}.sig`, sign(null, readFileSync(sums), key))
  if (isDry) rmSync(into, { recursive: true, force: true })
  renameSync(making, into)
  const from = relative(process.cwd(), into) || '.'
  say(`The files of release ${version} are in ${from}:`, readFileSync(join(into, 'SHA256SUMS'), 'utf8').trimEnd())
  if (isDry) say('This was a dry run: nothing is tagged.')
  else {
    const notes = readFileSync(join(into, 'NOTES.md'), 'utf8').replace(/^# /, '')
    execFileSync('git', ['tag', '-a', `v${version}`, '--cleanup=whitespace', '-F', '-'], { cwd: root, input: notes })
    say(`The commit is tagged v${version}.`)
  }
  const { build } = JSON.parse(readFileSync(join(into, 'image.json'), 'utf8')) as { build: string[] }
  say(
    'What is left to do, by a person who may:',
    `  git push origin v${version}`,
    ...packed.map(file => `  npm publish --access public ${join(from, file)}`),
    `  ${build.map(word => (/[^\w./:=-]/.test(word) ? `'${word}'` : word)).join(' ')}`,
    `  docker push switchyard:${version}   # under the name of your registry; the digest that it prints:`,
    `  cosign sign --key KEY REGISTRY/switchyard@sha256:DIGEST`,
    `  cosign attest --key KEY --type cyclonedx --predicate ${join(from, 'sbom-service.cdx.json')} REGISTRY/switchyard@sha256:DIGEST`,
  )
} finally {
  rmSync(making, { recursive: true, force: true })
}
process.exitCode = stops.length > 0 ? 1 : 0
