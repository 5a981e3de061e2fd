import Type from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { flag } from '../answer-shapes.ts'
import { endpoint, room } from '../endpoint.ts'

const readyAnswer = Type.Object(
  {
    database: flag,
    alarms: flag,
    settings: flag,
    files: Type.Boolean({ description: 'Can evidence of disputes be kept? Payments can be taken without it, so `false` alone is no 503' }),
    clock_skew_ms: Type.Integer({
      description: "By how much the host's clock is ahead of the database's; it may be, because nobody goes by it",
    }),
  },
  { title: 'Ready' },
)

export const service = room('Service', 'For whoever operates the service.', [
  endpoint({
    method: 'GET',
    path: '/health',
    name: 'health',
    title: 'Is it alive?',
    does: 'Is the process alive?',
    takes: 'nothing',
    answers: 'text',
    run: async () => ({ text: 'health is good', type: 'text/plain; charset=utf-8' }),
  }),
  endpoint({
    method: 'GET',
    path: '/health/ready',
    name: 'ready',
    title: 'Is it ready?',
    does: 'Can it take payments? 503 if not, with the names of what is not ready: database, alarms, settings. `files: false`: payments yes, evidence of disputes no.',
    takes: 'nothing',
    answers: readyAnswer,
    run: async call => {
      const ready = await call.service.ready()
      const late = (['database', 'alarms', 'settings'] as const).filter(name => !ready[name])
      return late.length === 0 ? { json: ready } : refuse('unavailable', { words: `Not ready: ${late.join(', ')}` })
    },
  }),
])
