// Loaded before every script that run.mjs runs (node --import): descriptor 3 is a pipe from run.mjs, and when it
// ends, run.mjs is dead, even by kill -9. The script is then told to stop as if by its owner. The variable names
// run.mjs, so that what the script starts in turn (workers, test processes) does not take its own descriptor 3 for
// this pipe.
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

if (isMainThread && process.env.SWITCHYARD_LIFELINE === String(process.ppid)) {
  const pipe = new Socket({ fd: 3, readable: true, writable: false })
  const stop = () => process.kill(process.pid, 'SIGTERM')
  pipe.on('error', () => {}).on('close', stop)
  pipe.resume().unref()
}
delete process.env.SWITCHYARD_LIFELINE
