import Type from 'typebox'
import { profileMembers } from '../../show/account.ts'
import { shapesOf } from '../../show/member.ts'
import { flag } from '../answer-shapes.ts'

export const profileAnswer = Type.Object(shapesOf(profileMembers), { title: 'BusinessProfile' })

export const switchAnswer = Type.Object({ enabled: flag }, { title: 'Switch' })
