import pg from 'pg'

/** The parameter with which PostgreSQL 14 and newer report at connection whether they are a standby. */
const FOLLOWS = 'in_hot_standby'

type ParameterStatus = { parameterName: string; parameterValue: string }
type Inside = { connection: { on(event: 'parameterStatus', listener: (status: ParameterStatus) => void): void } }

/**
 * A connection to a primary. For a moment after a failover an address may still lead to a standby, which refuses
 * writes and whose reads are outdated. Its connection fails as if it had not been made, so the connection is tried
 * again, and finds the new primary.
 */
export class PrimaryClient extends pg.Client {
  #follows = false

  constructor(config?: pg.ClientConfig) {
    super(config)
    // The server may end the connection with the same bytes that say it is ready: then no pool and no caller listens
    // yet, and an error without a listener would end the process. The next query of this client fails.
    this.on('error', () => {})
    const { connection } = this as unknown as Inside
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === FOLLOWS) this.#follows = parameterValue === 'on'
    })
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const connected = super.connect().then(async () => {
      if (!this.#follows) return this
      await this.end().catch(() => {})
      throw new Error('the database is a standby: it follows another server')
    })
    if (!callback) return connected
    connected.then(() => callback(undefined as unknown as Error), callback)
    return undefined
  }
}
