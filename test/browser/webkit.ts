import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver'
import { needDebian } from '../debian.ts'
import { eventually } from '../eventually.ts'

/** WebKit, the engine of Safari, as Debian packages it: driven by WebDriver, on a virtual screen. */

const driverPath = process.env.WEBKIT_DRIVER || '/usr/bin/WebKitWebDriver'
const screenPath = process.env.XVFB || '/usr/bin/Xvfb'

export function needWebKit(): void {
  needDebian(driverPath, 'webkit2gtk-driver', 'WEBKIT_DRIVER')
  needDebian(screenPath, 'xvfb', 'XVFB')
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** Ends a process of ours, and waits for its exit. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

/** Starts the screen and the driver; `open` gives an empty browser, one at a time. */
export async function startWebKit() {
  // The screen server takes a free display number, and prints it.
  const screen = spawn(screenPath, ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [display] = (await once(createInterface(screen.stdio[3] as Readable), 'line')) as [string]
  const port = await freePort()
  const driver = spawn(driverPath, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${display}`, LIBGL_ALWAYS_SOFTWARE: '1' },
  })
  const server = `http://127.0.0.1:${port}`
  const isThere = () =>
    fetch(`${server}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(isThere, 'the driver of WebKit answers')
  return {
    open: (): Promise<WebDriver> =>
      new Builder()
        .usingServer(server)
        .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
        .forBrowser('MiniBrowser')
        .build(),
    async close() {
      await end(driver)
      await end(screen)
    },
  }
}
