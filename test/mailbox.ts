import { createServer, type Socket } from 'node:net'

/** Opens a mail server that accepts every letter. `next` gives the letters in the order of their arrival. */
export async function openMailbox() {
  const letters: { to: string; text: string }[] = []
  const waiting: ((letter: { to: string; text: string }) => void)[] = []
  const sockets = new Set<Socket>()
  const keep = (letter: { to: string; text: string }) => {
    const first = waiting.shift()
    if (first) first(letter)
    else letters.push(letter)
  }
  const server = createServer(socket => {
    sockets.add(socket)
    let [buffer, to, isData] = ['', '', false]
    const say = (line: string) => socket.write(`${line}\r\n`)
    const handle = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? ''
      if (verb === 'DATA') isData = true
      say(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 well')
    }
    socket.on('error', () => {})
    socket.on('data', part => {
      buffer += part.toString('latin1')
      for (;;) {
        const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const chunk = buffer.slice(0, end)
        buffer = buffer.slice(end + (isData ? 5 : 2))
        if (!isData) handle(chunk)
        else {
          isData = false
          say('250 taken')
          keep({ to, text: chunk.replace(/=\r\n/g, '').replace(/=3D/g, '=') })
        }
      }
    })
    say('220 here')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    next: () =>
      new Promise<{ to: string; text: string }>(resolve => (letters.length > 0 ? resolve(letters.shift()!) : waiting.push(resolve))),
    close: () =>
      new Promise<void>(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
