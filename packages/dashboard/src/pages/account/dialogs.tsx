import { PasswordInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, DELETE, GET, POST, type Schemas } from '../../api'
import Confirm from '../../parts/confirm'
import { Id } from '../../parts/id'
import { TextField } from '../../parts/inputs'
import { enter, leave } from '../../session'

const Qr = lazy(() => import('../../parts/qr'))

export type AccountDialog = 'password' | 'second factor' | 'no second factor' | 'passkey' | 'everywhere'

const refreshUser = async (): Promise<void> => enter(await answer(GET('/user')))

type SecretProps = { label: string; value: string; change(typed: string): void; isNew?: boolean }

const Secret = ({ label, value, change, isNew = false }: SecretProps): ReactElement => (
  <PasswordInput
    label={label}
    {...(isNew && { description: 'At least 12 characters' })}
    value={value}
    autoComplete={isNew ? 'new-password' : 'current-password'}
    onChange={event => change(event.currentTarget.value)}
  />
)

type Props = { close(): void }

function ChangePassword({ close }: Props): ReactElement {
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
function SecondFactor({ done, close }: Props & { done(codes: readonly string[]): void }): ReactElement {
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
        await refreshUser()
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
      <TextField label="Code that it shows" inputMode="numeric" autoComplete="one-time-code" value={code} change={setCode} />
    </Confirm>
  )
}

function NoSecondFactor({ close }: Props): ReactElement {
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
        await refreshUser()
      }}
    >
      <Secret label="Your password" value={password} change={setPassword} />
    </Confirm>
  )
}

type Maker = { parseCreationOptionsFromJSON(options: unknown): PublicKeyCredentialCreationOptions }

function AddPasskey({ close }: Props): ReactElement {
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
      <TextField label="Name" hint="Of the device" value={name} maxLength={100} change={setName} data-autofocus />
      <Secret label="Your password" value={password} change={setPassword} />
    </Confirm>
  )
}

function Everywhere({ close }: Props): ReactElement {
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

type DialogsProps = Props & { asked: AccountDialog; done(codes: readonly string[]): void }

export default function AccountDialogs({ asked, done, close }: DialogsProps): ReactElement {
  if (asked === 'second factor') return <SecondFactor done={done} close={close} />
  const dialogs = { password: ChangePassword, 'no second factor': NoSecondFactor, passkey: AddPasskey, everywhere: Everywhere }
  const Dialog = dialogs[asked]
  return <Dialog close={close} />
}
