// `npm run user:reset-2fa EMAIL`: removes the second factor and the recovery codes of a person who has lost both, after
// the operator has made sure who asks. The password stays. Settings are those of the service; without DATABASE_URL, the
// database is that of `npm start`, running or not.
import './help.mjs'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { resetTotp } from '../src/users/totp.ts'
import { withBooks } from './bookkeeping.ts'

try {
  const [email, more] = process.argv.slice(2)
  if (email === undefined || email.startsWith('-') || more !== undefined)
    throw new Misconfigured('an e-mail address is required: npm run user:reset-2fa EMAIL')
  const had = await withBooks(context => resetTotp(context, email))
  process.stdout.write(had ? `${email} signs in without a second factor now.\n` : `${email} has no second factor; nothing was changed.\n`)
} catch (error) {
  const { message, why } = error as Error & { why?: string }
  process.stderr.write(`no second factor was removed: ${why ?? message}\n`)
  process.exitCode = 2
}
