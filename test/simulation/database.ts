import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { migrate } from '../../src/database/migrate.ts'
import { killSockets, listenAt, type SimulatedSocket } from './network.ts'
import { as, drive, later, mark, openProgram, type Program, thaw, worldDice } from './world.ts'

/**
 * PostgreSQL as one process of the simulation: PostgreSQL 18 itself, compiled to WebAssembly, behind sessions of our
 * own. All messages between two Syncs are executed at once, and a session that has begun a transaction has the
 * database to itself until the transaction has ended. So transactions can run in every order, and each gives
 * PostgreSQL's own result. Effects of two concurrent transactions on each other do not occur here
 * (`differential.test.ts`, races).
 */

type Database = {
  /** Executes messages of the protocol and returns the answer. */
  run(messages: Buffer): Buffer
  /** PostgreSQL's names of the prepared statements, by their texts. */
  known: Map<string, string>
}

/** An empty database with the schema of this version, from which each simulated database is loaded. */
let template: Blob | null = null

export const DATABASE_PORT = 5432
const urlAt = (port: number): string => `postgres://switchyard@127.0.0.1:${port}/simulated`

/**
 * The troubles of statements, as shares of all statements: `locked` ones fail by a lock timeout, `late` ones by a
 * statement timeout, `slow` ones take up to `most_ms`. After a `stalled` statement, `stalls` is called with the
 * service that wrote: it stops for minutes just before the answer arrives.
 */
export type DatabaseWeather = {
  locked: number
  late: number
  slow: number
  most_ms: number
  stalled: number
  stalls(program: Program): void
}
export const calmDatabase: DatabaseWeather = { locked: 0, late: 0, slow: 0, most_ms: 0, stalled: 0, stalls: () => {} }

/**
 * The messages of a session from one Sync to the next, and their answer; without both, the end of the session. A
 * record to compare with another PostgreSQL.
 */
export type DatabaseExchange = { session: number; messages?: Buffer; answer?: Buffer }

const cstring = (text: string): Buffer => Buffer.from(`${text}\0`)
function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const int32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(n)
  return bytes
}

const READY = (state: string): Buffer => message('Z', Buffer.from(state))
const failure = (code: string, reason: string): Buffer =>
  message(
    'E',
    ...[
      ['S', 'ERROR'],
      ['V', 'ERROR'],
      ['C', code],
      ['M', reason],
    ].map(([kind, text]) => Buffer.concat([Buffer.from(kind!), cstring(text!)])),
    Buffer.from([0]),
  )

const hello: Buffer = Buffer.concat([
  message('R', int32(0)),
  ...Object.entries({
    server_version: '18.0',
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
    in_hot_standby: 'off',
  }).map(([name, value]) => message('S', cstring(name), cstring(value))),
  message('K', int32(1), int32(1)),
  READY('I'),
])

const STARTUP = 196_608
const SSL = 80_877_103
const readString = (bytes: Buffer, from: number): [string, number] => {
  const end = bytes.indexOf(0, from)
  return [bytes.toString('utf8', from, end), end + 1]
}

/**
 * Returns the function that translates the names of a session's prepared statements. Each session has its own names;
 * PostgreSQL has one session here, which knows each text once.
 */
function openNames(database: Database) {
  const mine = new Map<string, string>()
  /** Parses a statement that PostgreSQL does not know yet, in a separate call. Returns the answer if parsing fails. */
  function prepare(name: string, rest: Buffer): Buffer | null {
    const key = rest.toString('latin1')
    let serverName = database.known.get(key)
    if (serverName === undefined) {
      serverName = `s${database.known.size}`
      const answer = database.run(Buffer.concat([message('P', cstring(serverName), rest), message('S')]))
      if (answer[0] === 0x45) return answer
      database.known.set(key, serverName)
    }
    mine.set(name, serverName)
    return null
  }
  const renamed = (name: string): Buffer => cstring(name === '' ? '' : (mine.get(name) ?? `unknown ${name}`))

  /** Returns a message with the names of PostgreSQL's session, or the answer of a parsing that failed. */
  return (type: string, body: Buffer): { say: Buffer } | { failed: Buffer } => {
    if (type === 'P') {
      const [name, at] = readString(body, 0)
      if (name === '') return { say: message('P', body) }
      const failed = prepare(name, body.subarray(at))
      return failed ? { failed } : { say: message('P', cstring(''), cstring(''), Buffer.alloc(2)) }
    }
    if (type === 'B') {
      const [portal, at] = readString(body, 0)
      const [name, rest] = readString(body, at)
      return { say: message('B', cstring(portal), renamed(name), body.subarray(rest)) }
    }
    if ((type === 'D' || type === 'C') && body[0] === 0x53) {
      const [name] = readString(body, 1)
      if (type === 'C') {
        mine.delete(name)
        return { say: message('C', Buffer.from('S'), cstring('nobody')) }
      }
      return { say: message('D', Buffer.from('S'), renamed(name)) }
    }
    return { say: message(type, body) }
  }
}

/** The messages from one Sync (or simple query) to the next. The last message may end the connection (`X`). */
type Batch = { type: string; body: Buffer }[]

/** Opens the server of one database, which executes the statements of its sessions one after the other. */
function openServer(
  database: Database,
  owner: Program,
  weather: () => DatabaseWeather,
  record: ((exchange: DatabaseExchange) => void) | null,
) {
  type Session = {
    id: number
    name: string
    socket: SimulatedSocket
    own: boolean
    isFrozen: boolean
    waiting: Batch[]
    names: ReturnType<typeof openNames>
    isBusy: boolean
  }
  const sessions = new Set<Session>()
  let ids = 0
  /** The session with an open transaction. Statements of the other sessions wait. */
  let holder: Session | null = null

  const run = (batch: Batch, session: Session): Buffer => {
    const parts: Buffer[] = []
    for (const { type, body } of batch) {
      const one = session.names(type, body)
      if ('failed' in one) return Buffer.concat([one.failed.subarray(0, 1 + one.failed.readInt32BE(1)), READY('I')])
      parts.push(one.say)
    }
    const messages = Buffer.concat(parts)
    const answer = database.run(messages)
    record?.({ session: session.id, messages: Buffer.concat(batch.map(({ type, body }) => message(type, body))), answer })
    return answer
  }

  /** Whether a transaction is open after this answer, whose last byte is the transaction's state. */
  const isOpenAfter = (answer: Buffer): boolean => answer[answer.length - 1] !== 0x49

  function accidentOf(session: Session): Buffer | null {
    const { locked, late } = weather()
    if (session.own || holder === session) return null
    if (locked > 0 && worldDice().chance(locked))
      return Buffer.concat([failure('55P03', 'canceling statement due to lock timeout'), READY('I')])
    if (late > 0 && worldDice().chance(late))
      return Buffer.concat([failure('57014', 'canceling statement due to statement timeout'), READY('I')])
    return null
  }

  function work(session: Session): void {
    if (session.isBusy || session.isFrozen || session.waiting.length === 0) return
    if (holder !== null && holder !== session) return
    session.isBusy = true
    const { slow, most_ms } = weather()
    const ms = !session.own && slow > 0 && worldDice().chance(slow) ? worldDice().next() * most_ms : 0.1 + worldDice().next() * 0.4
    later(ms, owner, () => {
      session.isBusy = false
      if (!sessions.has(session) || session.isFrozen || (holder !== null && holder !== session)) return
      const batch = session.waiting.shift()!
      if (batch.some(({ type }) => type === 'X')) return end(session)
      const answer = accidentOf(session) ?? run(batch, session)
      holder = isOpenAfter(answer) ? session : null
      mark(`${session.name} ${answer.length}`)
      const { stalled, stalls } = weather()
      if (stalled > 0 && session.name === 'switchyard writes' && worldDice().chance(stalled)) stalls(session.socket.peer!.owner)
      session.socket.write(answer)
      workOn()
    })
  }
  const workOn = (): void => {
    for (const session of sessions) work(session)
  }

  /** Ends a session and rolls back its open transaction. */
  function end(session: Session): void {
    if (!sessions.delete(session)) return
    session.socket.destroy()
    record?.({ session: session.id })
    if (holder === session) {
      holder = null
      database.run(message('Q', cstring('rollback')))
    }
    workOn()
  }

  function accepts(socket: SimulatedSocket): void {
    let rest: Buffer = Buffer.alloc(0)
    let session: Session | null = null
    let batch: Batch = []
    socket.on('error', () => {})
    socket.on('close', () => session && end(session))
    socket.on('end', () => (session ? end(session) : socket.destroy()))
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      if (session === null) {
        if (rest.length < 8 || rest.length < rest.readInt32BE(0)) return
        const length = rest.readInt32BE(0)
        const first = rest.subarray(4, length)
        rest = rest.subarray(length)
        if (first.readInt32BE(0) === SSL) return void socket.write('N')
        if (first.readInt32BE(0) !== STARTUP) return void socket.destroy()
        const parameters = first.toString('utf8', 4).split('\0')
        const name = parameters[parameters.indexOf('application_name') + 1] ?? ''
        const own = !name.startsWith('switchyard')
        session = {
          id: ids++,
          name: own ? 'a judge' : name,
          socket,
          own,
          isFrozen: false,
          waiting: [],
          names: openNames(database),
          isBusy: false,
        }
        sessions.add(session)
        socket.write(hello)
      }
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const length = 1 + rest.readInt32BE(1)
        const type = String.fromCharCode(rest[0]!)
        batch.push({ type, body: rest.subarray(5, length) })
        rest = rest.subarray(length)
        if (!['S', 'Q', 'X'].includes(type)) continue
        session.waiting.push(batch)
        batch = []
      }
      work(session)
    })
  }

  const named = (name: string): Session[] => [...sessions].filter(session => !session.own && session.name === name)
  return {
    accepts,
    endAll: () => [...sessions].forEach(end),
    cutOne(name: string): void {
      const those = named(name)
      if (those.length > 0) worldDice().one(those).socket.cut()
    },
    /** Freezes a share of the sessions. Returns the function that thaws them. */
    freeze(share: number): () => void {
      const ours = [...sessions].filter(({ own }) => !own)
      const some = ours.slice(0, Math.ceil(ours.length * share)).filter(session => session !== holder)
      for (const session of some) session.isFrozen = true
      return () => {
        for (const session of some) session.isFrozen = false
        workOn()
      }
    },
  }
}

/** The owner of PostgreSQL's own timers, which never fire: its statements take no time. */
const timers: Program = { ...openProgram('nobody'), isAlive: false }

const openPostgres = (loadDataDir: Blob | null = null): Promise<PGlite> =>
  as(timers, () => PGlite.create(loadDataDir ? { loadDataDir } : {}))

/** Opens a database of this simulation alone. `record` is called with each transaction. */
export async function openSimulatedDatabase(
  folder: string,
  record: ((exchange: DatabaseExchange) => void) | null = null,
  { name, port }: { name: string; port: number } = { name: 'the database', port: DATABASE_PORT },
) {
  const postgres = await openPostgres(template)
  const database: Database = {
    known: new Map(),
    run: messages => {
      const answer = as(timers, () => postgres.execProtocolRawSync(messages))
      return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
    },
  }
  let weather = calmDatabase
  let program = openProgram(name)
  let server = openServer(database, program, () => weather, record)
  let close = () => {}
  const start = (): void => {
    if (close !== down) return
    program = openProgram(name)
    server = openServer(database, program, () => weather, record)
    close = listenAt(port, { owner: program, accepts: socket => server.accepts(socket) })
  }
  const down = () => {}
  close = down
  const crash = (): void => {
    if (close === down) return
    close()
    close = down
    killSockets(program)
    server.endAll()
    program.isAlive = false
  }
  start()
  return {
    name,
    url: urlAt(port),
    folder,
    start: async () => start(),
    /** Kills the database: every session's connection ends. Committed data is kept for the next start. */
    kill: async () => crash(),
    stop: async () => crash(),
    killAtItsStart: async () => {},
    /** Restarts the database: PostgreSQL ends all sessions when one of its processes is killed. */
    async killSession(): Promise<void> {
      crash()
      start()
    },
    async endSession(name: string): Promise<void> {
      server.cutOne(name)
    },
    freezeSessions: async (share: number) => server.freeze(share),
    freeze(): void {
      program.isFrozen = true
    },
    thaw: () => thaw(program),
    setWeather(next: DatabaseWeather): void {
      weather = next
    },
    async drop(): Promise<void> {
      crash()
      await postgres.close()
    },
  }
}

/** Returns the template's file beside the packages, named by a hash of the sources from which the template is made. */
function templateFile(): string {
  const migrations = join(import.meta.dirname, '../../src/database/migrations')
  const digest = createHash('sha1').update(readFileSync(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))))
  for (const name of readdirSync(migrations).sort()) digest.update(readFileSync(join(migrations, name)))
  return join(import.meta.dirname, '../../node_modules/.cache/switchyard', `simulated-${digest.digest('hex').slice(0, 16)}.tar`)
}

/** Makes the template of all databases by the service's own migrations, unless the file of an earlier run exists. */
export async function makeTemplate(): Promise<void> {
  if (template) return
  const file = templateFile()
  if (!existsSync(file)) {
    const postgres = await openPostgres()
    const database: Database = { known: new Map(), run: messages => as(timers, () => Buffer.from(postgres.execProtocolRawSync(messages))) }
    const program = openProgram('the database')
    const server = openServer(database, program, () => calmDatabase, null)
    const close = listenAt(DATABASE_PORT, { owner: program, accepts: server.accepts })
    await drive(() => migrate(urlAt(DATABASE_PORT)))
    close()
    const made = await postgres.dumpDataDir('none')
    await postgres.close()
    mkdirSync(dirname(file), { recursive: true })
    // Other runs may look for the file at this moment, so it gets its name only when it is complete.
    writeFileSync(`${file}.${process.pid}`, Buffer.from(await made.arrayBuffer()))
    renameSync(`${file}.${process.pid}`, file)
  }
  template = new Blob([readFileSync(file)])
}
