import type { XmlElement } from '@rgrove/parse-xml'
import { type Currency, isCurrency } from '../../base/currencies.ts'
import { readXml } from '../../base/read-xml.ts'
import type { BankEntry, UnreadLine } from '../line.ts'
import { readExact } from './amounts.ts'
import { Problem, shown, unread } from './kit.ts'
import { readReportTime } from './times.ts'

/** Of an entry for a batch of payments, which repeats the details of each. */
const LONGEST_ENTRY = 4_194_304
/** The longest begin of a part: that of one may stand at the end of what has arrived. */
const LONGEST_BEGIN = 64
const MOST_TEXTS = 200

const isElement = (node: unknown): node is XmlElement => (node as { type?: string }).type === 'element'
/** Without its prefix: banks write the same document with and without one. */
const nameOf = (element: XmlElement): string => element.name.slice(element.name.indexOf(':') + 1)

function* inside(element: XmlElement, ...path: string[]): Generator<XmlElement> {
  const [name, ...rest] = path
  for (const child of element.children)
    if (isElement(child) && nameOf(child) === name) {
      if (rest.length === 0) yield child
      else yield* inside(child, ...rest)
    }
}
const textAt = (element: XmlElement, ...path: string[]): string =>
  inside(element, ...path)
    .next()
    .value?.text.trim() ?? ''

function moneyOf(element: XmlElement): { amount: number; currency: Currency } {
  const amount = inside(element, 'Amt').next().value
  const currency = (amount?.attributes.Ccy ?? '').toUpperCase()
  if (!isCurrency(currency)) throw new Problem(`${shown(currency)} is not a currency`)
  const value = readExact(amount!.text.trim(), currency)
  if (value === null || value < 0) throw new Problem(`${shown(amount!.text)} is not an amount in ${currency}`)
  const side = textAt(element, 'CdtDbtInd')
  if (side !== 'CRDT' && side !== 'DBIT') throw new Problem(`${shown(side)} is neither CRDT nor DBIT`)
  return { amount: side === 'CRDT' ? value : 0 - value, currency }
}

/** Names of elements whose text a bank repeats of a payment. */
const told = new Set([
  'EndToEndId',
  'InstrId',
  'TxId',
  'PmtInfId',
  'MsgId',
  'Ustrd',
  'Ref',
  'AddtlRmtInf',
  'AddtlTxInf',
  'AddtlNtryInf',
  'NtryRef',
  'Nm',
])

function textsIn(element: XmlElement, into: Set<string>): Set<string> {
  for (const child of element.children)
    if (isElement(child) && into.size < MOST_TEXTS) {
      const text = told.has(nameOf(child)) ? child.text.trim() : ''
      if (text !== '' && text !== 'NOTPROVIDED') into.add(text.slice(0, 500))
      textsIn(child, into)
    }
  return into
}

/** Null: the entry is only announced. */
function entryOf(at: number, element: XmlElement): BankEntry | null {
  const status = textAt(element, 'Sts', 'Cd') || textAt(element, 'Sts')
  if (status !== '' && status !== 'BOOK') return null
  const dates = [['BookgDt', 'DtTm'], ['BookgDt', 'Dt'], ['ValDt', 'DtTm'], ['ValDt', 'Dt']] // biome-ignore format: a table
  const booked_at = dates.reduce<string | null>((found, path) => found ?? readReportTime(textAt(element, ...path).slice(0, 30)), null)
  if (booked_at === null) throw new Problem('has no booking date')
  return { at, reference: textAt(element, 'AcctSvcrRef') || null, ...moneyOf(element), booked_at, texts: [...textsIn(element, new Set())] }
}

/** The elements of a document that are read by themselves, whole: entries, balances, and where a statement begins. */
const PART = /<(?:[\w.-]{1,20}:)?(Ntry|Bal|Stmt)(?=[\s>])/g

type Part = { name: string; at: number; xml: string | null }

/** Takes the parts of a document out of it as it arrives: it holds no more than one part. */
class Parts {
  #text = ''
  #at = 1

  #drop(to: number): void {
    this.#at += this.#text.slice(0, to).split('\n').length - 1
    this.#text = this.#text.slice(to)
  }

  *push(piece: string, last: boolean): Generator<Part> {
    this.#text += piece
    for (;;) {
      PART.lastIndex = 0
      const found = PART.exec(this.#text)
      if (found === null) {
        const { length } = this.#text
        this.#drop(last ? length : Math.max(this.#text.lastIndexOf('<'), length - LONGEST_BEGIN, 0))
        return
      }
      const [begin, name = ''] = found
      this.#drop(found.index)
      if (name === 'Stmt') {
        yield { name, at: this.#at, xml: null }
        this.#drop(begin.length)
        continue
      }
      const close = `</${begin.slice(1)}>`
      const end = this.#text.indexOf(close)
      if (end === -1 && !last && this.#text.length <= LONGEST_ENTRY) return
      const to = end === -1 ? this.#text.length : end + close.length
      // Without an end of this part there is none of those that begin within it.
      yield { name, at: this.#at, xml: end === -1 ? null : this.#text.slice(0, to) }
      this.#drop(to)
    }
  }
}

/** The balance of a statement: what it began with and its entries must be what it ends with. */
class Statement {
  #opened: number | null = null
  #closed: { at: number; amount: number } | null = null
  #sum = 0
  add(amount: number): void {
    this.#sum += amount
  }
  balance(at: number, element: XmlElement): void {
    const code = textAt(element, 'Tp', 'CdOrPrtry', 'Cd')
    if (code === 'OPBD' || (code === 'PRCD' && this.#opened === null)) this.#opened = moneyOf(element).amount
    if (code === 'CLBD') this.#closed = { at, amount: moneyOf(element).amount }
  }
  *check(): Generator<UnreadLine> {
    if (this.#opened === null || this.#closed === null || this.#opened + this.#sum === this.#closed.amount) return
    const sum = `begins with ${this.#opened}, its entries are ${this.#sum}, and it ends with ${this.#closed.amount}`
    yield unread(this.#closed.at, `the statement does not add up: it ${sum}`)
  }
}

/**
 * Reads a statement of a bank in the form camt.053 (also camt.052 and 054), of any version. An entry that is only
 * announced is none. iso20022.org, message definition report "Bank-to-Customer Cash Management"
 */
export async function* readCamt(source: AsyncIterable<{ text: string }>): AsyncGenerator<BankEntry | UnreadLine, undefined> {
  const parts = new Parts()
  let statement = new Statement()
  function* read(piece: string, last: boolean): Generator<BankEntry | UnreadLine> {
    for (const { name, at, xml } of parts.push(piece, last)) {
      if (name === 'Stmt') {
        yield* statement.check()
        statement = new Statement()
        continue
      }
      try {
        if (xml === null) throw new Problem('does not end')
        const element = readXml(xml)!
        if (name === 'Bal') statement.balance(at, element)
        else {
          const entry = entryOf(at, element)
          if (entry) statement.add(entry.amount)
          if (entry) yield entry
        }
      } catch (error) {
        yield unread(at, error instanceof Problem ? error.message : 'is not valid XML', [xml ?? ''])
      }
    }
  }
  for await (const { text } of source) yield* read(text, false)
  yield* read('', true)
  yield* statement.check()
  return undefined
}
