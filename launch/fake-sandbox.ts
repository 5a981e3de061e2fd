// A stand-in for the sandbox in the launcher's tests: prints that it listens, accepts any call, and ends with its
// stdin.
import { createServer } from 'node:http'

const { SANDBOX_PORT, SANDBOX_HOST } = process.env
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
server.listen(Number(SANDBOX_PORT), SANDBOX_HOST, () => console.log(`sandbox listening on http://${SANDBOX_HOST}:${SANDBOX_PORT}`))
process.stdin.on('end', () => process.exit(0)).resume()
