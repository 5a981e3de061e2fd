import Type from 'typebox'
import { merchantMembers, organizationMembers } from '../../show/account.ts'
import { shapesOf } from '../../show/member.ts'
import { flag, text } from '../answer-shapes.ts'

export const organizationAnswer = Type.Object(shapesOf(organizationMembers), { title: 'Organization' })

export const merchantAnswer = Type.Object(shapesOf(merchantMembers), { title: 'MerchantAccount' })

export const deletedMerchantAnswer = Type.Object({ merchant_id: text, deleted: flag }, { title: 'DeletedMerchantAccount' })

export const kvAnswer = Type.Object({ merchant_id: text, kv_enabled: flag }, { title: 'KeyValueStore' })
