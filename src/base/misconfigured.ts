import { statSync } from 'node:fs'

/** A setting is missing or malformed, or names what does not exist. The operator can fix it: no stack. */
export class Misconfigured extends Error {}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'this user does not have permission',
  EPERM: 'this user does not have permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** Returns the reason for which the system refused access to a file, in words. */
export function whyNoFile(error: unknown): string {
  const code = codeOf(error)
  return reasons[code] ? `${reasons[code]} (${code})` : String((error as Error).message)
}

const OTHERS = 0o006

/** Refuses a secret file that all users may read or write (groups may, for orchestrators); none is no error. */
export function refuseReadable(setting: string, file: string): void {
  const state = statSync(file, { throwIfNoEntry: false })
  if (state === undefined || (state.mode & OTHERS) === 0) return
  throw new Misconfigured(
    `${setting} ${file} may be read by every user of this machine, which live mode refuses. Run chmod 600 ${file} as its owner (a secret that is mounted: set its mode to 0440 or 0400).`,
  )
}

/** Returns the error for a port that cannot be listened on, in terms of the two settings for host and port. */
export function notListening(error: unknown, { host, port }: { host: string; port: number }, setting = 'PORT'): Misconfigured {
  const [code, hostSetting] = [codeOf(error), setting.replace('PORT', 'HOST')]
  if (code === 'EADDRINUSE')
    return new Misconfigured(`${setting}=${port} is in use: another program listens on ${host}:${port}. Choose another ${setting}.`)
  if (code === 'EACCES')
    return new Misconfigured(
      `${setting}=${port} requires permission that this user does not have. Choose a port from 1024 to 65535, or grant the permission.`,
    )
  const why = code === 'EADDRNOTAVAIL' ? 'this machine does not have this address' : (error as Error).message
  return new Misconfigured(
    `${hostSetting}=${host} is not usable: ${why}. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all of its addresses.`,
  )
}
