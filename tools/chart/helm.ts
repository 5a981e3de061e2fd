import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The version of Helm that the chart is tested with, from the Go module proxy. */
const VERSION = '3.22.0'

const kept = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'switchyard', `helm-${VERSION}`)

const works = (program: string): boolean => /^v3\./.test(spawnSync(program, ['version', '--short'], { encoding: 'utf8' }).stdout ?? '')

/** Returns a Go that can build Helm: version 1.21 downloads the newer version that Helm needs. */
function findGo(): string | null {
  for (const go of ['go', '/usr/local/go/bin/go']) {
    const [, minor] = /go1\.(\d+)/.exec(spawnSync(go, ['version'], { encoding: 'utf8' }).stdout ?? '') ?? []
    if (Number(minor) >= 21) return go
  }
  return null
}

/**
 * Returns the command of Helm 3: the one installed on this machine (or `HELM`), otherwise one that was built before.
 * `--helm build` builds it once, which takes some minutes. Null if Helm is not available.
 */
export function findHelm(): string | null {
  const built = join(kept, 'bin', 'helm')
  const here = [process.env.HELM, 'helm', existsSync(built) ? built : undefined].find(one => one && one !== 'build' && works(one))
  if (here || process.env.HELM !== 'build') return here ?? null
  const go = findGo()
  if (go === null) throw new Error('Helm is built by Go 1.21 or newer, which is not here')
  mkdirSync(kept, { recursive: true })
  process.stdout.write(`building Helm ${VERSION} (once)\n`)
  execFileSync(go, ['install', '-trimpath', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@v${VERSION}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GOBIN: join(kept, 'bin'), CGO_ENABLED: '0', GOFLAGS: '-modcacherw' },
  })
  return built
}
