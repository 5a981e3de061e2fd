import '../../launch/help.mjs'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Fault, openAdapter, openLetterbox, PATIENCE_MS } from './adapter.ts'
import { readings } from './readings.ts'
import { first, type Sentence, type Stage, sentences } from './sentences.ts'

/**
 * `npm run bridge:check URL`: checks an adapter of the bridge protocol (`docs/bridge/README.md`) against each
 * requirement. Use only test environments, because the check makes payments.
 */

/**
 * The result for a requirement. `found`: the violation; null if the requirement is met. `untried`: the reason for
 * which it was not tried.
 */
export type Finding = { requirement: string; found: string | null; untried?: string }

export type Wish = {
  url: string
  key: string
  port?: number
  reachedAt?: string | undefined
  patience_ms?: number | undefined
  report?: (finding: Finding) => void
}

/** Checks all requirements. Returns the findings in their order. */
export async function check({ url, key, port = 0, reachedAt, patience_ms = PATIENCE_MS, report = () => {} }: Wish): Promise<Finding[]> {
  const letterbox = await openLetterbox(port, patience_ms)
  const secret = `whsec_${randomBytes(16).toString('hex')}`
  const stage: Stage = { adapter: openAdapter(url, key), letterbox, secret, about: { offers: [] } }
  const findings: Finding[] = []
  const note = (finding: Finding) => {
    findings.push(finding)
    report(finding)
    return finding.found === null
  }
  try {
    if (!note(await tried(first, stage))) return findings
    if (!note(await tried(listening(reachedAt ?? letterbox.url), stage))) return findings
    for (const sentence of [...sentences, ...readings]) {
      const untried = whyUntried(sentence, stage)
      note(untried === null ? await tried(sentence, stage) : { requirement: sentence.requirement, found: null, untried })
    }
    return findings
  } finally {
    await letterbox.close()
  }
}

const listening = (address: string): Sentence => ({
  requirement: 'The adapter accepts the URL for notifications',
  async holds({ adapter, secret }) {
    const { status, body } = await adapter.call('PUT', '/news', { url: address, secret })
    if (status !== 200 || (body as { url?: unknown } | null)?.url !== address)
      throw new Fault(`PUT /v1/news returned ${status} ${JSON.stringify(body)}`)
  },
})

function whyUntried({ needs = [], reads, card }: Sentence, { about }: Stage): string | null {
  const missing = needs.find(type => !about.offers.includes(type))
  if (missing !== undefined) return `the adapter does not support ${missing}`
  if (reads !== undefined && !about.reads?.includes(reads)) return `the adapter does not read ${reads}`
  return card === undefined || about.test_cards?.[card] ? null : `the adapter has no test card for ${card}`
}

async function tried({ requirement, holds }: Sentence, stage: Stage): Promise<Finding> {
  try {
    await holds(stage)
    return { requirement, found: null }
  } catch (error) {
    if (error instanceof Fault) return { requirement, found: error.message }
    throw error
  }
}

const line = ({ requirement, found, untried }: Finding): string =>
  found !== null ? `✗ ${requirement}\n    ${found}` : untried === undefined ? `✓ ${requirement}` : `– ${requirement} (skipped: ${untried})`

const usage = `usage: BRIDGE_KEY=… npm run bridge:check URL
  URL          base URL of the adapter: metadata.base_url of the connector account
  BRIDGE_KEY   its secret: api_key of the connector account
  -- --port N --reached-at URL   port for notifications, and the URL where the adapter reaches it (default: any port, on this machine)`

export async function main(args: string[], env: NodeJS.ProcessEnv, say: (message: string) => void): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: { port: { type: 'string' }, 'reached-at': { type: 'string' } },
  })
  const [url] = positionals
  const { BRIDGE_KEY: key = '' } = env
  const port = Number(values.port ?? 0)
  if (url === undefined || !/^https?:\/\//.test(url) || key === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    say(usage)
    return 2
  }
  const findings = await check({
    url,
    key,
    port,
    reachedAt: values['reached-at'] as string | undefined,
    report: finding => say(line(finding)),
  })
  const wrong = findings.filter(({ found }) => found !== null).length
  say(wrong === 0 ? 'The adapter implements the bridge protocol, version 1.' : `${wrong} of ${findings.length} requirements are not met.`)
  return wrong === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env, message => console.log(message))
