import type { ReactElement } from 'react'
import type { Schemas } from '../../api'
import { StatusMark } from '../../parts/status'

export function CredentialsCheck({ of, name }: { of: Schemas['VerifiedCredentials'] | null; name: string }): ReactElement | null {
  if (of === null) return null
  const { verified, error_code, error_message } = of
  const family = verified ? 'done' : verified === false ? 'no' : 'unknown'
  return (
    <div className={`note ${family}`} role="status">
      <StatusMark family={family} size={16} />
      <p className="grow">
        <b className="strong">
          {verified
            ? 'Credentials are good.'
            : verified === false
              ? `${name} refuses these credentials.`
              : `${name} could not be asked, so it is not known whether they are good.`}
        </b>{' '}
        {verified ? `${name} accepted them; nothing was written and no money moved.` : error_message}{' '}
        {error_code !== null && <span className="code">{error_code}</span>}
      </p>
    </div>
  )
}
