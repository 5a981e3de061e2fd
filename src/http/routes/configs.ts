import { refuse } from '../../base/refusal.ts'
import { configShape, configUpdateShape, deleteConfig, retrieveConfig, writeConfig } from '../../guard/configs.ts'
import { schema, text } from '../answer-shapes.ts'
import { operator } from '../auth.ts'
import { alias, endpoint, tagged } from '../endpoint.ts'
import { afterWrite } from './accounts.ts'

const configAnswer = schema('Config', { key: text, value: text })

const configUpdate = endpoint('POST /configs/{key}', 'updateConfig', {
  title: 'Change a configuration',
  description: 'Updates an existing configuration.',
  auth: operator,
  body: configUpdateShape,
  answers: configAnswer,
  errors: ['invalid_value'],
  example: { summary: 'Turns the blocklist off', value: { value: 'false' } },
  json: ({ service, context, path, body: { key = path.key, value } }) => {
    // Existing clients create a configuration with a slash at the end of the path.
    if (path.key !== '' && key !== path.key) refuse('malformed', { field: 'key', expected: `${path.key}, as in the path` })
    return afterWrite(service, writeConfig(context, { key, value }))
  },
})

export const configRoutes = tagged(
  'Configurations',
  'Key-value configurations of the ecosystem’s operators. `guard_blocklist_for_{merchant_id}` has the same effect as `POST /blocklist/toggle` for that merchant; any other key is refused.',
  { confidential: 'personal data', sdk: ['configs', 'Config'] },
  [
    endpoint('POST /configs', 'createConfig', {
      title: 'Set a configuration',
      description: 'Creates or updates a configuration.',
      auth: operator,
      body: configShape,
      answers: configAnswer,
      errors: ['invalid_value', 'not_found'],
      example: { summary: 'Turns the blocklist on', value: { key: 'guard_blocklist_for_chairs', value: 'true' } },
      json: ({ service, context, body }) => afterWrite(service, writeConfig(context, body)),
    }),
    endpoint('GET /configs/{key}', 'retrieveConfig', {
      title: 'Retrieve a configuration',
      description: 'Retrieves a configuration.',
      auth: operator,
      answers: configAnswer,
      json: ({ context, path }) => retrieveConfig(context, path.key),
    }),
    configUpdate,
    alias(configUpdate, 'PUT /configs/{key}', 'putConfig', {
      title: 'Change a configuration (PUT)',
      description: 'Updates an existing configuration.',
    }),
    endpoint('DELETE /configs/{key}', 'deleteConfig', {
      title: 'Delete a configuration',
      description: 'Deletes a configuration, which disables its feature, and returns its last value.',
      auth: operator,
      answers: configAnswer,
      json: ({ service, context, path }) => afterWrite(service, deleteConfig(context, path.key)),
    }),
  ],
)
