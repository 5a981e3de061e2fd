// A stand-in for the service in the launcher's tests: it answers the few calls that create the demo shop, and
// misbehaves on request.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { PORT, HOST, ADMIN_API_KEY, FAKE_STATE = '', FAKE_DIES, FAKE_SLOW_STOP, FAKE_FAILS_ONCE } = process.env
const log = (level: number, msg: string) => console.log(JSON.stringify({ level, time: Date.now(), msg }))
if (FAKE_DIES === 'at start' || (FAKE_DIES === 'ever after' && existsSync(FAKE_STATE))) {
  log(60, 'no database today')
  process.exit(3)
}

type State = {
  accounts: string[]
  keys: string[]
  connectors: { merchant_connector_id: string; connector_name: string; connector_type: string; secret: string }[]
}
const state: State = existsSync(FAKE_STATE) ? JSON.parse(readFileSync(FAKE_STATE, 'utf8')) : { accounts: [], keys: [], connectors: [] }
let failing = FAKE_FAILS_ONCE

function answer(method: string, path: string, key: string, body: Record<string, never>): [number, unknown] {
  const admin = key === ADMIN_API_KEY
  if (path === '/health/ready') return [200, {}]
  if (!admin && !state.keys.includes(key)) return [401, { error: { code: 'IR_01' } }]
  if (failing === `${method} ${path}`) {
    failing = undefined
    return [500, { error: { code: 'HE_00' } }]
  }
  const account = { merchant_id: 'demo', publishable_key: 'pk_snd_1', default_profile: 'pro_1' }
  switch (`${method} ${path}`) {
    case 'GET /accounts/demo':
      return state.accounts.includes('demo') ? [200, account] : [404, { error: { code: 'HE_02' } }]
    case 'POST /accounts':
      state.accounts.push('demo')
      return [200, account]
    case 'POST /api_keys/demo':
      state.keys.push(`snd_${state.keys.length + 1}`)
      return [200, { api_key: state.keys.at(-1) }]
    case 'GET /account/demo/connectors':
      return [200, state.connectors]
    case 'POST /account/demo/connectors': {
      const { connector_name, connector_type } = body as { connector_name?: string; connector_type?: string }
      const made = {
        merchant_connector_id: `mca_${state.connectors.length + 1}`,
        connector_name: String(connector_name),
        connector_type: String(connector_type),
        secret: secretOf(body),
      }
      state.connectors.push(made)
      return [200, made]
    }
    default:
      return [404, {}]
  }
}

function secretOf(body: Record<string, never>): string {
  return (body as { connector_webhook_details?: { merchant_secret?: string } }).connector_webhook_details?.merchant_secret ?? ''
}

const server = createServer((request, response) => {
  let text = ''
  request.on('data', chunk => (text += chunk))
  request.on('end', () => {
    const [status, body] = answer(request.method!, request.url!, String(request.headers['api-key'] ?? ''), text ? JSON.parse(text) : {})
    if (FAKE_STATE !== '') writeFileSync(FAKE_STATE, JSON.stringify(state))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/die') process.exit(9)
  })
})
server.listen(Number(PORT), HOST, () => {
  log(30, 'ready')
  log(40, 'a warning of the service')
})

/** FAKE_SLOW_STOP: a file without which it does not stop. */
function stop(): void {
  if (!FAKE_SLOW_STOP) process.exit(0)
  log(40, 'asked to stop')
  setInterval(() => existsSync(FAKE_SLOW_STOP) && process.exit(0), 20)
}
process.on('SIGTERM', stop)
process.stdin.on('end', stop).resume()
