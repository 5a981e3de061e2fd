import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import bidiModule, { type Index as BiDi } from 'selenium-webdriver/bidi/index.js'
import { needDebian } from '../debian.ts'
import { eventually } from '../eventually.ts'

/** Debian's own Firefox, by WebDriver BiDi: the one protocol that it speaks without a driver program. */

const firefoxPath = process.env.FIREFOX || '/usr/bin/firefox-esr'

export const needFirefox = (): void => needDebian(firefoxPath, 'firefox-esr', 'FIREFOX')

const PATIENCE_S = 120

type Context = { context: string; url: string; children: Context[] | null }
type Element = { sharedId: string }

/** Starts Firefox; `open` gives an empty tab without cookies. */
export async function startFirefox(): Promise<{ open(): Promise<Tab>; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'switchyard-firefox-'))
  const browser = spawn(firefoxPath, ['--headless', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // The module is the class; its types say that it is a member.
  const bidi = new (bidiModule as unknown as typeof BiDi)(`${await addressOf(browser)}/session`)
  await bidi.waitForConnection()
  const session = new Session(bidi)
  await session.send('session.new', { capabilities: {} })
  await session.send('session.subscribe', { events: ['log.entryAdded'] })
  return {
    async open() {
      const { userContext } = await session.send<{ userContext: string }>('browser.createUserContext', {})
      const { context } = await session.send<{ context: string }>('browsingContext.create', { type: 'tab', userContext })
      return new Tab(session, context)
    },
    async close() {
      await bidi.close()
      browser.kill()
      if (browser.exitCode === null) await once(browser, 'exit')
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The address that Firefox prints once it listens. */
async function addressOf(browser: ChildProcess): Promise<string> {
  for await (const line of createInterface(browser.stderr!)) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`${firefoxPath} has ended`)
}

type Log = { level: string; text: string; source: { context?: string } }

class Session {
  readonly #bidi: BiDi
  readonly errors: Log[] = []

  constructor(bidi: BiDi) {
    this.#bidi = bidi
    bidi.on('log.entryAdded', (entry: Log) => entry.level === 'error' && this.errors.push(entry))
  }

  async send<T>(method: string, params: Record<string, unknown>): Promise<T> {
    const answer = (await this.#bidi.send({ method, params })) as { result?: T; error?: string; message?: string }
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error} ${answer.message}`)
    return answer.result!
  }
}

/** A document: that of a tab, or that of a frame. */
class Place {
  protected readonly session: Session
  protected readonly context: string

  constructor(session: Session, context: string) {
    this.session = session
    this.context = context
  }

  /** Returns what an expression results in, as JSON. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result } = await this.session.send<{ result: { value: string } }>('script.evaluate', {
      expression: `JSON.stringify(${expression}) ?? 'null'`,
      target: { context: this.context },
      awaitPromise: true,
    })
    return JSON.parse(result.value) as T
  }

  /** Waits until an element is visible. */
  async seen(css: string): Promise<Element> {
    const isSeen = `document.querySelector(${JSON.stringify(css)})?.checkVisibility() === true`
    await eventually(() => this.evaluate<boolean>(isSeen), `${css} is visible`, PATIENCE_S)
    const locator = { type: 'css', value: css }
    const { nodes } = await this.session.send<{ nodes: Element[] }>('browsingContext.locateNodes', { context: this.context, locator })
    return nodes[0]!
  }

  async click(css: string): Promise<void> {
    const element = await this.seen(css)
    await this.evaluate(`document.querySelector(${JSON.stringify(css)}).scrollIntoView({ block: 'center' })`)
    const { sharedId } = element
    await this.session.send('input.performActions', {
      context: this.context,
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    })
  }

  /** Replaces what a field contains. */
  async fill(css: string, text: string): Promise<void> {
    await this.click(css)
    await this.evaluate(`document.querySelector(${JSON.stringify(css)}).select()`)
    await this.press(text)
  }

  /** Presses keys, one for each character, in the element that has the focus. */
  async press(keys: string): Promise<void> {
    const actions = [...keys].flatMap(value => ['keyDown', 'keyUp'].map(type => ({ type, value })))
    await this.session.send('input.performActions', { context: this.context, actions: [{ type: 'key', id: 'keyboard', actions }] })
  }
}

export class Tab extends Place {
  async goto(url: string): Promise<void> {
    await this.session.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' })
  }

  /** Waits for a frame anywhere in the tab whose address contains this. */
  async frame(part: string): Promise<Place> {
    let found: Context | undefined
    const isThere = async () => {
      const { contexts } = await this.session.send<{ contexts: Context[] }>('browsingContext.getTree', { root: this.context })
      found = withFrames(contexts).find(({ url }) => url.includes(part))
      return found !== undefined
    }
    await eventually(isThere, `there is a frame ${part}`, PATIENCE_S)
    return new Place(this.session, found!.context)
  }

  /** The errors of the tab and its frames, as the console shows them. */
  async errors(): Promise<string[]> {
    const { contexts } = await this.session.send<{ contexts: Context[] }>('browsingContext.getTree', { root: this.context })
    const own = withFrames(contexts).map(({ context }) => context)
    return this.session.errors.filter(({ source }) => own.includes(source.context ?? '')).map(({ text }) => text)
  }
}

const withFrames = (contexts: readonly Context[]): Context[] => contexts.flatMap(one => [one, ...withFrames(one.children ?? [])])
