import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, type ReactNode, Suspense, useEffect, useState } from 'react'
import { answer, DELETE, Failure, GET, POST, type Schemas } from '../api'
import { Details, Panel } from '../parts/details'
import { Id } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { StatusMark } from '../parts/status'
import { SubmitError } from '../parts/submit'
import { Ago, Exact } from '../parts/time'
import { enter, leave, useSession } from '../session'

const Confirm = lazy(() => import('../parts/confirm'))
const Qr = lazy(() => import('../parts/qr'))

/** The dialog of the page that is open, if any. */
type Open = 'password' | 'second factor' | 'no second factor' | 'passkey' | 'everywhere' | null
type Passkey = Schemas['Passkey']

/** Reads the signed-in user again from the service. */
const again = async (): Promise<void> => enter(await answer(GET('/user')))

function Secret({
  label,
  value,
  change,
  isNew = false,
}: {
  label: string
  value: string
  change(typed: string): void
  isNew?: boolean
}): ReactElement {
  return (
    <PasswordInput
      label={label}
      {...(isNew && { description: 'At least 12 characters' })}
      value={value}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      onChange={event => change(event.currentTarget.value)}
    />
  )
}

function ChangePassword({ close }: { close(): void }): ReactElement {
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const queries = useQueryClient()
  return (
    <Confirm
      title="Change your password?"
      act="Change the password"
      acting="Changing…"
      keep="Keep it"
      close={close}
      consequence={
        old !== '' && fresh.length >= 12 ? (
          <p>
            <b className="strong">Every other device is signed out.</b> This one stays.
          </p>
        ) : null
      }
      send={async () => {
        await answer(POST('/user/password', { body: { old_password: old, password: fresh } }))
        await queries.invalidateQueries({ queryKey: ['devices'] })
      }}
    >
      <Secret label="Your password" value={old} change={setOld} />
      <Secret label="New password" value={fresh} change={setFresh} isNew />
    </Confirm>
  )
}

/**
 * Turns on the second factor in three steps: the user enters the password, gets the secret for the authenticator, and
 * enters a code of the authenticator. The second factor is on only after the third step.
 */
function SecondFactor({ done, close }: { done(codes: readonly string[]): void; close(): void }): ReactElement {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [begun, setBegun] = useState<Schemas['TwoFactorSetUp'] | null>(null)
  if (begun === null)
    return (
      <Confirm
        key="password"
        title="Turn on a second factor?"
        act="Go on"
        acting="Asking…"
        keep="Not now"
        close={() => begun === null && close()}
        consequence={
          password === '' ? null : <p>An authenticator shows a new code every 30 seconds; signing in asks for it from then on.</p>
        }
        send={async () => {
          setBegun(await answer(POST('/user/totp', { body: { password } })))
          // The dialog stays open: its next step asks for the code.
          await new Promise(() => {})
        }}
      >
        <Secret label="Your password" value={password} change={setPassword} />
      </Confirm>
    )
  return (
    <Confirm
      key="code"
      title="Add it to your authenticator"
      act="Turn it on"
      acting="Turning on…"
      keep="Not now"
      close={close}
      consequence={
        /^\d{6}$/.test(code.replace(/\s/g, '')) ? (
          <p>Ten recovery codes follow. Each works once, for when the authenticator is lost.</p>
        ) : null
      }
      send={async () => {
        done((await answer(POST('/user/totp', { body: { code } }))).recovery_codes ?? [])
        await again()
      }}
    >
      <div>
        <p className="muted">Scan the picture with the authenticator on your telephone:</p>
        <div className="qr-place">
          <Suspense>{begun.url && <Qr text={begun.url} label="Picture of the secret, for an authenticator" />}</Suspense>
        </div>
        <p className="muted">Or type the secret into it, or open it on this device:</p>
        <Id id={begun.secret ?? ''} />
        <p>
          <a className="link tall" href={begun.url ?? ''}>
            Open in the authenticator
          </a>
        </p>
      </div>
      <TextInput
        label="Code that it shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
      />
    </Confirm>
  )
}

function NoSecondFactor({ close }: { close(): void }): ReactElement {
  const [password, setPassword] = useState('')
  return (
    <Confirm
      title="Turn off the second factor?"
      act="Turn it off"
      acting="Turning off…"
      keep="Keep it on"
      close={close}
      consequence={password === '' ? null : <p>Your password alone signs you in then, and the recovery codes end.</p>}
      send={async () => {
        await answer(DELETE('/user/totp', { body: { password } }))
        await again()
      }}
    >
      <Secret label="Your password" value={password} change={setPassword} />
    </Confirm>
  )
}

type Maker = { parseCreationOptionsFromJSON(options: unknown): PublicKeyCredentialCreationOptions }

function AddPasskey({ close }: { close(): void }): ReactElement {
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const queries = useQueryClient()
  return (
    <Confirm
      title="Add a passkey?"
      act="Add a passkey"
      acting="Waiting for the device…"
      keep="Not now"
      close={close}
      consequence={password !== '' && name.trim() !== '' ? <p>This device, or a key, then signs you in without your password.</p> : null}
      send={async () => {
        const { options } = await answer(POST('/user/passkeys/options', { body: { password } }))
        const publicKey = (PublicKeyCredential as unknown as Maker).parseCreationOptionsFromJSON(options)
        const made = (await navigator.credentials.create({ publicKey })) as unknown as { toJSON(): Record<string, unknown> }
        await answer(POST('/user/passkeys', { body: { name: name.trim(), response: made.toJSON() } }))
        await queries.invalidateQueries({ queryKey: ['passkeys'] })
      }}
    >
      <TextInput
        label="Name"
        description="Of the device"
        value={name}
        maxLength={100}
        onChange={event => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Secret label="Your password" value={password} change={setPassword} />
    </Confirm>
  )
}

function Everywhere({ close }: { close(): void }): ReactElement {
  return (
    <Confirm
      title="Sign out everywhere?"
      act="Sign out everywhere"
      acting="Signing out…"
      keep="Stay signed in"
      close={close}
      consequence={
        <p>
          <b className="strong">All of your devices are signed out at once</b>, this one too.
        </p>
      }
      send={async () => {
        await answer(POST('/user/sign_out', { body: { all: true } }))
        leave()
      }}
    />
  )
}

type Line = readonly [what: ReactNode, when: ReactNode, act: ReactNode]

function Lines({ name, lines }: { name: string; lines: readonly { key: string; line: Line }[] }): ReactElement {
  return (
    /* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */
    <section className="tw" tabIndex={0} aria-label={`${name}, one by one`}>
      <table aria-label={name}>
        <tbody>
          {lines.map(({ key, line: [what, when, act] }) => (
            <tr key={key}>
              <td>{what}</td>
              <td className="muted">{when}</td>
              <td className="n">{act}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Returns a mutation that ends one session, passkey or other entry. The list is then read again. */
function useEnding(of: string, end: (id: string) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: end, onSuccess: () => queries.invalidateQueries({ queryKey: [of] }) })
}

type MineProps = {
  title: string
  hint: string
  act: string
  begin(): void
  found: { data: unknown; error: unknown; refetch(): unknown }
  lines: readonly { key: string; line: Line }[]
  /** The error of the last attempt to end an entry, if any. */
  refused: unknown
}

/** Shows a panel that lists what the user has, such as sessions, with a button that ends each entry. */
function Mine({ title, hint, act, begin, found, lines, refused }: MineProps): ReactElement {
  return (
    <Panel
      title={title}
      hint={hint}
      acts={
        <Button variant="default" onClick={begin}>
          {act}
        </Button>
      }
    >
      {refused instanceof Failure && (
        <div className="in">
          <SubmitError failure={refused} />
        </div>
      )}
      {found.error && found.data === undefined ? (
        <LoadError what={`Your ${title.toLowerCase()}`} error={found.error} retry={() => void found.refetch()} />
      ) : found.data !== undefined && lines.length === 0 ? (
        <p className="blank">None yet.</p>
      ) : (
        <Lines name={title} lines={lines} />
      )}
    </Panel>
  )
}

function Devices({ everywhere }: { everywhere(): void }): ReactElement {
  const found = useQuery({ queryKey: ['devices'], queryFn: () => answer(GET('/user/sessions')) })
  const ending = useEnding('devices', session_id => answer(DELETE('/user/sessions/{session_id}', { params: { path: { session_id } } })))
  const lineOf = (one: Schemas['UserSession']): Line => [
    <>
      <b className="strong">{one.current ? 'This device' : (one.address ?? 'A device')}</b>{' '}
      <span className="muted cut-block">{one.user_agent}</span>
    </>,
    <>
      since <Exact at={one.created} />, seen <Ago at={one.seen_at} />
    </>,
    !one.current && (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Sign out ${one.address ?? ''}`}
        disabled={ending.isPending}
        onClick={() => ending.mutate(one.session_id)}
      >
        Sign out
      </Button>
    ),
  ]
  const lines = (found.data?.data ?? []).map(one => ({ key: one.session_id, line: lineOf(one) }))
  return (
    <Mine
      title="Devices"
      hint="where you are signed in"
      act="Sign out everywhere"
      begin={everywhere}
      {...{ found, lines, refused: ending.error }}
    />
  )
}

function Passkeys({ add }: { add(): void }): ReactElement | null {
  const { data: deployment } = useQuery({ queryKey: ['deployment'], queryFn: () => answer(GET('/deployment')) })
  const found = useQuery({ queryKey: ['passkeys'], queryFn: () => answer(GET('/user/passkeys')) })
  const ending = useEnding('passkeys', passkey_id => answer(DELETE('/user/passkeys/{passkey_id}', { params: { path: { passkey_id } } })))
  const lineOf = (one: Passkey): Line => [
    <b key="name" className="strong">
      {one.name}
    </b>,
    one.last_used_at === null ? (
      'never used'
    ) : (
      <>
        used <Ago at={one.last_used_at} />
      </>
    ),
    <Button
      key="act"
      size="compact-sm"
      variant="default"
      aria-label={`Remove ${one.name}`}
      disabled={ending.isPending}
      onClick={() => ending.mutate(one.passkey_id)}
    >
      Remove
    </Button>,
  ]
  if (deployment && !deployment.sign_in.includes('passkey')) return null
  const lines = (found.data?.data ?? []).map(one => ({ key: one.passkey_id, line: lineOf(one) }))
  return (
    <Mine
      title="Passkeys"
      hint="sign in by fingerprint, face or a key"
      act="Add a passkey"
      begin={add}
      {...{ found, lines, refused: ending.error }}
    />
  )
}

/** Shows the recovery codes once. A code signs in when the authenticator is lost. */
function Codes({ codes, close }: { codes: readonly string[]; close(): void }): ReactElement {
  return (
    <div className="note plain spaced" role="status">
      <div className="grow">
        <p className="strong">Keep these recovery codes where your authenticator is not; they are not shown again.</p>
        <p className="mono">{codes.join('  ')}</p>
      </div>
      <Button variant="default" onClick={close}>
        I have them
      </Button>
    </div>
  )
}

export default function Account(): ReactElement {
  const { user } = useSession()
  const [open, setOpen] = useState<Open>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const close = () => setOpen(null)
  useEffect(() => {
    document.title = 'Your account · Switchyard'
  }, [])
  const has = user?.totp === true
  const dialogs: Record<Exclude<Open, null>, ReactElement> = {
    password: <ChangePassword close={close} />,
    'second factor': <SecondFactor done={setCodes} close={close} />,
    'no second factor': <NoSecondFactor close={close} />,
    passkey: <AddPasskey close={close} />,
    everywhere: <Everywhere close={close} />,
  }
  return (
    <>
      <div className="head">
        <h1>Your account</h1>
        <div className="acts">
          <Button variant="default" onClick={() => setOpen('password')}>
            Change the password
          </Button>
        </div>
      </div>
      {codes.length > 0 && <Codes codes={codes} close={() => setCodes([])} />}
      <div className="stack">
        <Panel title="You">
          <div className="in">
            <Details
              title="Signed in as"
              lines={[
                ['E-mail', user?.email],
                ['Name', user?.name],
                ['Role', user?.role],
              ]}
            />
          </div>
        </Panel>
        <Panel
          title="Second factor"
          acts={
            <Button variant="default" onClick={() => setOpen(has ? 'no second factor' : 'second factor')}>
              {has ? 'Turn it off' : 'Turn it on'}
            </Button>
          }
        >
          <p className="in">
            <span className="status">
              <StatusMark family={has ? 'done' : 'ended'} />
              {has ? 'On: signing in asks for a code of your authenticator.' : 'Off: your password alone signs you in.'}
            </span>
          </p>
        </Panel>
        <Passkeys add={() => setOpen('passkey')} />
        <Devices everywhere={() => setOpen('everywhere')} />
      </div>
      <Suspense>{open !== null && dialogs[open]}</Suspense>
    </>
  )
}
