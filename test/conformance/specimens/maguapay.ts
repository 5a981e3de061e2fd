import type { Specimen } from '../specimen.ts'

const order = { order_id: 'REQ1', status: 2, amount: 1250, currency: 'USD', form_url: null, description: 'Paid' }

export const specimen: Specimen = {
  answers: { authorize: order, refund: { ...order, order_id: 'REQ0' }, payout: order },
  errors: [400, 401, 403, 422].map((status): [number, object] => [status, { error: 'No.' }]),
  harmless: /\/check$/,
  askedByPayment: true,
}
