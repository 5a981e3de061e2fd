import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { request } from 'undici'
import { diesWithParent } from '../launch/death-signal.mjs'
import { installPrograms } from './install.ts'
import { addressOf, HERE, openNetwork } from './network.ts'
import { haproxyConfig, PASSWORD, patroniConfig, ports, SCOPE } from './patroni.ts'
import { type Held, openWitness } from './witness.ts'

const nodes = [1, 2, 3] as const
/** The user id of `nobody`, because PostgreSQL refuses root. */
const NOBODY = 65_534
/** The time within which the cluster must reach a state, in milliseconds. */
const PATIENCE_MS = 90_000
/** The command for a process namespace of its own, as on a machine: Patroni is the first process, and reaps. */
const ownProcesses = ['unshare', '--pid', '--fork', '--kill-child=KILL', '--mount-proc']

const etcdAddress = `http://${HERE}:${ports.etcd}`
const base64 = (text: string) => Buffer.from(text).toString('base64')
const leaderKey = base64(`/service/${SCOPE}/leader`)

async function etcd<T>(path: string, body: object): Promise<T> {
  const answer = await request(`${etcdAddress}/v3/${path}`, { method: 'POST', body: JSON.stringify(body), headersTimeout: 1000 })
  return (await answer.body.json()) as T
}

async function leader(): Promise<Held | null> {
  type Range = { kvs?: { value: string; lease: string; mod_revision: string }[] }
  const held = (await etcd<Range>('kv/range', { key: leaderKey })).kvs?.[0]
  if (!held) return null
  const name = Buffer.from(held.value, 'base64').toString()
  const host = addressOf(Number(name.replace('node', '')))
  return {
    name,
    url: `http://${host}:${ports.patroni}/primary`,
    database: { host, port: ports.postgres },
    lease: held.lease,
    revision: held.mod_revision,
  }
}

/** Deletes the leader key, not the lease: a holder without a lease would take a new one. */
const release = ({ revision }: Held) =>
  etcd('kv/txn', {
    compare: [{ key: leaderKey, target: 'MOD', result: 'EQUAL', mod_revision: revision }],
    success: [{ request_delete_range: { key: leaderKey } }],
  })

/** Sends a signal to every process of a node (those in its network namespace), or to those whose command matches. */
function sendSignal(i: number, signal: NodeJS.Signals, only?: RegExp): void {
  for (const pid of processesOf(i)) {
    try {
      if (!only || only.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) process.kill(pid, signal)
    } catch {
      // The process has already ended.
    }
  }
}

function processesOf(i: number): number[] {
  const out = execFileSync('ip', ['netns', 'pids', `swyard${i}`], { encoding: 'utf8' })
  return out.split('\n').filter(Boolean).map(Number)
}

type Member = { name: string; role: string; state: string; lag?: number }

/**
 * A cluster of three PostgreSQL under Patroni, with etcd, HAProxy and a witness, on this machine. The failures that
 * can affect a primary in a deployment are caused here.
 */
export class Cluster {
  /** The address at which the service finds the database, on any node. */
  readonly url = `postgresql://postgres:${PASSWORD}@127.0.0.1:${ports.database}/switchyard`
  readonly #programs = installPrograms()
  readonly folder = mkdtempSync('/tmp/switchyard-ha-')
  readonly #network = openNetwork(nodes)
  readonly #running = new Map<string, ChildProcess>()
  readonly #say: (message: string) => void
  #witness: ReturnType<typeof openWitness> | undefined

  private constructor(say: (message: string) => void) {
    this.#say = say
  }

  static async open(say: (message: string) => void): Promise<Cluster> {
    const cluster = new Cluster(say)
    try {
      await cluster.#start()
      return cluster
    } catch (error) {
      say(`the logs: ${cluster.#logs()}`)
      await cluster.close()
      throw error
    }
  }

  async #start(): Promise<void> {
    chownSync(this.folder, NOBODY, NOBODY)
    const peer = `http://${HERE}:${ports.etcdPeer}`
    const urls = ['--listen-client-urls', etcdAddress, '--advertise-client-urls', etcdAddress]
    const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `here=${peer}`]
    this.#run('etcd', [this.#programs.etcd, '--name', 'here', '--data-dir', join(this.folder, 'etcd'), ...urls, ...peers])
    await this.#eventually('etcd answers', async () => (await leader()) === null)
    for (const i of nodes) {
      const data = join(this.folder, `data${i}`)
      mkdirSync(data, { mode: 0o700 })
      chownSync(data, NOBODY, NOBODY)
      writeFileSync(join(this.folder, `node${i}.yml`), patroniConfig(i, data, this.#programs.postgresBin))
      this.revive(i)
      if (i === nodes[0])
        await this.#eventually('the first node is the primary', async () =>
          (await this.members()).some(one => one.role === 'leader' && one.state === 'running'),
        )
    }
    await this.whole()
    await this.#startProxy()
    this.#witness = openWitness({ leader, end: ({ lease }) => etcd('lease/revoke', { ID: lease }), release, say: this.#say })
  }

  /** Starts HAProxy in front of the nodes, and makes the service's database. */
  async #startProxy(): Promise<void> {
    writeFileSync(join(this.folder, 'haproxy.cfg'), haproxyConfig(nodes))
    this.#run('haproxy', [this.#programs.haproxy, '-db', '-f', join(this.folder, 'haproxy.cfg')])
    const admin = `postgresql://postgres:${PASSWORD}@127.0.0.1:${ports.database}/postgres`
    // At first HAProxy takes all nodes for the primary, in turn.
    let right = 0
    await this.#eventually('HAProxy leads to the primary', async () => {
      const [row] = await ask(admin, 'select pg_is_in_recovery() as follows')
      right = row!.follows ? 0 : right + 1
      return right > 2 * nodes.length
    })
    await ask(admin, 'create database switchyard')
  }

  #run(name: string, command: readonly string[]): void {
    const [program, ...args] = [...diesWithParent('KILL'), ...command]
    const log = createWriteStream(join(this.folder, `${name}.log`), { flags: 'a' })
    const child = spawn(program!, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.folder,
      env: { ...process.env, HOME: this.folder, LC_ALL: 'C' },
    })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    this.#running.set(name, child)
    child.once('exit', () => this.#running.get(name) === child && this.#running.delete(name))
  }

  #logs(): string {
    return readdirSync(this.folder)
      .filter(name => name.endsWith('.log'))
      .map(name => `\n--- ${name}\n${readFileSync(join(this.folder, name), 'utf8').slice(-3000)}`)
      .join('')
  }

  async #eventually(what: string, is: () => Promise<boolean>): Promise<void> {
    const begun = performance.now()
    while (!(await is().catch(() => false))) {
      if (performance.now() - begun > PATIENCE_MS)
        throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s (${this.folder}, ${JSON.stringify(await this.members())})`)
      await pause(100)
    }
  }

  /** Returns the states of the nodes, as reported by the first node that answers. */
  async members(): Promise<Member[]> {
    for (const i of nodes) {
      try {
        const { body } = await request(`http://${addressOf(i)}:${ports.patroni}/cluster`, { headersTimeout: 1500 })
        return ((await body.json()) as { members: Member[] }).members
      } catch {
        // Another node is queried.
      }
    }
    return []
  }

  /** Waits until the cluster is complete: a primary, a synchronous standby, and no missing node. */
  whole(): Promise<void> {
    return this.#eventually('the cluster is whole', async () => {
      const all = await this.members()
      return (
        all.length === nodes.length &&
        all.filter(one => one.role === 'leader' && one.state === 'running').length === 1 &&
        all.some(one => one.role === 'sync_standby') &&
        all.every(one => one.role === 'leader' || one.state === 'streaming')
      )
    })
  }

  async primary(): Promise<number> {
    return Number((await leader())!.name.replace('node', ''))
  }

  /** Kills the primary's PostgreSQL; its node lives on. */
  killServer(i: number): void {
    sendSignal(i, 'SIGKILL', /postgres/)
  }

  /** Kills the sessions of clients, as a machine without free memory does. */
  killSessions(i: number): void {
    sendSignal(i, 'SIGKILL', / switchyard 10\.77\.0\.1\(/)
  }

  /** Kills all processes of a node at once, as the loss of the machine does. `revive` starts the node again. */
  killNode(i: number): void {
    sendSignal(i, 'SIGKILL')
  }

  revive(i: number): void {
    const nobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
    const patroni = [...ownProcesses, ...nobody, this.#programs.patroni, join(this.folder, `node${i}.yml`)]
    this.#run(`node${i}`, [...this.#network.inside(i), ...patroni])
  }

  /** Shuts a machine down in order: Patroni stops its PostgreSQL and gives up the lease. */
  shutDown(i: number): void {
    sendSignal(i, 'SIGTERM', /^\S*python3\0/)
  }

  freeze(i: number): void {
    sendSignal(i, 'SIGSTOP')
  }

  thaw(i: number): void {
    sendSignal(i, 'SIGCONT')
  }

  cut(i: number): void {
    this.#network.cut(i)
  }

  mend(i: number): void {
    this.#network.mend(i)
  }

  /** Changes the primary as planned, as for maintenance: to the synchronous standby. */
  async switchOver(i: number): Promise<void> {
    const { statusCode, body } = await request(`http://${addressOf(i)}:${ports.patroni}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: `node${i}` }),
      headers: { 'content-type': 'application/json' },
      headersTimeout: 60_000,
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`switchover: ${statusCode} ${text}`)
  }

  async close(): Promise<void> {
    await this.#witness?.close()
    for (const i of nodes) {
      sendSignal(i, 'SIGKILL')
      sendSignal(i, 'SIGCONT')
    }
    for (const child of this.#running.values()) child.kill('SIGKILL')
    while (nodes.some(i => processesOf(i).length > 0)) await pause(20)
    this.#network.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Runs one query over its own connection. */
async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  client.on('error', () => {})
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}
