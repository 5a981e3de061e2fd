import { refuse } from '../../base/refusal.ts'
import { strictObject } from '../../base/shapes.ts'
import { letters, sendLetter } from '../../users/mail.ts'
import { makeOperatorLink, operatorLinkShape } from '../../users/operator-link.ts'
import type { Person } from '../../users/person.ts'
import { reauthenticate } from '../../users/reauthenticate.ts'
import { invite, inviteShape, listMembers, memberShape, removeMember, updateMember } from '../../users/team.ts'
import { ofOrganization } from '../../users/user.ts'
import { listSchema, sized } from '../answer-shapes.ts'
import { operator } from '../auth.ts'
import { type ApiRequest, endpoint } from '../endpoint.ts'
import { afterWrite } from './accounts.ts'
import { deletedMemberAnswer, invitedAnswer, memberAnswer, operatorLinkAnswer, rolesAnswer, showRoles } from './users-answers.ts'
import { atPasskey, reauthenticationErrors, reauthenticationMembers } from './users-sign-in.ts'

export const personIn = ({ who }: Pick<ApiRequest, 'who'>): Person => (who.is === 'user' ? who.person : refuse('session_over'))

function atMerchant(call: Pick<ApiRequest, 'who'>) {
  const { merchant, user_id, role, session } = personIn(call)
  const { merchant_id, organization_id, profiles } = merchant ?? refuse('forbidden', { problem: 'You have no role at a merchant' })
  const organization = ofOrganization(organization_id)
  const its = session.roles.find(one => one.merchant_id === organization)?.role ?? null
  const team = { merchant_id, organization, profiles: profiles.map(one => one.profile_id) }
  return { team, by: { user_id, role, ofOrganization: its } }
}

export const teamOperations = [
  endpoint('GET /user/list', 'listUsers', {
    title: 'List the team',
    description: 'Lists the people of the merchant and of its organization with their roles, those who are invited and disabled too.',
    auth: { credential: 'user', permission: 'users:read', scope: 'merchant' },
    query: strictObject({}),
    answers: listSchema('Team', memberAnswer),
    json: async call => sized(await listMembers(call.context, atMerchant(call).team)),
  }),
  endpoint('POST /user/invite', 'inviteUser', {
    title: 'Invite a person',
    description:
      'Invites a person to the merchant with a role, for all or some of its business profiles, by mail; without a mail server the response contains the link. Inviting again replaces the link. Only owners invite owners. Requires the password or a passkey of the person who invites; one of single sign-on must have signed in within ten minutes.',
    auth: { credential: 'user', permission: 'users:write', scope: 'merchant' },
    body: strictObject({ ...inviteShape.properties, ...reauthenticationMembers }),
    answers: invitedAnswer,
    errors: ['duplicate', 'busy', 'not_found', ...reauthenticationErrors],
    example: {
      summary: 'A colleague in support',
      value: { email: 'grace@shop.example', role: 'operator', password: 'correct horse battery staple' },
    },
    json: async call => {
      const { team, by } = atMerchant(call)
      const { mailer, services } = call.service
      const { password, passkey, ...ask } = call.body
      await reauthenticate(atPasskey(call), personIn(call).session, { password, passkey })
      const { member, link } = await invite(call.context, services.publicUrl, team, by, ask)
      if (mailer) sendLetter(mailer, call.context.log, member.email, letters.invite(team.merchant_id, link.url))
      return { user: member, mailed: mailer !== null, url: mailer ? null : link.url, expires_at: link.expires_at }
    },
  }),
  endpoint('POST /user/{user_id}', 'updateUser', {
    title: 'Update a team member',
    description:
      'Changes the role of a person at the merchant and the business profiles for which it holds, or disables them there. The last owner stays. What gives the person more rights requires the password or a passkey of the person who changes it; one of single sign-on must have signed in within ten minutes.',
    auth: { credential: 'user', permission: 'users:write', scope: 'merchant' },
    body: strictObject({ ...memberShape.properties, ...reauthenticationMembers }),
    answers: memberAnswer,
    errors: ['busy', ...reauthenticationErrors],
    example: { summary: 'Another role', value: { role: 'viewer' } },
    json: async call => {
      const { team, by } = atMerchant(call)
      const { password, passkey, ...ask } = call.body
      const prove = () => reauthenticate(atPasskey(call), personIn(call).session, { password, passkey })
      return afterWrite(call.service, updateMember(call.context, team, by, call.path.user_id, ask, { mode: call.service.mode, prove }))
    },
  }),
  endpoint('DELETE /user/{user_id}', 'removeUser', {
    title: 'Remove a team member',
    description: 'Removes a person from the merchant, or takes an invitation back. The last owner stays.',
    auth: { credential: 'user', permission: 'users:write', scope: 'merchant' },
    answers: deletedMemberAnswer,
    errors: ['precondition', 'busy'],
    json: async call => {
      const { team, by } = atMerchant(call)
      return afterWrite(call.service, removeMember(call.context, team, by, call.path.user_id))
    },
  }),
  endpoint('GET /roles', 'listRoles', {
    sdk: 'users.listRoles',
    title: 'List roles',
    description: 'Lists the roles with their permissions in this mode.',
    auth: { credential: 'secret', permission: null, scope: 'own' },
    platforms: 'for itself too',
    query: strictObject({}),
    answers: rolesAnswer,
    json: call => showRoles(call.service.mode),
  }),
  endpoint('POST /user/link', 'createUserLink', {
    sdk: 'users.createLink',
    title: 'Create a link for a person',
    description:
      'Creates a one-time link: for the first owner of a merchant or an organization that has none, or for a person who sets a new password. `npm run user:link` prints it. A person with a session gives their password or a passkey.',
    auth: operator,
    body: strictObject({ ...operatorLinkShape.properties, ...reauthenticationMembers }),
    answers: operatorLinkAnswer,
    errors: ['not_found', 'unknown', ...reauthenticationErrors],
    example: { summary: 'A new password', value: { email: 'ada@shop.example' } },
    json: async call => {
      const { context, service, who } = call
      const { password, passkey, ...ask } = call.body
      if (who.is === 'admin' && who.user) await reauthenticate(atPasskey(call), who.user.session, { password, passkey })
      return makeOperatorLink(context, service.services.publicUrl, ask)
    },
  }),
]
