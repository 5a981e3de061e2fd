import Type from 'typebox'
import { shortText } from '../base/shapes.ts'
import { familyOfWays } from './other.ts'
import { ask, asked, clear, date, digits, masked, type Way, way } from './way.ts'

const people: Way['parts'] = { first_name: asked.first_name, last_name: asked.last_name, email: asked.email }
const shop: Way['parts'] = { ...people, phone_number: asked.phone }

/** The customer pays cash at a shop, with a slip that the processor makes. */
export const voucher = familyOfWays('voucher', {
  boleto: way('boleto', {
    social_security_number: ask(masked(undefined, { read: digits(11, 14) }), 'user_social_security_number'),
    bank_number: clear(),
    document_type: clear(Type.Enum(['cpf', 'cnpj', 'psn', 'other'])),
    fine_percentage: clear(),
    fine_quantity_days: clear(),
    interest_percentage: clear(),
    write_off_quantity_days: clear(),
    messages: clear(Type.Array(shortText)),
    due_date: clear(undefined, { read: date }),
  }),
  efecty: way('efecty'),
  pago_efectivo: way('pago_efectivo'),
  red_compra: way('red_compra'),
  red_pagos: way('red_pagos'),
  oxxo: way('oxxo'),
  alfamart: way('alfamart', people),
  indomaret: way('indomaret', people),
  seven_eleven: way('seven_eleven', shop),
  lawson: way('lawson', shop),
  mini_stop: way('mini_stop', shop),
  family_mart: way('family_mart', shop),
  seicomart: way('seicomart', shop),
  pay_easy: way('pay_easy', shop),
})
