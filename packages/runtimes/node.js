import { createServer } from 'node:http'
import { answer } from './shop.js'

const server = createServer(async (request, response) => {
  const body = request.method === 'POST' ? { method: 'POST', body: request, duplex: 'half' } : {}
  const said = await answer(new Request(`http://${request.headers.host}${request.url}`, { headers: request.headers, ...body }), process.env)
  response.writeHead(said.status, Object.fromEntries(said.headers)).end(await said.text())
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
