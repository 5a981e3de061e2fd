import Type from 'typebox'
import { businessDetails } from '../../accounts/merchant-shape.ts'
import { orNull } from '../../base/shapes.ts'
import { flag, objects, text, texts, time } from '../answer-shapes.ts'

export const organizationAnswer = Type.Object(
  {
    organization_id: text,
    organization_name: orNull(text),
    ...objects('organization_details metadata'),
    modified_at: time,
    created_at: time,
    organization_type: Type.Enum(['standard', 'platform']),
  },
  { title: 'Organization' },
)

export const merchantAnswer = Type.Object(
  {
    merchant_id: text,
    organization_id: text,
    publishable_key: text,
    enable_payment_response_hash: flag,
    redirect_to_merchant_with_http_post: flag,
    is_recon_enabled: flag,
    sub_merchants_enabled: flag,
    recon_status: text,
    merchant_account_type: text,
    primary_business_details: Type.Array(businessDetails),
    ...texts('merchant_name return_url payment_response_hash_key parent_merchant_id locker_id default_profile product_type'),
    ...objects(`merchant_details webhook_details routing_algorithm payout_routing_algorithm metadata frm_routing_algorithm
      pm_collect_link_config network_tokenization_credentials`),
  },
  { title: 'MerchantAccount' },
)

export const deletedMerchantAnswer = Type.Object({ merchant_id: text, deleted: flag }, { title: 'DeletedMerchantAccount' })

export const kvAnswer = Type.Object({ merchant_id: text, kv_enabled: flag }, { title: 'KeyValueStore' })
