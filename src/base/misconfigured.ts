/**
 * A setting that is missing, malformed, or names what is not there. Whoever runs the service can mend it, so it is
 * said in a sentence that names the setting and what to do, without a stack.
 */
export class Misconfigured extends Error {}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the file system can only be read',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** What the system said of a file, as a reason. */
export function whyNoFile(error: unknown): string {
  const code = codeOf(error)
  return reasons[code] ? `${reasons[code]} (${code})` : String((error as Error).message)
}

/** What the system said when a port was to be listened on, as a sentence about the two settings that name it. */
export function notListening(error: unknown, { host, port }: { host: string; port: number }, setting = 'PORT'): Misconfigured {
  const [code, hostSetting] = [codeOf(error), setting.replace('PORT', 'HOST')]
  if (code === 'EADDRINUSE')
    return new Misconfigured(`${setting}=${port} is taken: something else listens on ${host}:${port}. Choose another ${setting}.`)
  if (code === 'EACCES')
    return new Misconfigured(`${setting}=${port} may not be used by this user. Choose one from 1024 to 65535, or allow it to this user.`)
  const why = code === 'EADDRNOTAVAIL' ? 'this machine does not have that address' : (error as Error).message
  return new Misconfigured(
    `${hostSetting}=${host} cannot be listened on: ${why}. 127.0.0.1 is this machine alone, 0.0.0.0 all of its addresses.`,
  )
}
