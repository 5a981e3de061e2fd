// A release, made in a copy of the project as a maintainer makes it: its files, its tag, and what stops it.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildPackages } from '../tools/packages.ts'
import { versionOf } from '../tools/release/ready.ts'

const root = join(import.meta.dirname, '..')
const place = mkdtempSync(join(tmpdir(), 'switchyard-release-'))
const copy = join(place, 'project')
const ciLog = join(place, 'ci.log')
const version = versionOf(root)
after(() => rmSync(place, { recursive: true, force: true }))

const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const release = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'release', '--', ...args], { cwd: copy, encoding: 'utf8' })
  return { status, stdout, stderr }
}
const files = [
  'NOTES.md',
  'SHA256SUMS',
  'image.json',
  'openapi.json',
  'sbom-packages.cdx.json',
  'sbom-service.cdx.json',
  `switchyard-cli-${version}.tgz`,
  'switchyard-js-1.0.0.tgz',
  `switchyard-node-${version}.tgz`,
  'switchyard-react-1.0.0.tgz',
]

before(async () => {
  const own = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  for (const file of own.filter(file => existsSync(join(root, file)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  // A copy, with links that stay in it: the packages that it builds are its own.
  await buildPackages()
  execFileSync('cp', ['-a', join(root, 'packages/node_modules'), join(copy, 'packages/node_modules')])
  // As the steps before a release leave it.
  const recorded = join(copy, `test/releases/${version}.json`)
  if (!existsSync(recorded)) writeFileSync(recorded, '{}')
  writeFileSync(join(copy, '.git-excluded'), 'node_modules\n.git-excluded\n')
  git('init', '-q')
  git('config', 'user.name', 'A maintainer')
  git('config', 'user.email', 'maintainer@example.com')
  git('config', 'core.excludesFile', join(copy, '.git-excluded'))
  git('add', '-A')
  git('commit', '-qm', 'All that belongs to the release')
  writeFileSync(ciLog, 'A whole run\n== the fast suite\n3000 passed, 0 failed\n\n3412 passed, 0 failed\n')
})

test('a release is refused with the reason when the working tree is not clean or CI is not green, and nothing is created', () => {
  const nothing = () => deepEqual([git('tag'), existsSync(join(copy, 'release'))], ['', false])
  writeFileSync(join(copy, 'README.md'), 'changed')
  const dirty = release('--ci', ciLog)
  equal(dirty.status, 1)
  match(dirty.stdout, /the working tree is not clean: commit or remove 1 files/)
  git('checkout', '-q', 'README.md')
  nothing()
  const red = join(place, 'red.log')
  writeFileSync(red, 'A whole run\n3411 passed, 1 failed\n')
  const failed = release('--ci', red)
  equal(failed.status, 1)
  match(failed.stdout, /is not green: 3411 passed, 1 failed/)
  nothing()
  match(release('--ci', join(place, 'none.log')).stdout, /is not green: there is no such file/)
  nothing()
})

test('a dry run writes the release files, and creates no tag', () => {
  const into = join(place, 'dry')
  const { status, stdout, stderr } = release('--dry-run', '--into', into)
  equal(status, 0, stdout + stderr)
  deepEqual(readdirSync(into).toSorted(), files.toSorted())
  match(stdout, /nothing is tagged/)
  equal(git('tag'), '')
})

test('a release is signed with the maintainer’s key, a changed file fails verification, and an unusable key stops the release', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = join(place, 'key.pem')
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const into = join(place, 'signed')
  const { status, stdout, stderr } = release('--dry-run', '--into', into, '--key', key)
  equal(status, 0, stdout + stderr)
  deepEqual(readdirSync(into).toSorted(), [...files, 'SHA256SUMS.sig'].toSorted())
  const [sums, signature] = [readFileSync(join(into, 'SHA256SUMS')), readFileSync(join(into, 'SHA256SUMS.sig'))]
  equal(verify(null, sums, publicKey, signature), true)
  equal(verify(null, Buffer.from(sums.toString().replace(/^./, '0')), publicKey, signature), sums.toString().startsWith('0'))
  match(stdout, /cosign sign .*\n.*cosign attest .*sbom-service\.cdx\.json/)
  const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(key, other.export({ type: 'pkcs8', format: 'pem' }))
  for (const [bad, pattern] of [
    [key, /must be an Ed25519 key/],
    [join(place, 'none.pem'), /cannot be read/],
  ] as const) {
    const refused = release('--dry-run', '--into', join(place, 'unsigned'), '--key', bad)
    equal(refused.status, 1)
    match(refused.stdout, pattern)
    equal(existsSync(join(place, 'unsigned')), false)
  }
})

test('a release writes its files and its tag, and the same commit gives the same files', () => {
  const { status, stdout, stderr } = release('--ci', ciLog)
  equal(status, 0, stdout + stderr)
  const into = join(copy, 'release', version)
  deepEqual(readdirSync(into).toSorted(), files.toSorted())
  execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: into })
  equal(readFileSync(join(into, 'SHA256SUMS'), 'utf8'), readFileSync(join(place, 'dry', 'SHA256SUMS'), 'utf8'))
  equal(git('rev-parse', `v${version}^{commit}`), git('rev-parse', 'HEAD'))
  const message = git('tag', '-l', '--format=%(contents)', `v${version}`)
  ok(message.startsWith(`Switchyard ${version}\n\n`))
  const notes = readFileSync(join(into, 'NOTES.md'), 'utf8')
  ok(message.trim().endsWith(notes.trim().split('\n').at(-1)!) && notes.split('\n').length > 20)
  match(stdout, new RegExp(`git push origin v${version}`))
  for (const file of files.filter(file => file.endsWith('.tgz')))
    ok(stdout.includes(`npm publish --access public release/${version}/${file}`), file)
  equal(git('status', '--porcelain'), '')
  const again = release('--ci', ciLog)
  equal(again.status, 1)
  match(again.stdout, new RegExp(`the tag v${version} exists`))
})

test('the bills of materials list every locked library, with digests', () => {
  const into = join(copy, 'release', version)
  for (const [name, folder] of Object.entries({ service: '.', packages: 'packages' })) {
    const bill = JSON.parse(readFileSync(join(into, `sbom-${name}.cdx.json`), 'utf8'))
    equal(bill.bomFormat, 'CycloneDX')
    match(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    const { packages } = JSON.parse(readFileSync(join(copy, folder, 'package-lock.json'), 'utf8'))
    const locked = Object.entries(packages as Record<string, { version?: string; link?: boolean; name?: string }>)
      .filter(([path, { link }]) => path.includes('node_modules/') && !link)
      .map(([path, one]) => `${one.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${one.version}`)
    const listed = new Set(bill.components.map((one: { name: string; version: string }) => `${one.name}@${one.version}`))
    const missing = locked.filter(one => !listed.has(one))
    deepEqual(missing, [], name)
    ok(bill.components.some((one: { hashes?: { alg: string }[] }) => one.hashes?.[0]?.alg === 'SHA-512'))
  }
})
