import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { answer, Failure, GET, POST, type Schemas } from '../api'
import { Icon } from '../parts/icons'
import { enter, useSession } from '../session'

// The pages before the dashboard: the sign-in, and the pages that links in e-mails open. The address stays as it is,
// so the user gets to the requested page after the sign-in.

const BASE = '/dashboard'
const linkPages = ['setup', 'invitation', 'reset'] as const
type Step = 'sign in' | 'second factor' | 'forgotten' | (typeof linkPages)[number]

function firstStep(): Step {
  const page = location.pathname.slice(BASE.length + 1)
  return linkPages.find(one => one === page) ?? 'sign in'
}

function takeToken(): string {
  const token = new URLSearchParams(location.search).get('token') ?? ''
  if (token !== '') history.replaceState(null, '', location.pathname)
  return token
}

const messageOf = (why: unknown): string =>
  why instanceof Failure
    ? why.status === 0
      ? 'The service does not answer.'
      : [`${why.message} (${why.code}).`, why.help].filter(Boolean).join(' ')
    : String(why)

type Sheet = {
  title: string
  hint?: string
  act: string
  acting: string
  /** Sends the typed texts, by the names of the fields. */
  send(typed: Record<string, string>): Promise<void>
  children: ReactNode
  below?: ReactNode
}

/** Shows a form with one question. An error is shown above the form. */
function Form({ title, hint, act, acting, send, children, below }: Sheet): ReactElement {
  const { why } = useSession()
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  useEffect(() => {
    document.title = `${title} · Switchyard`
  }, [title])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]))
    setBusy(true)
    setWrong(null)
    try {
      await send(typed)
    } catch (error) {
      setWrong(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <main className="gate">
      <form onSubmit={submit}>
        <div className="brand">
          <Icon name="mark" size={28} />
          <span className="strong">Switchyard</span>
        </div>
        <div>
          <h1>{title}</h1>
          {hint && <p className="muted">{hint}</p>}
        </div>
        {why !== null && wrong === null && <p className="note plain">{why}</p>}
        {wrong !== null && (
          <p className="note no" role="alert">
            {wrong}
          </p>
        )}
        {children}
        <Button type="submit" fullWidth disabled={isBusy}>
          {isBusy ? acting : act}
        </Button>
        {below}
      </form>
    </main>
  )
}

const Email = () => <TextInput name="email" type="email" label="E-mail" autoComplete="username" required autoFocus withAsterisk={false} />
const Password = ({ isNew }: { isNew?: boolean }) => (
  <PasswordInput
    name="password"
    label="Password"
    description={isNew ? 'At least 12 characters' : undefined}
    autoComplete={isNew ? 'new-password' : 'current-password'}
    minLength={isNew ? 12 : undefined}
    required
    withAsterisk={false}
    visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
  />
)

const Quiet = ({ to, children }: { to(): void; children: ReactNode }) => (
  <button type="button" className="quiet link" onClick={to}>
    {children}
  </button>
)

/**
 * Whether the service has a provider of single sign-on. If the service does not answer, only the password form is
 * shown.
 */
function useSso(): boolean {
  const [has, setHas] = useState(false)
  useEffect(() => {
    answer(GET('/deployment')).then(
      ({ sign_in }) => setHas(sign_in.includes('sso')),
      () => setHas(false),
    )
  }, [])
  return has
}

/** Whether a single sign-on has just failed. Removes the mark from the address. */
function takeFailed(): boolean {
  const isFailed = new URLSearchParams(location.search).get('failed') === 'sso'
  if (isFailed) history.replaceState(null, '', BASE)
  return isFailed
}

const SSO_FAILED =
  'Single sign-on was not accepted. Either the provider refused, or nobody has invited the e-mail address that it knows of you. Ask an owner or admin to invite it.'

/** Shows a link to the provider of single sign-on. After the sign-in the user gets back to the requested page. */
const SsoButton = () => (
  <Button component="a" variant="default" fullWidth href={`/user/sso?next=${encodeURIComponent(location.pathname + location.search)}`}>
    Sign in with single sign-on
  </Button>
)

export function SignIn(): ReactElement {
  const hasSso = useSso()
  const [isFailed] = useState(takeFailed)
  const { user } = useSession()
  const [step, setStep] = useState<Step>(firstStep)
  const [token] = useState(takeToken)
  const [isMailed, setMailed] = useState(false)
  const come = ({ next, user: who }: Schemas['SignedIn']): void => {
    if (next === 'totp') {
      setStep('second factor')
      return
    }
    if (linkPages.some(page => location.pathname === `${BASE}/${page}`)) history.replaceState(null, '', BASE)
    enter(who!)
  }
  if (user !== null)
    return (
      <main className="gate">
        <p>{user.email} belongs to no merchant yet. Somebody with the role owner or admin can invite you.</p>
      </main>
    )
  switch (step) {
    case 'sign in':
      return (
        <Form
          title="Sign in"
          act="Sign in"
          acting="Signing in…"
          send={async ({ email = '', password = '' }) => come(await answer(POST('/user/sign_in', { body: { email, password } })))}
          below={
            <>
              {hasSso && <SsoButton />}
              <Quiet to={() => setStep('forgotten')}>Forgotten password</Quiet>
            </>
          }
        >
          {isFailed && <p className="note plain">{SSO_FAILED}</p>}
          <Email />
          <Password />
        </Form>
      )
    case 'second factor':
      return (
        <Form
          title="Second factor"
          hint="The code of your authenticator, or a recovery code."
          act="Go on"
          acting="Looking…"
          send={async ({ code = '' }) => come(await answer(POST('/user/sign_in/totp', { body: { code } })))}
          below={<Quiet to={() => setStep('sign in')}>Back</Quiet>}
        >
          <TextInput name="code" label="Code" autoComplete="one-time-code" inputMode="numeric" required withAsterisk={false} autoFocus />
        </Form>
      )
    case 'forgotten':
      return (
        <Form
          title="Forgotten password"
          hint={isMailed ? 'If there is such an account, a link is on its way to it.' : 'A link to set a new one is sent to your address.'}
          act="Send the link"
          acting="Sending…"
          send={async ({ email = '' }) => {
            await answer(POST('/user/password/forgotten', { body: { email } }))
            setMailed(true)
          }}
          below={<Quiet to={() => setStep('sign in')}>Back</Quiet>}
        >
          <Email />
        </Form>
      )
    case 'setup':
      return (
        <Form
          title="The first owner"
          hint="Owns this deployment's first merchant, and invites everybody else."
          act="Begin"
          acting="Beginning…"
          send={async ({ email = '', name = '', password = '' }) =>
            come(await answer(POST('/user/first', { body: { token, email, password, ...(name && { name }) } })))
          }
        >
          <Email />
          <TextInput name="name" label="Name" autoComplete="name" />
          <Password isNew />
        </Form>
      )
    case 'invitation':
      return (
        <Form
          title="You are invited"
          hint="If you have an account already, give its password."
          act="Join"
          acting="Joining…"
          send={async ({ name = '', password = '' }) =>
            come(await answer(POST('/user/invite/accept', { body: { token, password, ...(name && { name }) } })))
          }
        >
          <TextInput name="name" label="Name" autoComplete="name" autoFocus />
          <Password isNew />
        </Form>
      )
    case 'reset':
      return (
        <Form
          title="A new password"
          hint="Passkeys, the second factor, sessions and command lines of the account end with it; set them up again afterwards."
          act="Set it"
          acting="Setting…"
          send={async ({ password = '' }) => come(await answer(POST('/user/password/reset', { body: { token, password } })))}
        >
          <Password isNew />
        </Form>
      )
  }
}
