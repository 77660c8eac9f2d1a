import { signAgreement } from './agreement-signing.ts'
import { makeDataExport } from './data-exports.ts'
import type { Deliveries } from './outbox.ts'
import { answerLinkRequest, inviteNewCustomer } from './password-link.ts'
import type { Portal } from './portal.ts'
import { answerRegistration } from './registrations.ts'
import { deliverInvitation } from './seal-invitations.ts'
import { sendSms } from './sms-policy.ts'

/** What the outbox does with a message of each channel. */
export const deliveriesOf = (portal: Portal): Deliveries => ({
  mail: (mail) => portal.ports.mail.send(mail),
  sms: (sms) => sendSms(portal, sms),
  'password-link': (request) => answerLinkRequest(portal, request),
  registration: (request) => answerRegistration(portal, request),
  'seal-invitation': (request) => deliverInvitation(portal, request),
  'agreement-signature': (request) => signAgreement(portal, request),
  'data-export': (order) => makeDataExport(portal, order),
  'customer-invitation': (invitation) => inviteNewCustomer(portal, invitation),
})
