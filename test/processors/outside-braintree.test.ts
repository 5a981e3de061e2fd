import { definesOutside } from './outside-tests.ts'

/** Braintree announces neither refunds nor captures nor voids of cards, whoever makes them: it is asked. */

const once = 'Braintree captures a hold once, and lets the rest go'
const voids = 'a void of ours gives a captured transaction back'
const days = 'a call of ours would wait for days, because Braintree settles in the night'

definesOutside('braintree', {
  heard: ['without a webhook'],
  several: false,
  slow: '26 hours',
  paid: async (shop, begun) => {
    await shop.wait('26 hours')
    return begun
  },
  without: {
    'a capture of a part, before one of ours': once,
    'a void of what is left after a capture of ours': once,
    'a cancel of ours after a capture there is refused and says so, and the payment is paid': voids,
    'a refund of ours after a dispute that nobody told finds the dispute': 'Braintree refunds a disputed transaction',
    'a refund of ours and one there are both made if there is room for both': days,
    'a refund of ours is not made if one there leaves no room': days,
    'a capture of ours finds the hold captured there, and is taken once': days,
    'a capture of ours finds the hold voided there': days,
    'a cancel of ours finds the hold captured there': days,
    'a refund of ours whose answer is lost is not confused with one there': days,
    'a refund of ours that never arrives is not confused with one there': days,
  },
})
