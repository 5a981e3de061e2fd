import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, type ReactElement, useEffect, useState } from 'react'
import { Failure, type Payment } from '../interface'
import { Icon } from '../parts/icons'
import { signIn, useSession } from '../session'

/** Whether the service takes this key, and of which merchant it is as far as a payment tells. */
async function tryKey(key: string): Promise<string | null> {
  const reply = await fetch('/payments/list?limit=1', { headers: { 'api-key': key }, credentials: 'same-origin' })
  const body = (await reply.json()) as { data?: Payment[]; error?: { code: string; message: string; help?: string } }
  if (reply.ok) return body.data?.[0]?.merchant_id ?? null
  throw new Failure(reply.status, body.error?.code ?? '', body.error?.message ?? 'Not accepted', body.error?.help ?? null)
}

export function SignIn(): ReactElement {
  const { why } = useSession()
  const [key, setKey] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  useEffect(() => {
    document.title = 'Sign in · Switchyard'
  }, [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const typed = key.trim()
    if (!typed.startsWith('snd_'))
      return setWrong('A secret key of test mode begins with snd_. Keys of live mode are never typed into a page.')
    setBusy(true)
    try {
      signIn(typed, await tryKey(typed))
    } catch (said) {
      setWrong(said instanceof Failure ? `${said.message} (${said.code})` : 'The service does not answer.')
      setBusy(false)
    }
  }
  return (
    <main className="gate">
      <form onSubmit={submit}>
        <div className="brand">
          <Icon name="mark" size={28} />
          <span className="strong">Switchyard</span>
        </div>
        <h1>Sign in</h1>
        {why !== null && <p className="note person">{why}</p>}
        <PasswordInput
          label="Secret key"
          description="Of test mode; npm start prints it. It stays in the memory of this tab."
          placeholder="snd_…"
          value={key}
          onChange={event => setKey(event.currentTarget.value)}
          error={wrong}
          autoComplete="off"
          autoFocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key', tabIndex: 0 }}
        />
        <Button type="submit" fullWidth disabled={isBusy || key.trim() === ''}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
    </main>
  )
}
