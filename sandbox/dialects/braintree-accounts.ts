// The merchant accounts that every merchant has at Braintree: one for each currency; the first is the default.

const currencies =
  'USD EUR GBP AUD CAD CHF CZK DKK HKD HUF INR ILS JPY KRW MXN NOK NZD PLN SEK SGD THB TRY ZAR BRL CLP COP KWD BHD JOD CLF AED KES NGN ISK'

export const merchantAccounts = currencies.split(' ').map(currency => ({ id: `shop_${currency.toLowerCase()}`, currency }))
