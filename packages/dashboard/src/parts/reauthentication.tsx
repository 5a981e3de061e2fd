import { Button, PasswordInput } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { answer, Failure, POST } from '../api'
import { useDeployment } from '../queries'
import { SubmitError } from './submit'

/** What proves that a person is there: the password or a passkey; nothing, for a person of single sign-on. */
type Proof = { password?: string; passkey?: Record<string, never> }

type Reader = { parseRequestOptionsFromJSON(options: unknown): PublicKeyCredentialRequestOptions }

async function askPasskey(): Promise<Proof> {
  const { options } = await answer(POST('/user/sign_in/passkey/options', { body: {} }))
  const publicKey = (PublicKeyCredential as unknown as Reader).parseRequestOptionsFromJSON(options)
  const given = (await navigator.credentials.get({ publicKey })) as unknown as { toJSON(): Record<string, never> }
  return { passkey: given.toJSON() }
}

/**
 * Asks the person to prove to be there, before something is made that outlives the session. `prove` sends a request
 * with the proof. A request whose answer was lost is sent again with the same proof; a refusal uses a passkey up.
 */
export function useReauthentication(): { fields: ReactElement; prove<T>(send: (proof: Proof) => Promise<T>): Promise<T> } {
  const { data: deployment } = useDeployment()
  const [proof, setProof] = useState<Proof>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const byPasskey = async () => {
    setFailure(null)
    try {
      setProof(await askPasskey())
    } catch (why) {
      setFailure(why instanceof Failure ? why : new Failure(400, 'passkey', String(why)))
    }
  }
  const fields = (
    <>
      <PasswordInput
        label="Your password"
        description="So that nobody who only holds your session can do this. With single sign-on, leave it empty."
        value={proof.password ?? ''}
        autoComplete="current-password"
        onChange={({ currentTarget: { value } }) => setProof(value === '' ? {} : { password: value })}
      />
      {deployment?.sign_in.includes('passkey') && 'PublicKeyCredential' in window && (
        <Button variant="default" onClick={() => void byPasskey()} disabled={proof.passkey !== undefined}>
          {proof.passkey === undefined ? 'Use a passkey instead' : 'The passkey is given'}
        </Button>
      )}
      <SubmitError failure={failure} />
    </>
  )
  const prove = async <T,>(send: (proof: Proof) => Promise<T>): Promise<T> => {
    try {
      return await send(proof)
    } catch (why) {
      if (proof.passkey !== undefined && why instanceof Failure && !why.isLost && !why.isBusy) setProof({})
      throw why
    }
  }
  return { fields, prove }
}
