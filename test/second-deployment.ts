import { dirname } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { later } from '../src/base/time.ts'
import { start } from '../src/service.ts'
import type { Body, Place } from './shop.ts'
import { newDatabase, testConfig } from './shop.ts'

/** Opens another deployment with the keys and the clock of this file's own, on a database of its own. */
export async function openSecondDeployment({ keyFile, clock }: Pick<Place, 'keyFile' | 'clock'>) {
  const database = await newDatabase()
  const quiet = () => {}
  const service = await start(testConfig(database.url, dirname(keyFile)), {
    log: { info: quiet, warn: quiet, error: quiet },
    scheduler: 'by hand',
    wrap: context => ({ ...context, now: () => later(context.now(), clock.ahead) }),
  })
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  after(async () => {
    await service.close()
    await pool.end()
    await database.drop()
  })
  return {
    service,
    url: service.url,
    databaseUrl: database.url,
    query: async (text: string, values?: unknown[]): Promise<Body[]> => (await pool.query(text, values)).rows,
  }
}
export type Deployment = Awaited<ReturnType<typeof openSecondDeployment>>
