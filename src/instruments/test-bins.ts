import type { CardFacts } from '../context.ts'

const cards = (networks: string, card_type: string, country: string): CardFacts => ({
  networks: networks.split(' '),
  card_type,
  issuer: 'TEST BANK',
  country,
})

/** Test card numbers that processors publish, for numbers without imported data. */
// biome-ignore format: a table reads better in columns
export const testBins: Readonly<Record<string, CardFacts>> = {
  424242:   cards('Visa', 'CREDIT', 'US'),
  411111:   cards('Visa', 'CREDIT', 'US'),
  401288:   cards('Visa', 'CREDIT', 'US'),
  400005:   cards('Visa', 'DEBIT', 'US'),
  40000025: cards('CartesBancaires Visa', 'CREDIT', 'FR'),
  555555:   cards('Mastercard', 'CREDIT', 'US'),
  510510:   cards('Mastercard', 'PREPAID', 'US'),
  520082:   cards('Mastercard', 'DEBIT', 'US'),
  55555525: cards('CartesBancaires Mastercard', 'CREDIT', 'FR'),
  378282:   cards('AmericanExpress', 'CREDIT', 'US'),
  371449:   cards('AmericanExpress', 'CREDIT', 'US'),
  601111:   cards('Discover', 'CREDIT', 'US'),
  305693:   cards('DinersClub', 'CREDIT', 'US'),
  356600:   cards('JCB', 'CREDIT', 'JP'),
  620000:   cards('UnionPay', 'CREDIT', 'CN'),
}
