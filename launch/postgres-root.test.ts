// As root, where the server refuses to run, in a folder that only root may enter. Programs are switched off to force
// each way in turn.
import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectDir } from './binaries.ts'
import { copyOfPostgres, pathWithout, quick, talk, tempDir } from './rehearsal.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: only root has this difficulty'

function closedProject() {
  const dir = join(tempDir(), 'project')
  mkdirSync(dir, { mode: 0o700 })
  cpSync(join(projectDir, 'launch'), join(dir, 'launch'), { recursive: true })
  copyOfPostgres(dir)
  symlinkSync(join(projectDir, 'node_modules', 'pg'), join(dir, 'node_modules', 'pg'))
  writeFileSync(
    join(dir, 'try.mjs'),
    `import pg from 'pg'
     import { startPostgres } from './launch/postgres.ts'
     try {
       const server = await startPostgres({ dataDir: process.argv[2], settings: ${JSON.stringify(quick)} })
       const client = new pg.Client(server.url)
       await client.connect()
       await client.query('create table if not exists kept (n int)')
       await client.query('insert into kept values (1)')
       console.log('rows ' + (await client.query('select * from kept')).rowCount)
       await client.end()
       await server.stop()
     } catch (error) {
       console.log('refused: ' + error.message)
     }
     console.log('done.')`,
  )
  return dir
}

async function run(project: string, dataDir: string, ...missing: string[]): Promise<string> {
  const tried = talk(
    process.execPath,
    [join(project, 'try.mjs'), dataDir],
    missing.length === 0 ? {} : { env: { PATH: pathWithout(...missing) } },
  )
  await tried.waitFor('done.')
  return tried.output()
}

test('in a folder that only root can enter, PostgreSQL runs with unshare or setpriv, keeps its data, and is refused without both', {
  skip,
}, async () => {
  const project = closedProject()
  const data = join(project, 'data')
  const owner = () => statSync(join(data, 'cluster')).uid
  assert.match(await run(project, data), /rows 1/)
  assert.equal(owner(), 0)
  assert.match(await run(project, data, 'unshare'), /rows 2/)
  assert.equal(owner(), 65534)
  assert.match(await run(project, data), /rows 3/)
  assert.equal(owner(), 0)
  assert.match(await run(project, data, 'unshare', 'setpriv'), /refused: PostgreSQL's programs cannot be run here.*DATABASE_URL/s)
  assert.match(await run(project, data), /rows 4/)
})

test('when the unprivileged user can reach the data but not the programs of PostgreSQL, the programs are copied', { skip }, async () => {
  const project = closedProject()
  const data = tempDir()
  chmodSync(data, 0o755)
  assert.match(await run(project, join(data, 'database'), 'unshare', 'setpriv'), /rows 1/)
})
