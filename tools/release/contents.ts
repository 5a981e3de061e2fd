import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackages, published } from '../packages.ts'
import { git, notesOf, versionOf } from './ready.ts'

/**
 * The files of a release. The same commit gives the same files, byte for byte: times are the commit's, and names that
 * tools would generate at random are digests.
 */

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--ignore-scripts'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e9 })

/** The lock files, each of which gives a bill of materials (CycloneDX). */
const locked = { service: '.', packages: 'packages' } as const

/** Returns npm's bill of materials, without the parts that differ between runs and between folders. */
function billOf(root: string, folder: string, time: string): string {
  const bill = JSON.parse(npm(join(root, folder), 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'))
  delete bill.serialNumber
  bill.metadata.timestamp = time
  bill.metadata.component.name = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name
  const digest = sha256(JSON.stringify(bill))
  const uuid = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`, digest.slice(20, 32)]
  const { $schema, bomFormat, specVersion, ...rest } = bill
  return `${JSON.stringify({ $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${uuid.join('-')}`, ...rest }, null, 1)}\n`
}

/** Returns the image as its Dockerfile describes it: its contents, and the facts that its operator needs. */
export function imageOf(dockerfile: string, { version, revision, time }: { version: string; revision: string; time: string }) {
  const lines = dockerfile.split('\n')
  const stages = lines.flatMap(line => /^FROM (\S+)(?: AS (\S+))?/.exec(line)?.slice(1, 3) ?? []).filter(one => one !== undefined)
  const last = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')))
  const instructions = (word: string) => last.flatMap(line => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
  const env = Object.fromEntries(instructions('ENV').flatMap(pairs => pairs.split(' ').map(one => one.split('=') as [string, string])))
  const labels = {
    'org.opencontainers.image.title': 'switchyard',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': revision,
    'org.opencontainers.image.created': time,
    'org.opencontainers.image.licenses': 'Apache-2.0',
    'org.opencontainers.image.base.name': stages.at(-1)!,
  }
  return {
    name: `switchyard:${version}`,
    dockerfile_sha256: sha256(dockerfile),
    platforms: ['linux/amd64', 'linux/arm64'],
    user: instructions('USER')[0] ?? 'root',
    ports: instructions('EXPOSE').map(Number),
    env,
    writable: [env.FILES_FOLDER].filter(one => one !== undefined),
    command: JSON.parse(instructions('CMD')[0]!) as string[],
    labels,
    build: [
      'docker',
      'build',
      '-t',
      `switchyard:${version}`,
      ...Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
      '.',
    ],
  }
}

/** Writes the files of a release of this commit into an existing, empty folder. Returns the names of the packages. */
export async function writeRelease(root: string, folder: string): Promise<string[]> {
  const version = versionOf(root)
  const [revision, time] = [git(root, 'rev-parse', 'HEAD'), new Date(Number(git(root, 'log', '-1', '--format=%ct')) * 1000).toISOString()]
  await buildPackages()
  const packed = published.map(name => {
    const report = JSON.parse(npm(join(root, 'packages', name), 'pack', '--json', '--pack-destination', folder))
    return (Object.values(report)[0] as { filename: string }).filename
  })
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version) ?? ''
  writeFileSync(join(folder, 'NOTES.md'), `# Switchyard ${version}\n\n${notes}\n`)
  const image = imageOf(readFileSync(join(root, 'Dockerfile'), 'utf8'), { version, revision, time })
  writeFileSync(join(folder, 'image.json'), `${JSON.stringify(image, null, 2)}\n`)
  copyFileSync(join(root, 'docs/generated/openapi.json'), join(folder, 'openapi.json'))
  for (const [name, where] of Object.entries(locked)) writeFileSync(join(folder, `sbom-${name}.cdx.json`), billOf(root, where, time))
  const sums = readdirSync(folder)
    .toSorted()
    .map(file => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return packed
}
