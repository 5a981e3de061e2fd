// Shows the progress of a command: in a terminal as a bar that is redrawn, elsewhere as a line for every tenth part.
const WIDTH = 40

export function openProgress(what: string, of: number): (done: number) => void {
  let tenths = -1
  return done => {
    // Work that arrives meanwhile can make the total larger than first counted.
    const all = Math.max(of, done, 1)
    const text = `${done} of ${Math.max(of, done)} ${what}`
    const full = Math.floor((WIDTH * done) / all)
    if (process.stdout.isTTY) {
      process.stdout.write(`\r[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${text}${done >= all ? '\n' : ''}`)
    } else if (Math.floor((10 * done) / all) > tenths) {
      tenths = Math.floor((10 * done) / all)
      process.stdout.write(`${text}\n`)
    }
  }
}
