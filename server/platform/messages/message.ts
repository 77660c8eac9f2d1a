import type { Locale } from '../../../contract/enums.ts'
import type { ConsentKind } from '../../../contract/legal/consent-statements.ts'
import type { Mail, Sms } from '../ports.ts'

export type SmsOrder = Sms & {
  /** The limit of its range it counts towards; a code to a confirmed number otherwise. */
  kind?: SmsKind
}

/**
 * The kind of an SMS. `unconfirmed`: a code to a number that nobody has confirmed yet; `notice`: a notice of a change that may be somebody
 * else’s (R269).
 */
export type SmsKind = 'code' | 'unconfirmed' | 'notice'

/** A link that anybody can request. */
export type MailedLinkRequest = {
  address: string
  /** Whether the mail is sent; false beyond the limit of the source. */
  wanted: boolean
  /** The account that knows the device. */
  knownTo?: string | undefined
}

export type LinkRequest = MailedLinkRequest & {
  email: string
  /** The registration whose link is sent again if it is not confirmed. */
  registration?: string | undefined
}

/** The link of a customer who has lost the phone. */
export type LostPhoneRequest = MailedLinkRequest & {
  /** The login or the e-mail address. */
  login: string
}

/** The data of a registration. */
export type RegistrationRequest = {
  /** The id of the registration, which becomes the account's. */
  registration: string
  replaces: string | null
  email: string
  firstName: string
  secondName: string | null
  surname: string
  phone: string
  locale: Locale
  consents: { kind: ConsentKind; version: string; locale: Locale; sha256: string }[]
  /** The time at which the consents were given. */
  at: string
  address: string
  /** Whether the mail is sent; false if this address has reached its limit of mails, but the request is processed in the same way (R29). */
  wanted: boolean
}

/** The invitation of a person to use a seal. */
export type InvitationRequest = {
  /** The id of the person's row, which has everything else. */
  sealUser: string
}

/** A renewal whose agreement is to be signed with the key of the certificate that is renewed. */
export type AgreementSignature = { renewal: string }

/** A copy of all data to be made. */
export type DataExportOrder = { export: string }

/** A customer of an import who has not been invited yet. */
export type CustomerInvitation = { account: string }

/** A request to the signing service for what an app scans. */
export type ActivationRequest = { kind: 'signature' | 'seal-user'; paired: string; request: string }

/** A request for another status of a certificate, for the provider's authority. */
export type CertificateStatusMessage = { request: string }

export type WebhookOrder = { webhook: string; name: string; event: string }

/** The content of a message of each channel. Features queue their own work too, so that it is done once and not lost. */
export type Messages = {
  mail: Mail
  sms: SmsOrder
  'password-link': LinkRequest
  registration: RegistrationRequest
  'seal-invitation': InvitationRequest
  'agreement-signature': AgreementSignature
  'data-export': DataExportOrder
  'customer-invitation': CustomerInvitation
  'app-activation': ActivationRequest
  'certificate-status': CertificateStatusMessage
  'lost-phone': LostPhoneRequest
  webhook: WebhookOrder
}

export type Channel = keyof Messages

/** The functions that deliver a message of each channel; its `id` stays the same over all attempts. */
export type Deliveries = { [C in Channel]: (message: Messages[C]) => Promise<void> }

/** A message to be queued: the outbox gives it its id. */
export type Message = { [C in Channel]: { channel: C } & Omit<Messages[C], 'id'> }[Channel]
