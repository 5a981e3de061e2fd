/** The ids of the payment, payout, refund and dispute in all examples. */
export const EXAMPLE_PAYMENT = 'pay_01K2ZQ4V9T5M8R3X7C6B1N0HJD'
export const EXAMPLE_PAYOUT = 'pyt_01K2ZQ8D5H2N7R4V9XA1C6E3GK'
export const EXAMPLE_REFUND = 'ref_01K2ZQ7C3E8W4F1Y6KM0T9A5XB'
export const EXAMPLE_DISPUTE = 'dp_8XkT2mQw4ZrB7nLc9vHa'
