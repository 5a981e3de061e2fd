import { Button } from '@mantine/core'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { Details, Panel } from '../parts/details'
import { Note } from '../parts/note'
import { PageHead } from '../parts/page-head'
import { StatusMark } from '../parts/status'
import { useSession } from '../session'
import type { AccountDialog } from './account/dialogs'
import { Devices, Passkeys } from './account/panels'

const Dialogs = lazy(() => import('./account/dialogs'))

/** Shows the recovery codes once. A code signs in when the authenticator is lost. */
function Codes({ codes, close }: { codes: readonly string[]; close(): void }): ReactElement {
  return (
    <Note
      family="plain"
      role="status"
      isSpaced
      act={
        <Button variant="default" onClick={close}>
          I have them
        </Button>
      }
    >
      <p className="strong">Keep these recovery codes where your authenticator is not; they are not shown again.</p>
      <p className="mono">{codes.join('  ')}</p>
    </Note>
  )
}

export default function Account(): ReactElement {
  const { user } = useSession()
  const [asked, setAsked] = useState<AccountDialog | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const has = user?.totp === true
  return (
    <>
      <PageHead
        title="Your account"
        acts={
          <Button variant="default" onClick={() => setAsked('password')}>
            Change the password
          </Button>
        }
      />
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
            <Button variant="default" onClick={() => setAsked(has ? 'no second factor' : 'second factor')}>
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
        <Passkeys add={() => setAsked('passkey')} />
        <Devices everywhere={() => setAsked('everywhere')} />
      </div>
      <Suspense>{asked !== null && <Dialogs asked={asked} done={setCodes} close={() => setAsked(null)} />}</Suspense>
    </>
  )
}
