import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import S3rver from '@20minutes/s3rver'
import { attach, disputed, files as evidence, openDisputedShop } from '../../test/disputes.ts'
import { isRefused } from '../../test/refused.ts'
import { http, openPlace } from '../../test/shop.ts'
import { Misconfigured } from '../base/misconfigured.ts'
import type { Refusal } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { readConfig } from '../config.ts'
import { openFiles, tryFiles } from './files.ts'
import type { Bucket } from './s3.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-files-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/**
 * A store with the API of S3, which knows one key. It does not verify our signatures (it does not support version 4):
 * the library makes these.
 */
const store = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 'store'),
  configureBuckets: [{ name: 'evidence', configs: [] }],
})
const { port } = await store.run()
after(() => store.close())

const quiet = { error: () => {}, warn: () => {} }

const bucket = (more: Partial<Bucket> = {}): Bucket => ({
  address: `http://127.0.0.1:${port}/evidence`,
  region: 'us-east-1',
  keyId: 'S3RVER',
  secret: new Secret('S3RVER'),
  ...more,
})

/** Bytes of every value, so that the content is not taken for text. */
const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256))

for (const [name, config] of Object.entries({ 'a folder': { folder: join(folder, 'disk') }, 'a bucket': bucket() })) {
  test(`files in ${name} are stored unchanged, replaced and deleted, and a missing file is null`, async () => {
    const files = openFiles(config, quiet)
    equal(await files.get('shop/file_1'), null)
    await files.put('shop/file_1', bytes, 'application/pdf')
    deepEqual(await files.get('shop/file_1'), bytes)
    await files.put('shop/file_1', Buffer.from('other'), 'application/pdf')
    equal((await files.get('shop/file_1'))!.toString(), 'other')
    equal(await files.get('other/file_1'), null)
    await files.delete('shop/file_1')
    await files.delete('shop/file_1')
    equal(await files.get('shop/file_1'), null)
  })
}

test('a file name cannot leave the folder, and other users cannot read the file', async () => {
  const disk = join(folder, 'names')
  const files = openFiles({ folder: disk }, quiet)
  await files.put('../../x', bytes, 'image/png')
  deepEqual(readdirSync(disk), ['%2E%2E'])
  const [inner] = readdirSync(disk, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  equal(statSync(join(inner!.parentPath, inner!.name)).mode & 0o077, 0)
})

test('a refusal by the bucket is returned as unavailable and logged, and the log does not contain the secret', async () => {
  for (const more of [
    { keyId: 'nobody', secret: new Secret('wrong_secret') },
    { address: `http://127.0.0.1:${port}/no-such-bucket` },
  ] as Partial<Bucket>[]) {
    const logged: string[] = []
    const log = {
      error: (facts: object) => void logged.push(String((facts as { err: Error }).err)),
      warn: () => void logged.push('warned'),
    }
    const [config, files] = [bucket(more), openFiles(bucket(more), log)]
    await rejects(files.put('shop/file_1', bytes, 'image/png'), (error: Refusal) => error.refusal === 'unavailable')
    match(logged.join(), /file store answers 40\d/)
    ok(!/wrong_secret/.test(logged.join()))
    if (more.keyId !== undefined) await tryFiles(config, files, log)
    equal(logged.includes('warned'), more.keyId !== undefined)
  }
})

test('a files folder that cannot be written stops the start with a clear error', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  for (const wrong of [file, join(file, 'below'), '/proc/of-ours/files']) {
    const config = { folder: wrong }
    await rejects(tryFiles(config, openFiles(config, quiet), quiet), (error: Error) => {
      ok(error instanceof Misconfigured)
      match(error.message, /^FILES_FOLDER=.* cannot be written: .* Set a folder that this user can write to/)
      return true
    })
  }
})

test('a files folder that is lost while the service runs fails uploads, and payments still succeed', async () => {
  const lost = join(folder, 'lost')
  const { service } = await openPlace({ files: { folder: lost } })
  const ready = async () => {
    const { status, body } = await http('GET', `${service.url}/health/ready`)
    return [status, body.files]
  }
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  const upload = () => attach(shop, { dispute_id, evidence_type: 'receipt' }, { bytes: evidence.pdf })
  deepEqual(await ready(), [200, true])
  rmSync(lost, { recursive: true })
  writeFileSync(lost, '')
  deepEqual(await ready(), [200, false])
  isRefused(await upload(), 503, 'HE_00', /nothing was attached/)
  equal((await shop.pay()).status, 'succeeded')
  rmSync(lost)
  equal((await upload()).status, 200)
  deepEqual(await ready(), [200, true])
})

test('files are stored in a local folder by default, or in the configured bucket', () => {
  const env = { DATABASE_URL: 'postgres://x@localhost/x', KEY_FILE: 'keys.json', ADMIN_API_KEY: 'x'.repeat(24) }
  deepEqual(readConfig(env).files, { folder: './files' })
  const there = { FILES_BUCKET: 'https://s3.example/evidence/', FILES_BUCKET_KEY_ID: 'k', FILES_BUCKET_SECRET: 's' }
  const { files } = readConfig({ ...env, ...there })
  deepEqual('address' in files && [files.address, files.region, files.keyId, files.secret.reveal()], [
    'https://s3.example/evidence',
    'us-east-1',
    'k',
    's',
  ])
  const wrong = (more: Record<string, string>): string => {
    try {
      readConfig({ ...env, ...more })
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  deepEqual([readConfig(env).archive, readConfig({ ...env, ARCHIVE_FOLDER: '/old' }).archive], [null, { folder: '/old' }])
  const archived = readConfig({ ...env, ...there, FILES_BUCKET: '', ARCHIVE_BUCKET: 'https://s3.example/old' })
  deepEqual([archived.files, archived.archive], [{ folder: './files' }, { ...files, address: 'https://s3.example/old' }])
  equal(
    wrong({ ARCHIVE_BUCKET: 'https://s3.example/old', ARCHIVE_FOLDER: '/old' }),
    'ARCHIVE_FOLDER must not be set when ARCHIVE_BUCKET is set',
  )
  equal(wrong({ ARCHIVE_BUCKET: 'https://s3.example/old' }), 'FILES_BUCKET_KEY_ID must be set when ARCHIVE_BUCKET is set')
  for (const name of ['FILES_BUCKET_KEY_ID', 'FILES_BUCKET_SECRET']) {
    equal(wrong({ ...there, [name]: '' }), `${name} must be set when FILES_BUCKET is set`)
  }
})
