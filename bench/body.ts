/**
 * What a shop sends for an ordinary purchase: about 1.4 kB of JSON. Every payment of the bench sends the same bytes.
 */
export const purchase = {
  amount: 12_950,
  currency: 'USD',
  capture_method: 'automatic',
  authentication_type: 'no_three_ds',
  customer_id: 'cus_5f0c6d1e2b7a4938',
  email: 'joan.doe@customer.example',
  name: 'Joan Doe',
  phone: '9123456789',
  phone_country_code: '+1',
  description: 'Order 100482: two shirts and a belt',
  return_url: 'https://shop.example/checkout/thanks',
  statement_descriptor_name: 'Example Shop',
  payment_method: 'card',
  payment_method_type: 'credit',
  payment_method_data: {
    card: {
      card_number: '4242424242424242',
      card_exp_month: '12',
      card_exp_year: '2040',
      card_cvc: '737',
      card_holder_name: 'Joan Doe',
    },
  },
  billing: {
    address: {
      line1: '1467 Harrison Street',
      line2: 'Apartment 12',
      city: 'San Francisco',
      state: 'California',
      zip: '94122',
      country: 'US',
      first_name: 'Joan',
      last_name: 'Doe',
    },
    phone: { number: '9123456789', country_code: '+1' },
    email: 'joan.doe@customer.example',
  },
  browser_info: {
    user_agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36',
    accept_header: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    language: 'en-US',
    color_depth: 24,
    screen_height: 1117,
    screen_width: 1728,
    time_zone: 420,
    java_enabled: false,
    java_script_enabled: true,
    ip_address: '203.0.113.7',
  },
  order_details: [
    { product_name: 'Shirt, white, M', quantity: 2, amount: 4500 },
    { product_name: 'Belt, black', quantity: 1, amount: 3950 },
  ],
  metadata: { order: '100482', cart: '8c1f5a0e', channel: 'web' },
}
