import { openSandbox } from './server.ts'

const { SANDBOX_PORT = '8081', SANDBOX_HOST = '127.0.0.1', SANDBOX_LEDGER = 'data/sandbox.jsonl' } = process.env

if (!/^\d{1,5}$/.test(SANDBOX_PORT) || Number(SANDBOX_PORT) > 65_535) {
  console.error(`The sandbox cannot start: SANDBOX_PORT must be a port number, or 0 for any free port; it is ${SANDBOX_PORT}`)
  process.exit(1)
}

const sandbox = await openSandbox({ port: Number(SANDBOX_PORT), host: SANDBOX_HOST, ledgerFile: SANDBOX_LEDGER }).catch(error => {
  // The error names the system call that failed (listen, open, mkdir …). Network calls fail because of the host or
  // port, the others because of the ledger file.
  const setting = ['listen', 'getaddrinfo'].includes(error.syscall) ? 'SANDBOX_HOST, SANDBOX_PORT' : `SANDBOX_LEDGER=${SANDBOX_LEDGER}`
  console.error(`The sandbox cannot start: ${setting}: ${error.message}. Choose a different value.`)
  process.exit(1)
})

async function end(): Promise<never> {
  setTimeout(() => process.exit(1), 5000).unref() // the parent that sent the signal may be dead, and cannot kill this process
  await sandbox.close()
  process.exit(0)
}

process.once('SIGTERM', end)
process.once('SIGINT', end)
if (process.env.SANDBOX_DIES_WITH_STDIN === '1') process.stdin.once('end', end).once('error', end).resume()

console.log(`sandbox listening on ${sandbox.url}`)
