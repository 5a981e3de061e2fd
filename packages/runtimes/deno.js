import { answer } from './shop.js'

const env = { SWITCHYARD: Deno.env.get('SWITCHYARD'), KEY: Deno.env.get('KEY') }
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(port) }, request => answer(request, env))
