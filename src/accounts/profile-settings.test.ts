import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { exampleOf } from '../database/table.ts'
import { type Details, type Merchant, profiles } from './merchant.ts'
import { merchants } from './merchant-row.ts'
import { merchantDisplayName, profileSetting } from './profile-settings.ts'

/** Gives a merchant with a profile `p`, with these settings. */
const saying = (merchant: Details, profile: Details): Merchant => ({
  ...exampleOf(merchants, { merchant_id: 'm', details: merchant }),
  profiles: [exampleOf(profiles, { profile_id: 'p', details: profile })],
  connectorAccounts: [],
  deleted: false,
  former: { profiles: [], connectorAccounts: [] },
  inlineAccounts: [],
  moving: null,
  routing: new Map(),
})

test('a profile setting takes precedence; without one the merchant setting or the default applies', () => {
  const both = saying({ return_url: 'https://m/', session_expiry: 60 }, { return_url: 'https://p/', session_expiry: 600 })
  deepEqual([profileSetting(both, 'p', 'return_url'), profileSetting(both, 'p', 'session_expiry')], ['https://p/', 600])
  const silent = saying({ return_url: 'https://m/', session_expiry: 60 }, {})
  deepEqual([profileSetting(silent, 'p', 'return_url'), profileSetting(silent, 'p', 'session_expiry')], ['https://m/', 900])
  equal(profileSetting(silent, 'gone', 'return_url'), 'https://m/')
  equal(profileSetting(saying({}, {}), 'p', 'payment_method_blocking'), undefined)
  deepEqual([merchantDisplayName(silent), merchantDisplayName(saying({ merchant_name: 'Mill' }, {}))], ['m', 'Mill'])
})

test('a setting of the wrong type is ignored', () => {
  const odd = saying({}, { session_expiry: '600', enable_payment_response_hash: null })
  deepEqual([profileSetting(odd, 'p', 'session_expiry'), profileSetting(odd, 'p', 'enable_payment_response_hash')], [900, true])
})
