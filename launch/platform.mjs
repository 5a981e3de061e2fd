// What this machine must be, and which Node runs the project on it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A sentence for a platform that cannot be served, or null. */
export function whyUnsupported() {
  const { platform, arch } = process
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) {
    return `Switchyard includes Node and PostgreSQL for Linux on x64 and arm64 only; this machine is ${platform} on ${arch}. Run it in a Linux container or virtual machine.`
  }
  if (isMusl()) {
    return 'Switchyard includes Node and PostgreSQL for glibc, but this Linux uses musl (Alpine?). Use Debian, Ubuntu, Fedora or a similar distribution.'
  }
  return null
}

/**
 * A glibc system may have musl's loader lying about, so that alone proves nothing: the running Node then says what it
 * was built on.
 */
function isMusl() {
  const arch = process.arch === 'x64' ? 'x86_64' : 'aarch64'
  if (!existsSync(`/lib/ld-musl-${arch}.so.1`)) return false
  return process.report?.getReport().header.glibcVersionRuntime === undefined
}

/**
 * The Node that came with the dependencies; without it SWITCHYARD_NODE or the Node that runs this, if they are new
 * enough.
 */
export function findNode(project) {
  const own = join(project, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
  if (existsSync(own)) return own
  const named = process.env.SWITCHYARD_NODE
  if (named) {
    const version = spawnSync(named, ['--version'], { encoding: 'utf8' }).stdout?.trim()
    if (version && major(version) >= 24) return named
    throw new Error(`SWITCHYARD_NODE is ${named}, which ${version ? `is Node ${version}` : 'cannot be run'}; Node 24 is required.`)
  }
  if (major(process.version) === 24) return process.execPath
  throw new Error(
    `Node 24 is missing: node-linux-${process.arch} is not installed. Run npm ci, or set SWITCHYARD_NODE to a Node 24 executable.`,
  )
}

function major(version) {
  return Number(version.replace(/^v/, '').split('.')[0])
}
