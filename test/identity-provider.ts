import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

type Login = { sub: string; email: string; email_verified?: boolean }

/** Opens a provider of single sign-on (OpenID Connect), which knows one client. */
export async function openIdentityProvider() {
  const client = { id: 'switchyard', secret: 'secret of the client' }
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const forged = await generateKeyPair('RS256')
  const codes = new Map<string, { asked: URLSearchParams; login: Login }>()

  const state: { isDown: boolean; visitor: Login | null; isForged: boolean } = { isDown: false, visitor: null, isForged: false }

  async function token(form: URLSearchParams): Promise<object | null> {
    const found = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = found && form.get('client_secret') === client.secret && challenge === found.asked.get('code_challenge')
    if (!isRight) return null
    const id_token = await new SignJWT({ email_verified: true, ...found.login, nonce: found.asked.get('nonce') })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(url)
      .setAudience(client.id)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(state.isForged ? forged.privateKey : privateKey)
    return { access_token: 'opens nothing', token_type: 'bearer', id_token }
  }

  /** Signs a person in on the page to which a browser was sent; gives the address to which the browser goes next. */
  function login(location: string, who: Login): string {
    const asked = new URL(location).searchParams
    const code = randomBytes(16).toString('hex')
    codes.set(code, { asked, login: who })
    return `${asked.get('redirect_uri')}?${new URLSearchParams({ code, state: asked.get('state')! })}`
  }

  const server = createServer((request, reply) => {
    let text = ''
    request.on('data', part => (text += String(part)))
    request.on('end', async () => {
      const send = (body: object, status = 200) => reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (state.isDown) send({}, 503)
      else if (request.url === '/.well-known/openid-configuration')
        send({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      else if (request.url === '/jwks') send({ keys: [jwk] })
      else if (request.url!.startsWith('/authorize?') && state.visitor !== null) {
        const next = login(url + request.url!, state.visitor).replaceAll('&', '&amp;')
        reply.writeHead(200, { 'content-type': 'text/html' })
        reply.end(`<link rel="icon" href="data:,"><a href="${next}">Go on</a>`)
      } else {
        const answer = await token(new URLSearchParams(text))
        send(answer ?? { error: 'invalid_grant' }, answer ? 200 : 400)
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url: string = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    url,
    client,
    /**
     * The switches of the provider: whether it answers nothing but 503, the person who signs in on its page, and
     * whether ID tokens are signed with a key that is not the provider's.
     */
    state,
    login,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}
