import type { Credential } from '../../src/http/auth.ts'

/** The credentials, as the OpenAPI document names them. */
export const securitySchemes: Record<string, { type: 'apiKey'; in: 'header' | 'cookie'; name: string; description: string }> = {
  secretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description: "A merchant's secret key (snd_… in test, prod_… live). For servers only.",
  },
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description: 'The publishable key (pk_snd_… in test, pk_prd_… live), together with the client_secret of one payment. For browsers.',
  },
  sdkToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'sdk_authorization of a payment, without a scheme word: publishable key and client_secret in one.',
  },
  ephemeralKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description: 'A key for one customer (epk_…), valid for one hour. For browsers.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'switchyard_session',
    description:
      'The session of a person who is signed in (`POST /user/sign_in`), as far as their role allows (`GET /roles`). Requests that change something also need the header `x-csrf-token`.',
  },
  adminKey: { type: 'apiKey', in: 'header', name: 'api-key', description: 'The admin key of the deployment.' },
}

/** The security schemes that each kind of credential corresponds to. */
export const opens: Record<Credential, string[]> = {
  nothing: [],
  user: ['session'],
  secret: ['secretKey', 'session'],
  admin: ['adminKey'],
  client: ['publishableKey', 'sdkToken'],
  publishable: ['publishableKey', 'sdkToken'],
  'secret or admin': ['secretKey', 'adminKey', 'session'],
  'secret or client': ['secretKey', 'session', 'publishableKey', 'sdkToken'],
  'secret or ephemeral': ['secretKey', 'session', 'ephemeralKey'],
  'secret, client or ephemeral': ['secretKey', 'session', 'publishableKey', 'sdkToken', 'ephemeralKey'],
}
