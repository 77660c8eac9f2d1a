import * as z from 'zod/mini'
import { Day } from './day.ts'
import { component, described } from './documented.ts'
import { endpoint, readsOne } from './endpoint.ts'
import { Locale, keysOf } from './enums.ts'
import { Sha256, StoredFile, Instant, text, Uuid, Version, LocalText } from './fields.ts'
import { IdentityDocument, IdentifierType } from './identification.ts'
import { CodeForm, codeRefusals, CodeSent, smsNotSent } from './one-time-code.ts'
import { optionalLine } from './optional-line.ts'
import { AccessCodeForm } from './rules/access-code.ts'
import { renewalReasons, signingObstacles } from './rules/renewal-rules.ts'
import { ServiceAuthorisation, ServiceRequirement } from './service-authorisation.ts'
import { transitions } from './transitions.ts'

/** Every transition of the renewal of a cloud signature; the database refuses any other (REN-1 … REN-10, R56). */
export const renewalMoves = transitions({
  parameters: ['personal-data', 'expired'],
  'personal-data': ['signing', 'expired'],
  // Back to the personal data; the agreement is made again then.
  signing: ['personal-data', 'authorised', 'declined', 'expired'],
  // The signing service refused, so the customer can try again.
  authorised: ['signed', 'signing'],
  signed: ['issued', 'failed'],
  issued: ['finished'],
  finished: [],
  declined: [],
  expired: [],
  failed: [],
})
export const RenewalState = component(
  'RenewalState',
  'Where a renewal is. `authorised`: the customer has entered the code, and the signature is being made; `signed`: the provider has to issue the certificate; `failed`: it could not.',
  z.enum(keysOf(renewalMoves)),
)
export type RenewalState = z.infer<typeof RenewalState>

/** The step of the stepper that a state belongs to; null if the renewal has ended without a certificate. */
export const renewalStep: Record<RenewalState, 1 | 2 | 3 | 4 | null> = {
  parameters: 1,
  'personal-data': 2,
  signing: 3,
  authorised: 3,
  signed: 4,
  issued: 4,
  finished: 4,
  declined: null,
  expired: null,
  failed: null,
}

/** States in which the draft is kept for 14 days, or until the certificate ends. */
export const openStates = ['parameters', 'personal-data', 'signing'] as const satisfies RenewalState[]

// A radio button's value is text.
const Years = z.pipe(
  z.literal([1, 2, 3, '1', '2', '3']),
  z.transform((years) => Number(years) as 1 | 2 | 3),
)

const NoOrDay = z.pipe(
  z.pipe(
    z.nullish(text(10)),
    z.transform((day: string | null | undefined) => day || null),
  ),
  z.nullable(Day),
)

/**
 * Step 1 (REN-2). Company data is allowed only if the renewed certificate has some, because its identifier comes from there.
 * The activation date is for `immediately` only; null means as soon as the certificate is issued.
 */
export const RenewalParameters = described(
  'What the customer chooses in step 1.',
  z
    .strictObject({
      start: described(
        'When the new certificate begins: after the current one, or as soon as possible.',
        z.enum(['continuity', 'immediately']),
      ),
      activationDate: described(
        'The first day of validity, for `immediately` only; null: as soon as the certificate is issued.',
        NoOrDay,
      ),
      years: described('The period in years.', Years),
      certificateType: described('Whether the certificate names an organisation.', z.enum(['personal', 'company'])),
      company: described('The name of the organisation; null for a personal certificate.', optionalLine),
      unit: described('The unit of the organisation; null for none.', optionalLine),
      position: described('The position of the person in it; null for none.', optionalLine),
      language: described('The language of the agreement.', Locale),
      identifier: described('The same identifier as now, or the PESEL in its place.', z.enum(['same', 'pesel'])),
    })
    .check(
      z.refine((chosen) => chosen.certificateType === 'personal' || chosen.company !== null, {
        error: 'required',
        path: ['company'],
      }),
      z.refine(
        ({ certificateType, company, unit, position }) =>
          certificateType === 'company' || !(company ?? unit ?? position),
        {
          error: 'format',
          path: ['certificateType'],
        },
      ),
      z.refine(({ start, activationDate }) => start === 'immediately' || activationDate === null, {
        error: 'format',
        path: ['activationDate'],
      }),
    ),
)
export type RenewalParameters = z.infer<typeof RenewalParameters>

export const IdentityCheck = component(
  'IdentityCheck',
  'New details of the identity document, which the provider checks.',
  z.strictObject({
    state: described(
      'The result of the check; `asked` before there is one.',
      z.enum(['asked', 'confirmed', 'refused']),
    ),
    document: described('The document that the customer has entered.', IdentityDocument),
  }),
)

const Identifier = component(
  'CertificateIdentifier',
  'An identifier in a certificate.',
  z.strictObject({
    type: IdentifierType,
    country: described('ISO 3166-1 alpha-2; null for ECN.', z.nullable(z.string())),
    value: described('The number itself.', z.string()),
  }),
)

const RenewalReason = component('RenewalReason', 'Why something cannot be renewed, or not now.', z.enum(renewalReasons))

export const Renewal = component(
  'OwnRenewal', // DAT-7
  'A renewal, as its customer sees it. Numbers are complete; the page masks them until they are shown.',
  z.strictObject({
    uid: Uuid,
    state: RenewalState,
    version: described('Counts the changes: a call names the version that it was made for.', z.int()),
    now: described('The time of the portal.', Instant),
    openedAt: described('When the code was entered.', Instant),
    endsAt: described('Until when an open renewal is kept.', Instant),
    certificate: component(
      'RenewedCertificate',
      'The certificate to be renewed.',
      z.strictObject({
        signature: described('The id of the signature.', Uuid),
        name: described('The common name of its subject.', z.string()),
        company: described('The organisation in it; null if there is none.', z.nullable(z.string())),
        unit: described('The unit of the organisation; null if there is none.', z.nullable(z.string())),
        position: described('The position of the person in it; null if there is none.', z.nullable(z.string())),
        identifier: Identifier,
        validFrom: described('From when on it is valid.', Instant),
        validTo: described('Until when it is valid.', Instant),
        status: described('Its status.', z.enum(['good', 'suspended', 'revoked'])),
      }),
    ),
    person: component(
      'RenewalPerson',
      'The customer as the provider knows them now.',
      z.strictObject({
        firstName: z.string(),
        secondName: z.nullable(z.string()),
        surname: z.string(),
        email: z.string(),
        phone: z.string(),
        maskedPhone: described('Masked: `+48 ••• ••• 417`.', z.string()),
        birthDate: described('Null if it is not known.', z.nullable(z.string())),
        birthPlace: described('Null if it is not known.', z.nullable(z.string())),
        nationality: described('ISO 3166-1 alpha-2; null if it is not known.', z.nullable(z.string())),
        commonName: described('The name that the new certificate will have.', z.string()),
        pesel: described(
          'Null if it is not known: the identifier cannot be changed to it then.',
          z.nullable(z.string()),
        ),
        identifier: described(
          'Their number of the kind that the certificate has, as it is known now; null if it is not.',
          z.nullable(Identifier),
        ),
        document: described('Their identity document; null if none is known.', z.nullable(IdentityDocument)),
        isMatching: described('Whether these data match the certificate.', z.boolean()),
      }),
    ),
    identityCheck: described(
      'The identity document that the customer has entered; null if none was.',
      z.nullable(IdentityCheck),
    ),
    parameters: component('RenewalParameters', 'The last choice, or the defaults.', RenewalParameters),
    isSaved: described(
      'Whether the customer has chosen them, at least in part; until then the agreement is in the language of the page.',
      z.boolean(),
    ),
    isFinal: described('Whether the parameters are final.', z.boolean()),
    shortenedTo: described(
      'The shortened end that the customer has accepted; null if there is none.',
      z.nullable(Instant),
    ),
    stops: described('The reasons against it now, for any choice.', z.array(RenewalReason)),
    terms: described(
      'What was agreed when the personal data were confirmed; null before that.',
      z.nullable(
        component(
          'AgreedTerms',
          'What the customer has agreed to.',
          z.strictObject({
            from: described(
              'From when on the certificate is to be valid; null: from its issuing on.',
              z.nullable(Instant),
            ),
            to: described('Until when it is to be valid.', Instant),
            identifier: Identifier,
          }),
        ),
      ),
    ),
    agreement: described(
      'The agreement; null while the provider makes it: poll every three seconds.',
      z.nullable(
        component(
          'RenewalAgreement',
          'The agreement, as a file.',
          z.extend(StoredFile, { isSigned: described('Whether it has the customer’s signature.', z.boolean()) }),
        ),
      ),
    ),
    hasSigningFailed: described(
      'The signing service refused, or has no key of the certificate. The customer can try again with a new code.',
      z.boolean(),
    ),
    signedAt: described('When the customer signed; null before that.', z.nullable(Instant)),
    signature: described(
      'The new signature; null until it is issued. It can be paired like any signature, from `validFrom` on.',
      z.nullable(
        component(
          'IssuedSignature',
          'A signature that a renewal has led to.',
          z.strictObject({
            id: Uuid,
            validFrom: described('From when on it is valid.', Instant),
            validTo: described('Until when it is valid.', Instant),
            canPair: described('Whether an app can be paired now.', z.boolean()),
            pairedAt: described('When an app was paired; null before that.', z.nullable(Instant)),
          }),
        ),
      ),
    ),
    note: described(
      'The provider’s text if it could not issue the certificate; null otherwise.',
      z.nullable(LocalText),
    ),
  }),
)
export type Renewal = z.infer<typeof Renewal>

/** Input of `saveParameters` and `fixParameters`: years as text too, and days that are not chosen. */
const ParametersForm = component('RenewalParametersForm', 'What the customer chooses in step 1.', RenewalParameters)

const Expected = component(
  'ExpectedRenewal',
  'The state and version that the page shows. If the renewal has moved on, `state-passed` has the new state.',
  z.strictObject({
    state: RenewalState,
    version: Version,
  }),
)
export type Expected = z.infer<typeof Expected>

/** Declares a call that changes a renewal: its body names the state that the page shows, and its reply is the renewal after the change. */
const changesRenewal = <F extends z.core.$ZodShape>(fields: F) => ({
  body: z.strictObject({ expected: Expected, ...fields }),
  reply: Renewal,
  errors: ['not-found', 'state-passed'] as const,
})

/** `reason` of the problem names the rule; the state does not change. */
const refusals = ['not-found', 'state-passed', 'renewal-refused'] as const

/** Called before the code dialog: `CODE_REQUIRED` alone means that only a code is missing. */
export const readRenewability = endpoint('customer', 'GET /api/signatures/:id/renewal', {
  summary: 'Checks whether a signature can be renewed, and returns its renewal if one is open', // SIG-4
  description: 'With the reason if it cannot be renewed.',
  reply: z.strictObject({
    uid: described('The id of its open renewal; null if there is none.', z.nullable(Uuid)),
    reasons: described(
      'Why it cannot be renewed; none if it can. `CODE_REQUIRED` alone: only a code is missing.',
      z.array(RenewalReason),
    ),
  }),
  errors: ['not-found'],
})

/** Renewals that have not ended; issued ones while their signature is not paired or not valid yet (HOM-3). */
export const listOpenRenewals = endpoint('customer', 'GET /api/renewals', {
  summary: 'Lists the customer’s renewals that wait for something, nearest end first',
  description: 'For the home page.',
  offlineCopy: true,
  reply: z.strictObject({
    items: described(
      'The renewals, nearest end first.',
      z.array(
        z.strictObject({
          uid: Uuid,
          signature: described('The signature to be renewed.', Uuid),
          state: RenewalState,
          name: described('The common name of the certificate.', z.string()),
          certificateValidTo: described('Until when the certificate is valid.', Instant),
          endsAt: described('Until when the renewal is kept.', Instant),
          issued: described('The new signature; null until it is issued.', z.nullable(Uuid)),
          validFrom: described(
            'From when on the new signature is valid; null until it is issued.',
            z.nullable(Instant),
          ),
        }),
      ),
    ),
  }),
})

/**
 * The code is not used up until step 1 is completed. A code that is unknown, used, expired, a voucher, or another customer’s
 * is refused in the same way (R31); the same code finds the same renewal again. An expired document or wrong data do not
 * prevent it: they are in `stops`, because they can be corrected there (REN-6).
 */
export const openRenewal = endpoint('customer', 'POST /api/renewals', {
  summary: 'Starts the renewal that a code is for, or finds it again', // REN-1
  description: 'The same code leads to the same renewal again.',
  body: AccessCodeForm,
  reply: Renewal,
  errors: ['voucher-refused', 'too-many-attempts', 'renewal-refused'],
  idempotent: 'code',
})

export const readRenewal = endpoint('customer', 'GET /api/renewals/:uid', {
  summary: 'Returns a renewal in its current state',
  description: 'The page polls it while the provider works.',
  ...readsOne(Renewal),
})

/** Called before the renewal code is used up and before an SMS code is sent. It calls the service, so the browser does not poll it. */
export const readSigningReadiness = endpoint('customer', 'GET /api/renewals/:uid/signing-service', {
  summary: 'Checks whether the agreement of a renewal could be signed now', // REN-12
  description: 'Asked before a code is sent, so that none is sent in vain.',
  reply: z.strictObject({
    obstacle: described('Why it cannot be signed now; null if it can.', z.nullable(z.enum(signingObstacles))),
    requirement: described(
      'What the service requires after the SMS code; null if nothing.',
      z.nullable(ServiceRequirement),
    ),
    asksElsewhere: described('The service also asks the customer in another app or at another device.', z.boolean()),
    authorisation: described(
      'The open authorisation of this session, for a page that was reloaded; null if there is none.',
      z.nullable(ServiceAuthorisation),
    ),
  }),
  errors: ['not-found'],
})

/** Repeating it with the same parameters changes nothing. */
export const saveParameters = endpoint('customer', 'PUT /api/renewals/:uid/parameters', {
  summary: 'Saves what was entered in step 1, for a reload or another browser',
  description: 'A draft, which is not final.',
  ...changesRenewal({ parameters: ParametersForm }),
  errors: ['not-found', 'state-passed', 'invalid-input'],
})

/** Uses up the renewal code, once the rules allow it and the signing service could sign (REN-12). */
export const fixParameters = endpoint('customer', 'POST /api/renewals/:uid/parameters', {
  summary: 'Completes step 1, finally; a shortened end has to be named to be accepted', // REN-4
  description: 'Completed parameters cannot be changed.',
  ...changesRenewal({
    parameters: ParametersForm,
    shortenedTo: described(
      'The shortened end that the customer has accepted; null if there is none.',
      z.nullable(Instant),
    ),
  }),
  errors: [...refusals, 'voucher-refused', 'invalid-input'],
})

/** Call in steps 1 and 2, because a new end may need a new consent. */
export const enterIdentityDocument = endpoint('customer', 'POST /api/renewals/:uid/identity-document', {
  summary: 'Submits new details of the identity document to the provider, who checks them', // REN-3, REN-6
  description: 'The customer can wait for the result on the page.',
  ...changesRenewal({ document: IdentityDocument }),
  errors: ['not-found', 'state-passed', 'invalid-input'],
})

/** Call in step 2, if a change of the document has changed the end of the validity. */
export const acceptShortening = endpoint('customer', 'POST /api/renewals/:uid/shortening', {
  summary: 'Accepts a shortened end after step 1 is completed',
  description: '`shortenedTo` is the end that the customer has seen.',
  ...changesRenewal({ shortenedTo: described('The end that the customer has seen.', Instant) }),
  errors: refusals,
})

export const confirmPersonalData = endpoint('customer', 'POST /api/renewals/:uid/personal-data', {
  summary: 'Confirms the personal data; then the provider makes the agreement', // REN-7
  description: '`expected` names the state that the customer has seen.',
  ...changesRenewal({}),
  errors: refusals,
})

export const returnToPersonalData = endpoint('customer', 'POST /api/renewals/:uid/return', {
  summary: 'Returns from signing to the personal data, and voids agreement and code',
  description: 'For correcting the data before the signature.',
  ...changesRenewal({}),
})

export const downloadRenewalAgreement = endpoint('customer', 'GET /api/renewals/:uid/agreement', {
  summary: 'Returns the agreement as PDF, with the customer’s signature once it is signed',
  description: 'Refused until the provider has made it.',
  download: ['application/pdf'],
  errors: ['not-found', 'agreement-not-ready'],
})

/** The hash names what is signed; the message and the page show its first eight digits (R33). */
const SigningForm = component(
  'AgreementSigningForm',
  'The agreement that is signed, as the page shows it.',
  z.strictObject({ expected: Expected, sha256: Sha256 }),
)

const signingRefusals = [...refusals, 'agreement-not-ready', 'signing-changed'] as const

/** A valid code for the same agreement is not sent again. */
export const startAgreementSigning = endpoint('customer', 'POST /api/renewals/:uid/signing', {
  summary: 'Sends the SMS code that signs the agreement',
  description: 'The message names the hash of the agreement.',
  body: SigningForm,
  reply: CodeSent,
  errors: [...signingRefusals, ...smsNotSent],
})

export const resendAgreementCode = endpoint('customer', 'POST /api/renewals/:uid/signing/code/resend', {
  summary: 'Sends a new SMS code for the agreement and voids the previous one',
  description: 'The message names the same agreement.',
  body: SigningForm,
  reply: CodeSent,
  errors: [...signingRefusals, 'resend-too-early', 'code-expired', 'code-void', ...smsNotSent],
})

/** The answer comes at once, usually with `authorised`: poll every second until it is `signed`, or `signing` with `hasSigningFailed`. */
export const signAgreement = endpoint('customer', 'POST /api/renewals/:uid/signing/code', {
  summary:
    'Signs the agreement with the SMS code; the signature and the order to the provider follow in the background',
  description: 'The code belongs to exactly this agreement.',
  body: z.extend(SigningForm, CodeForm.shape),
  reply: z.extend(Renewal, {
    authorisation: described(
      'What the signing service asks of the customer, after which the agreement is signed; null if it asks nothing.',
      z.nullable(ServiceAuthorisation),
    ),
  }),
  errors: [...signingRefusals, ...codeRefusals],
  idempotent: 'code',
})

export const declineAgreement = endpoint('customer', 'POST /api/renewals/:uid/refusal', {
  summary: 'Declines to sign, which ends the renewal', // REN-8
  description: 'A renewal that was declined cannot be continued.',
  ...changesRenewal({}),
})

export const downloadRenewalCalendar = endpoint('customer', 'GET /api/renewals/:uid/calendar', {
  summary: 'Returns a calendar file with the start of the new certificate’s validity', // REN-9
  description: 'In the format iCalendar (RFC 5545).',
  download: ['text/calendar'],
  errors: ['not-found', 'state-passed'],
})

/** The app is paired, or the customer will pair it later: nothing more has to be done here. */
export const finishRenewal = endpoint('customer', 'POST /api/renewals/:uid/finish', {
  summary: 'Closes an issued renewal; from then on the app is paired from the list of signatures', // REN-9
  description: 'The renewal is no longer among the open ones.',
  ...changesRenewal({}),
})
