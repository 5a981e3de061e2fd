import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { openStages } from './stages.ts'

test('a stage that fails to close leaves no other stage open, and its error is reported once all are closed', async () => {
  const stages = openStages()
  const closed: string[] = []
  const closes = (name: string, error?: string) => async () => {
    closed.push(name)
    if (error) throw new Error(error)
  }
  stages.opened({ reads: closes('reads') })
  stages.opened({ writes: closes('writes', 'the writes hang') })
  stages.opened({ requests: closes('requests', 'a request hangs'), jobs: closes('jobs') })
  stages.opened({ metrics: closes('metrics') })
  await rejects(stages.close(), ({ errors }: AggregateError) => {
    deepEqual(
      errors.map(({ message }) => message),
      ['a request hangs', 'the writes hang'],
    )
    return true
  })
  deepEqual(closed, ['metrics', 'requests', 'jobs', 'writes', 'reads'])
  equal(stages.closes(), 'nothing')
  await stages.close()
  equal(closed.length, 5, 'a stage is closed once')
})
