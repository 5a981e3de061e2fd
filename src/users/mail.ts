import type { Secret } from '../base/secret.ts'
import type { Log } from '../context.ts'

/** Null without a mail server. */
export type Mailer = { send(to: string, subject: string, text: string): Promise<void>; close(): void } | null

/** The library is loaded only if a mail server is configured. */
export async function openMailer(smtp: { url: Secret; from: string } | null): Promise<Mailer> {
  if (smtp === null) return null
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(smtp.url.reveal(), { from: smtp.from })
  return {
    async send(to, subject, text) {
      await transport.sendMail({ to: { name: '', address: to }, subject, text })
    },
    close: () => transport.close(),
  }
}

/** Without waiting, because the duration of the answer must not reveal whether an account exists. */
export function sendLetter(mailer: NonNullable<Mailer>, log: Log, to: string, { subject, text }: Letter): void {
  mailer.send(to, subject, text).catch(err => log.error({ err: { message: (err as Error).message } }, 'an e-mail could not be sent'))
}

type Letter = { subject: string; text: string }

export const letters = {
  reset: (url: string): Letter => ({
    subject: 'Set a new password for Switchyard',
    text: `Somebody, probably you, asked for a new password. This link sets it, once, within an hour:\n\n${url}\n\nIf it was not you, there is nothing to do.\n`,
  }),
  wasReset: (): Letter => ({
    subject: 'Your password for Switchyard was set',
    text: 'Your password was set by a link. Every other credential of your account has ended: passkeys, the second factor and its recovery codes, sessions, and command lines. Set them up again in the dashboard, under your account.\n\nIf it was not you, ask the operator of the service for help at once.\n',
  }),
  invite: (merchant: string, url: string): Letter => ({
    subject: `You are invited to ${merchant} on Switchyard`,
    text: `This link takes the invitation, once, within seven days:\n\n${url}\n`,
  }),
} as const
