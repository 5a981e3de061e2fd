import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactElement, type ReactNode, useState } from 'react'
import { answer, Failure, POST, type Schemas } from '../api'
import { Details, Panel } from '../parts/details'
import { TextField } from '../parts/inputs'
import { LoadError } from '../parts/load-error'
import { PageHead } from '../parts/page-head'
import { useReauthentication } from '../parts/reauthentication'
import { StatusMark } from '../parts/status'
import { SubmitError } from '../parts/submit'
import { Ago, Exact } from '../parts/time'
import { usePermission, useSession } from '../session'

/** Formats a code in the form that the terminal shows. */
const shown = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/^(.{4})(?=.)/, '$1-')

function AskCode({ go, wrong }: { go(code: string): void; wrong?: ReactNode }): ReactElement {
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    go(shown(typed))
  }
  return (
    <Panel title="The code in your terminal">
      <form className="in stack" onSubmit={submit}>
        {wrong}
        <TextField
          label="Code"
          hint="switchyard login shows it"
          placeholder="ABCD-1234"
          value={typed}
          maxLength={20}
          autoComplete="off"
          spellCheck={false}
          change={setTyped}
          data-autofocus
        />
        <div>
          <Button type="submit" disabled={shown(typed).length !== 9}>
            Go on
          </Button>
        </div>
      </form>
    </Panel>
  )
}

type Device = Schemas['DeviceAuthorization']
type Decision = 'approve' | 'deny'

/** Shows the program that requests access and the permissions it would get, for approval or refusal. */
function Asks({ code, device, decided }: { code: string; device: Device; decided(decision: Decision): void }): ReactElement {
  const { user } = useSession()
  const may = usePermission()('api_keys:write')
  const [busy, setBusy] = useState<Decision | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const merchant = user?.merchants.find(({ merchant_id }) => merchant_id === user.merchant_id)
  const { fields, prove } = useReauthentication()
  const decide = async (decision: Decision) => {
    setBusy(decision)
    setFailure(null)
    try {
      if (decision === 'deny') await answer(POST('/user/device/deny', { body: { user_code: code } }))
      else await prove(proof => answer(POST('/user/device/approve', { body: { user_code: code, ...proof } })))
      decided(decision)
    } catch (why) {
      setFailure(why instanceof Failure ? why : new Failure(0, 'offline', String(why)))
    }
    setBusy(null)
  }
  const name = merchant?.merchant_name ?? user?.merchant_id
  const moves = device.scopes === null || device.scopes.includes('payments:write')
  const lines = [
    [
      'Code',
      <b className="mono strong" key="code" data-testid="code">
        {shown(code)}
      </b>,
    ],
    ['Machine', device.device_name],
    [
      'Asks from',
      <span className="mono" key="address">
        {device.address}
      </span>,
    ],
    ['Asked', <Ago key="asked" at={device.created} />],
    ['Merchant', name === user?.merchant_id ? name : `${name} (${user?.merchant_id})`],
    ['May', device.scopes === null ? 'everything that you may do' : `what the role ${user?.role} may do`],
    ['Until', <Exact key="until" at={device.key_expires_at} />],
  ] as const
  return (
    <Panel title="Sign-in request of a command line">
      <div className="in stack">
        <Details title="Request" lines={may ? lines : lines.slice(0, 4)} />
        {may ? (
          <div className="note person">
            <StatusMark family="person" size={16} />
            <div className="grow">
              <p className="strong">Approve it only if you see this code in your own terminal.</p>
              <p>
                The machine gets a key that can {moves ? 'move money' : 'see payments and settings'} of {name}. The key is listed among the
                API keys, where it can be revoked.
              </p>
            </div>
          </div>
        ) : (
          <div className="note no" role="alert">
            <div className="grow">
              <p className="strong">Your role, {user?.role ?? 'operator'}, cannot make keys, so it cannot sign in a command line.</p>
              <p>Owners and admins can change roles.</p>
            </div>
          </div>
        )}
        {may && fields}
        <SubmitError failure={failure} />
        <div className="acts">
          {may && (
            <Button onClick={() => void decide('approve')} disabled={busy !== null}>
              {busy === 'approve' ? 'Approving…' : 'Approve'}
            </Button>
          )}
          <Button variant="default" onClick={() => void decide('deny')} disabled={busy !== null}>
            {busy === 'deny' ? 'Denying…' : 'Deny'}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

export default function DevicePage(): ReactElement {
  const { code = '' } = useSearch({ from: '/device' }) as { code?: string }
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [decision, setDecision] = useState<Decision | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['device', code],
    queryFn: () => answer(POST('/user/device/retrieve', { body: { user_code: code } })),
    enabled: code !== '' && decision === null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isNone = error instanceof Failure && error.status === 404
  const go = (typed: string) => void navigate({ to: '/device', search: { code: typed }, replace: true })
  const none = isNone && (
    <div className="note no" role="alert">
      <div className="grow">
        <p className="strong">Nothing waits under {shown(code)}.</p>
        <p>A code is valid for ten minutes and once. Look at your terminal, or run switchyard login again.</p>
      </div>
    </div>
  )
  return (
    <>
      <PageHead title="Sign in a command line" />
      <div className="device">
        {decision !== null ? (
          <div className="note plain" role="status">
            <div className="grow">
              <p className="strong">{decision === 'approve' ? 'The command line is signed in.' : 'The command line was denied.'}</p>
              <p>{decision === 'approve' ? 'Go back to your terminal; this page can be closed.' : 'It gets nothing.'}</p>
            </div>
          </div>
        ) : code === '' || isNone ? (
          <AskCode go={go} wrong={none} />
        ) : error && data === undefined ? (
          <LoadError what="Request" error={error} retry={() => void refetch()} />
        ) : data === undefined ? null : (
          <Asks
            code={code}
            device={data}
            decided={done => {
              setDecision(done)
              void queries.invalidateQueries({ queryKey: ['keys'] })
            }}
          />
        )}
      </div>
    </>
  )
}
