import { Misconfigured, whyNoFile } from '../base/misconfigured.ts'
import { refuse } from '../base/refusal.ts'
import type { Files, Log } from '../context.ts'
import { openFolder } from './folder.ts'
import { type Bucket, openBucket } from './s3.ts'

export type FilesConfig = { folder: string } | Bucket

/** Longer than a folder on a healthy network needs, and shorter than a caller waits. */
const WITHIN_MS = 10_000
/** A test result is reused so long, because stores charge for each request. */
const TRIED_FOR_MS = 60_000

/** The words of refusals, for one kind of files. */
type Messages = Record<'put' | 'get' | 'delete' | 'folder' | 'bucket', string>
const ofMerchants: Messages = {
  put: 'Files cannot be stored right now; nothing was attached',
  get: 'Files cannot be read right now',
  delete: 'Files cannot be deleted right now',
  folder: 'FILES_FOLDER',
  bucket: 'FILES_BUCKET',
}
export const ofArchive: Messages = {
  put: 'The archive of events cannot be written right now',
  get: 'The archive of events cannot be read right now; what was queued before is sent',
  delete: 'The archive of events cannot be written right now',
  folder: 'ARCHIVE_FOLDER',
  bucket: 'ARCHIVE_BUCKET',
}

/** Failures are refused (HE_00); the reason is in the log. */
export function openFiles(config: FilesConfig, log: Pick<Log, 'error'>, messages: Messages = ofMerchants): Files {
  const files = 'folder' in config ? openFolder(config.folder) : openBucket(config)
  const guarded = async <T>(work: Promise<T>, message: string): Promise<T> => {
    try {
      return await within(work, WITHIN_MS)
    } catch (error) {
      log.error({ err: error, reason: message }, 'files cannot be stored or read')
      return refuse('unavailable', { problem: message })
    }
  }
  return {
    put: (name, bytes, type) => guarded(files.put(name, bytes, type), messages.put),
    get: name => guarded(files.get(name), messages.get),
    delete: name => guarded(files.delete(name), messages.delete),
    tried: 'folder' in config ? files.tried : remembered(files.tried),
  }
}

function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function remembered(ask: () => Promise<void>): () => Promise<void> {
  let [last, asked]: [Promise<void> | null, number] = [null, 0]
  return () => {
    if (last === null || performance.now() - asked > TRIED_FOR_MS) [last, asked] = [ask(), performance.now()]
    return last
  }
}

/** A wrong folder throws. A bucket may be unreachable for a while: the log and `/health/ready` report this. */
export async function tryFiles(config: FilesConfig, files: Files, log: Pick<Log, 'warn'>, messages: Messages = ofMerchants): Promise<void> {
  try {
    await within(files.tried(), WITHIN_MS)
  } catch (error) {
    if ('folder' in config)
      throw new Misconfigured(
        `${messages.folder}=${config.folder} cannot be written: ${whyNoFile(error)}. Set a folder that this user can write to and that all processes share, or a bucket (${messages.bucket}).`,
      )
    log.warn({ err: error, setting: messages.bucket }, 'the file bucket is not usable')
  }
}
