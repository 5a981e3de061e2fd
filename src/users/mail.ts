import type { Secret } from '../base/secret.ts'
import type { Log } from '../context.ts'

/** Letters to people: links that they asked for, or were invited by. Null without a mail server. */
export type Mailer = { send(to: string, subject: string, text: string): Promise<void>; close(): void } | null

/** Opens the way to the mail server (SMTP). The library is loaded only where one is set. */
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

/** Sends a letter, after the answer: how long it takes must not tell whether there is such an account. */
export function sendLetter(mailer: NonNullable<Mailer>, log: Log, to: string, { subject, text }: Letter): void {
  mailer.send(to, subject, text).catch(err => log.error({ err: { message: (err as Error).message } }, 'a letter could not be sent'))
}

type Letter = { subject: string; text: string }

/** What is written. */
export const letters = {
  reset: (url: string): Letter => ({
    subject: 'Set a new password for Switchyard',
    text: `Somebody, probably you, asked for a new password. This link sets it, once, within an hour:\n\n${url}\n\nIf it was not you, there is nothing to do.\n`,
  }),
  invite: (merchant: string, url: string): Letter => ({
    subject: `You are invited to ${merchant} on Switchyard`,
    text: `This link takes the invitation, once, within seven days:\n\n${url}\n`,
  }),
} as const
