import cluster from 'node:cluster'
import { readConfig } from '../../src/config.ts'
import type { Log } from '../../src/context.ts'
import { type Answers, type Line, openLine } from '../../src/processes/ipc.ts'
import { roleOf, type Siblings } from '../../src/processes/siblings.ts'
import { watch } from '../../src/processes/watch.ts'
import { start } from '../../src/service.ts'
import { wait } from '../../src/startup/wait.ts'
import type { Complaint } from '../long/stage.ts'
import { sharePort } from './network.ts'
import { openSimulatedProcess, type SimulatedProcess } from './process.ts'
import { complainsTo } from './vault.ts'
import { as, later, openProgram } from './world.ts'

const FIRST_PORT = 8090

/** The services of each crew, by their roles. Services behind one port have a parent process. */
const crews = {
  two: ['all', 'all'],
  roles: ['api', 'api', 'worker'],
  'two behind one port': ['all', 'all'],
  'three behind one port': ['all', 'all', 'all'],
} as const
export type Crew = keyof typeof crews
export const crewNames = Object.keys(crews) as Crew[]

/** The time by which the other processes have read the settings (`src/processes/parent.ts`). */
const READ_WITHIN_MS = 1000
const LINE_MS = 0.2

/** Opens the parent of processes behind one port: it forwards their messages and restarts silent processes. */
function openSimulatedParent() {
  const parent = openProgram('the parent')
  const children = new Map<number, { line: Line; process: SimulatedProcess; end(): void }>()
  const written = async (by: number): Promise<true> => {
    const others = [...children].filter(([n, { process }]) => n !== by && process.alive())
    await Promise.all(others.map(([, { line }]) => line.ask('read_settings', null, READ_WITHIN_MS)))
    return true
  }
  /** Returns the connection to the parent of a process that starts. */
  return (n: number, process: SimulatedProcess): Siblings => {
    const owner = process.program()
    const answers: Answers = { alive: async () => true }
    const over = new AbortController()
    const childLine: Line = openLine(message => later(LINE_MS, parent, () => ours.receive(message)), answers)
    const ours: Line = as(parent, () =>
      openLine(message => later(LINE_MS, owner, () => childLine.receive(message)), { written: () => written(n) }),
    )
    children.get(n)?.end()
    const silent = () => void (process.program() === owner && process.alive() && process.kill().then(process.start))
    return {
      n,
      ready() {
        children.set(n, { line: ours, process, end: () => over.abort() })
        void as(parent, () => watch(within_ms => ours.ask('alive', null, within_ms), wait, over.signal, silent))
      },
      written: async () => void (await childLine.ask('written', null, READ_WITHIN_MS)),
      answer: more => void Object.assign(answers, more),
    }
  }
}

type Ground = { crew: Crew; settings: Record<string, string>; complaints: Complaint[]; died(how: string): void }

/** Opens the services of a stage, each as a process, and returns the addresses that clients use as well. */
export function openSimulatedServices({ crew, settings: common, complaints, died }: Ground) {
  const isOnePort = crew.includes('one port')
  const family = isOnePort ? openSimulatedParent() : null
  if (isOnePort) {
    sharePort(FIRST_PORT)
    // As in a child process of the cluster, so that a service does not listen several times by itself.
    Object.assign(cluster, { isWorker: true })
  }
  const services = crews[crew].map((role, i) => {
    const name = `service ${'ABC'[i]}`
    const port = isOnePort ? FIRST_PORT : FIRST_PORT + i
    const url = `http://127.0.0.1:${port}`
    const settings = {
      ...common,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${FIRST_PORT + (role === 'worker' ? 0 : port - FIRST_PORT)}`,
    }
    const say = complainsTo(complaints, name)
    const log: Log = { info: say(30), warn: say(40), error: say(50) }
    const opens = async () => {
      const config = { ...readConfig(settings), role }
      if (!family) return start(config, { log })
      const siblings = family(i + 1, process)
      const running = await start({ ...config, role: roleOf(role, siblings) }, { log, siblings })
      siblings.ready()
      return running
    }
    const process: SimulatedProcess = openSimulatedProcess(name, opens, died)
    return { url, settings, role, process }
  })
  const origins = [...new Set(services.filter(({ role }) => role !== 'worker').map(({ url }) => url))]
  return { services, origins }
}
