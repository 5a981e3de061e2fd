import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { orNull, strictObject } from '../../base/shapes.ts'
import { type DatabaseCheck, examineDatabase } from '../../database/health-checks.ts'
import { featureMatrix } from '../../show/features.ts'
import { siteOf } from '../../users/passkeys.ts'
import { count, flag, lists, schema, text } from '../answer-shapes.ts'
import { anyone, operator } from '../auth.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { version } from '../version.ts'

const readyAnswer = schema('Ready', {
  database: flag,
  alarms: flag,
  settings: flag,
  files: Type.Boolean({
    description: 'Whether dispute evidence can be stored. Payments work without it, so `false` alone does not cause a 503',
  }),
  clock_skew_ms: Type.Integer({
    description: "How far the host's clock is ahead of the database's clock; harmless, because only the database's clock is used",
  }),
})

const supports = Type.Enum(['supported', 'not_supported'])
const featuresAnswer = schema('FeatureMatrix', {
  connector_count: count,
  connectors: Type.Array(
    schema('ConnectorFeatures', {
      name: text,
      display_name: text,
      description: text,
      category: text,
      integration_status: Type.Enum(['live', 'sandbox']),
      supported_payment_methods: Type.Array(
        schema('SupportedMethod', {
          payment_method: text,
          payment_method_type: text,
          payment_method_type_display_name: text,
          mandates: supports,
          refunds: supports,
          supported_capture_methods: Type.Array(text),
          three_ds: orNull(supports),
          no_three_ds: orNull(supports),
          ...lists('supported_card_networks supported_countries supported_currencies'),
        }),
      ),
      supported_webhook_flows: Type.Array(text),
    }),
  ),
})

const deploymentAnswer = schema('Deployment', {
  mode: Type.Enum(['test', 'live']),
  version: text,
  sign_in: Type.Array(Type.Enum(['password', 'passkey', 'sso']), { description: 'How people can sign in' }),
  public_url: text,
})

const databaseAnswer = schema('DatabaseExamination', {
  well: Type.Boolean({ description: 'Whether all checks are' }),
  checks: Type.Array(
    schema('DatabaseCheck', {
      name: text,
      value: Type.String({ description: 'As it is' }),
      well: flag,
      expects: Type.String({ description: 'As it should be, and why' }),
      remedy: text,
    }),
  ),
})

/** Files are stored on another disk than the database's. */
const storeCheck = (well: boolean): DatabaseCheck => ({
  name: 'files',
  value: well ? 'can be written' : 'cannot be written',
  well,
  expects: 'room for files of evidence',
  remedy: 'Free space at FILES_FOLDER or in FILES_BUCKET, and check who may write there; payments do not need it',
})

export const serviceRoutes = tagged(
  'Service',
  'For the operator of the service.',
  { confidential: 'personal data', sdk: ['service', 'Service'] },
  [
    endpoint('GET /deployment', 'retrieveDeployment', {
      sdk: 'deployment.retrieve',
      title: 'Retrieve the deployment',
      description: 'Returns the mode and the version of the deployment, and how people sign in. No API key is required.',
      auth: anyone,
      answers: deploymentAnswer,
      json: ({ service: { mode, services, sso } }) => ({
        mode,
        version,
        sign_in: ['password', ...(siteOf(services.publicUrl) ? ['passkey'] : []), ...(sso ? ['sso'] : [])],
        public_url: services.publicUrl,
      }),
    }),
    endpoint('GET /deployment/database', 'examineDatabase', {
      sdk: 'deployment.examineDatabase',
      title: 'Examine the database',
      description:
        'Checks the version and the settings of PostgreSQL on which the safety of money depends, its connections, the lag of its standbys, and whether its disk and the file store can be written, with the remedy for each.',
      auth: operator,
      query: strictObject({}),
      answers: databaseAnswer,
      json: async ({ context, service }) => {
        const checks = [...(await examineDatabase(context)), storeCheck((await service.ready()).files)]
        return { well: checks.every(({ well }) => well), checks }
      },
    }),
    endpoint('GET /health', 'health', {
      sdk: 'deployment.health',
      title: 'Check liveness',
      description: 'Reports whether the process is alive.',
      auth: anyone,
      answers: 'text',
      run: async () => ({ text: 'health is good', type: 'text/plain; charset=utf-8' }),
    }),
    endpoint('GET /feature_matrix', 'featureMatrix', {
      sdk: 'deployment.featureMatrix',
      title: 'Retrieve the feature matrix',
      description: 'Lists every connector with its supported payment methods and features. No API key is required.',
      auth: anyone,
      answers: featuresAnswer,
      json: () => featureMatrix(),
    }),
    endpoint('GET /health/ready', 'ready', {
      sdk: 'deployment.ready',
      title: 'Check readiness',
      description:
        'Reports whether the service can take payments. Returns 503 with the components that are not ready: database (which must write, too), alarms, settings. `files: false` means that payments work but dispute evidence cannot be stored.',
      auth: anyone,
      answers: readyAnswer,
      run: async call => {
        const ready = await call.service.ready()
        const late = (['database', 'alarms', 'settings'] as const).filter(name => !ready[name])
        return late.length === 0 ? { json: ready } : refuse('unavailable', { problem: `Not ready: ${late.join(', ')}` })
      },
    }),
  ],
)
