import { answer } from './shop.js'

console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: request => answer(request, process.env) }).port)
