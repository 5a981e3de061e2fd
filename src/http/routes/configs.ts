import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { configShape, configUpdateShape, deleteConfig, retrieveConfig, writeConfig } from '../../guard/configs.ts'
import { text } from '../answer-shapes.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { afterWrite } from './accounts.ts'

const configAnswer = Type.Object({ key: text, value: text }, { title: 'Config' })

const update = (method: 'POST' | 'PUT') =>
  endpoint({
    at: `${method} /configs/{key}`,
    name: method === 'POST' ? 'updateConfig' : 'putConfig',
    title: method === 'POST' ? 'Change a configuration' : 'Change a configuration (PUT)',
    does: 'Updates an existing configuration.',
    takes: 'admin',
    body: configUpdateShape,
    answers: configAnswer,
    refuses: ['invalid_value', 'not_found'],
    example: { summary: 'Turns the blocklist off', value: { value: 'false' } },
    run: ({ service, context, path, body: { key = path.key, value } }) => {
      // Existing clients create a configuration with a slash at the end of the path.
      if (path.key !== '' && key !== path.key) refuse('malformed', { field: 'key', expected: `${path.key}, as in the path` })
      return afterWrite(service, writeConfig(context, { key, value }))
    },
  })

export const configRoutes = tagged(
  'Configurations',
  'Key-value configurations of the ecosystem’s operators. `guard_blocklist_for_{merchant_id}` has the same effect as `POST /blocklist/toggle` for that merchant; any other key is refused.',
  [
    endpoint({
      at: 'POST /configs',
      name: 'createConfig',
      title: 'Set a configuration',
      does: 'Creates or updates a configuration.',
      takes: 'admin',
      body: configShape,
      answers: configAnswer,
      refuses: ['invalid_value', 'not_found'],
      example: { summary: 'Turns the blocklist on', value: { key: 'guard_blocklist_for_chairs', value: 'true' } },
      run: ({ service, context, body }) => afterWrite(service, writeConfig(context, body)),
    }),
    endpoint({
      at: 'GET /configs/{key}',
      name: 'retrieveConfig',
      title: 'Retrieve a configuration',
      does: 'Retrieves a configuration.',
      takes: 'admin',
      answers: configAnswer,
      refuses: ['not_found'],
      run: async ({ context, path }) => ({ json: await retrieveConfig(context, path.key) }),
    }),
    update('POST'),
    update('PUT'),
    endpoint({
      at: 'DELETE /configs/{key}',
      name: 'deleteConfig',
      title: 'Delete a configuration',
      does: 'Deletes a configuration, which disables its feature, and returns its last value.',
      takes: 'admin',
      answers: configAnswer,
      refuses: ['not_found'],
      run: ({ service, context, path }) => afterWrite(service, deleteConfig(context, path.key)),
    }),
  ],
)
