import { type JetStreamClient, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, errors, type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Log } from '../context.ts'
import { SinkAway } from './isolation.ts'
import type { Sink, SinkEvent } from './sink.ts'

/** The address (`nats://user:password@host:port`, or `tls://…`), and the stream, which begins all subjects. */
export type NatsConfig = { url: string; stream: string }

/** How long NATS knows an event again. A process that dies before recording one is replaced much sooner. */
const KNOWN_AGAIN_MS = 60 * 60_000
const WITHIN_MS = 5_000

/**
 * Opens NATS JetStream as a sink: events are published under `STREAM.<merchant>.<type>`, each with its id as
 * `Nats-Msg-Id`, by which JetStream stores it once. The stream is created if it does not exist.
 * https://docs.nats.io/using-nats/developer/develop_jetstream/model_deep_dive#message-deduplication
 */
export function openNats({ url: address, stream }: NatsConfig, log: Log): Sink {
  const url = new URL(address)
  let open: { connection: NatsConnection; client: JetStreamClient } | null = null

  async function prepare(connection: NatsConnection): Promise<void> {
    const streams = (await jetstreamManager(connection)).streams
    const there = await streams.info(stream).catch(() => null)
    if (!there) await streams.add({ name: stream, subjects: [`${stream}.>`], duplicate_window: nanos(KNOWN_AGAIN_MS) })
    else if (there.config.duplicate_window < nanos(KNOWN_AGAIN_MS))
      log.warn(
        { stream, seconds: there.config.duplicate_window / 1e9 },
        'the stream has a short duplicate window: after a crash it may contain duplicate events',
      )
  }

  async function client(): Promise<JetStreamClient> {
    if (open && !open.connection.isClosed()) return open.client
    const connection = await connect({
      servers: url.host,
      name: 'switchyard',
      timeout: WITHIN_MS,
      // The next call connects anew: everything that waits here is in the database as well.
      reconnect: false,
      ...(url.username && { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }),
      ...(url.protocol === 'tls:' && { tls: {} }),
    })
    await prepare(connection).catch(async error => {
      await connection.close()
      throw error
    })
    open = { connection, client: jetstream(connection, { timeout: WITHIN_MS }) }
    return open.client
  }

  async function publish(events: readonly SinkEvent[]): Promise<void> {
    const to = await client()
    const kept = await Promise.allSettled(events.map(({ id, subject, body }) => to.publish(`${stream}.${subject}`, body, { msgID: id })))
    for (const one of kept) if (one.status === 'rejected') throw one.reason
  }

  return {
    name: `nats ${stream}`,
    async put(events) {
      try {
        for (const round of rounds(events)) await publish(round)
      } catch (error) {
        // The event itself is at fault (it is too large): the other events do not wait for it.
        if (error instanceof errors.InvalidArgumentError) throw error
        const connection = open?.connection
        open = null
        await connection?.close().catch(() => {})
        throw new SinkAway('NATS does not take events', { cause: error })
      }
    },
    async close() {
      await open?.connection.close()
    },
  }
}

/** Rounds with one event of an object at most: none is stored before an earlier one of its object. */
function rounds(events: readonly SinkEvent[]): SinkEvent[][] {
  const made: SinkEvent[][] = []
  const turn = new Map<string, number>()
  for (const event of events) {
    const its = turn.get(event.line) ?? 0
    turn.set(event.line, its + 1)
    const round = made[its]
    if (round) round.push(event)
    else made.push([event])
  }
  return made
}
