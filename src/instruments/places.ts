/**
 * The currencies of a payment method type, and the countries whose customers have it. A type that is not in this table
 * is available everywhere. Checkouts leave out the types that their customer cannot have (`pages/browser/offer.js`).
 */
type Home = { currencies: readonly string[]; countries: readonly string[] }

const home = (currencies: string, countries: string): Home => ({ currencies: currencies.split(' '), countries: countries.split(' ') })

const SEPA = 'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK SM VA'

export const homesOfWays: Readonly<Record<string, Home>> = {
  ach: home('USD', 'US'),
  bacs: home('GBP', 'GB'),
  bancontact_card: home('EUR', 'BE'),
  becs: home('AUD', 'AU'),
  bizum: home('EUR', 'ES'),
  blik: home('PLN', 'PL'),
  boleto: home('BRL', 'BR'),
  duit_now: home('MYR', 'MY'),
  eps: home('EUR', 'AT'),
  giropay: home('EUR', 'DE'),
  ideal: home('EUR', 'NL'),
  interac: home('CAD', 'CA'),
  knet: home('KWD', 'KW'),
  mb_way: home('EUR', 'PT'),
  multibanco: home('EUR', 'PT'),
  online_banking_czech_republic: home('CZK EUR', 'CZ'),
  online_banking_finland: home('EUR', 'FI'),
  online_banking_fpx: home('MYR', 'MY'),
  online_banking_poland: home('PLN', 'PL'),
  online_banking_slovakia: home('EUR CZK', 'SK'),
  online_banking_thailand: home('THB', 'TH'),
  open_banking_uk: home('GBP', 'GB'),
  oxxo: home('MXN', 'MX'),
  pix: home('BRL', 'BR'),
  prompt_pay: home('THB', 'TH'),
  przelewy24: home('PLN EUR', 'PL'),
  qris: home('IDR', 'ID'),
  sepa: home('EUR', SEPA),
  sepa_bank_transfer: home('EUR', SEPA),
  swish: home('SEK', 'SE'),
  twint: home('CHF', 'CH'),
  upi_collect: home('INR', 'IN'),
  upi_intent: home('INR', 'IN'),
  upi_qr: home('INR', 'IN'),
  viet_qr: home('VND', 'VN'),
  vipps: home('NOK', 'NO'),
}
