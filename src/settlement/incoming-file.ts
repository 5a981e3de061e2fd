import type { Context } from '../context.ts'
import { addPart, dropBytes, findFile, openFile } from './files.ts'
import { moveFileOn, nothingDue } from './post.ts'
import type { SettledAccount, SettlementFile } from './tables.ts'

/** Bytes that are stored at once: less than a part of an upload. */
const PART = 4 * 1024 * 1024

/** A report that arrives piece by piece. It is stored as an upload, and no more of it than a part is in memory. */
export class IncomingFile {
  readonly #context: Context
  readonly #account: SettledAccount
  readonly #name: string
  readonly #opened: (file_id: string) => Promise<unknown>
  #file: SettlementFile | null = null
  #waiting: Buffer[] = []
  #size = 0
  #n = 0

  /** `opened`: called before the first bytes are stored. */
  constructor(context: Context, account: SettledAccount, name: string, opened: (file_id: string) => Promise<unknown>) {
    this.#context = context
    this.#account = account
    this.#name = name
    this.#opened = opened
  }

  /** Whether an earlier fetch stored all of it; if it broke off, what there is of it is dropped. */
  async isWhole(file_id: string): Promise<boolean> {
    const file = await findFile(this.#context, this.#account.merchant_id, file_id)
    if (file?.state !== 'receiving') return file !== undefined && file.state !== 'failed'
    await this.#fail(file)
    return false
  }

  async add(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += PART) await this.#addPiece(bytes.subarray(at, at + PART))
  }

  async #addPiece(bytes: Buffer): Promise<void> {
    if (this.#size + bytes.length > PART) await this.#store(false)
    this.#waiting.push(bytes)
    this.#size += bytes.length
  }

  async #open(): Promise<SettlementFile> {
    const of = { name: this.#name, mode: 'what matches', reader: null, columns: null, by: this.#context.by } as const
    this.#file = await openFile(this.#context, this.#account.merchant_id, this.#account, of)
    await this.#opened(this.#file.file_id)
    return this.#file
  }

  async #store(last: boolean): Promise<void> {
    const file = this.#file ?? (await this.#open())
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#size = 0
    this.#file = await addPart(this.#context, file, this.#n++, bytes, last)
  }

  /** Has it read. Returns the id of the file. */
  async end(): Promise<string> {
    await this.#store(true)
    return this.#file!.file_id
  }

  /** Forgets what has arrived. */
  async drop(): Promise<void> {
    if (this.#file) await this.#fail(this.#file)
    this.#file = null
    this.#waiting = []
    this.#size = 0
    this.#n = 0
  }

  async #fail(file: SettlementFile): Promise<void> {
    await dropBytes(this.#context, file)
    const problem = 'The report did not arrive whole; it is fetched again'
    await moveFileOn(this.#context, file, { state: 'failed', problem, finished_at: this.#context.now(), ...nothingDue }, 'failed')
  }
}
