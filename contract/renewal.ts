import * as z from 'zod/mini'
import { AccessCode } from './access-code.ts'
import { CodeForm, CodeSent } from './account.ts'
import { Sha256 } from './documents.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType, Locale } from './enums.ts'
import { Day, Instant, text, Uuid, Version } from './fields.ts'
import { maybeLine } from './maybe-line.ts'
import { IdentityDocument } from './personal-data.ts'
import { renewalReasons } from './renewal-rules.ts'
import { LocalText } from './software.ts'

/**
 * The renewal of a cloud signature (REN-1 … REN-10). `authorised`: the customer has signed by code, the signature itself is
 * being made; `signed`: the provider is to issue; `failed`: it could not.
 */
export const renewalStates = [
  'parameters',
  'personal-data',
  'signing',
  'authorised',
  'signed',
  'issued',
  'finished',
  'declined',
  'expired',
  'failed',
] as const
export const RenewalState = z.enum(renewalStates)
export type RenewalState = z.infer<typeof RenewalState>

/** Every move that a renewal can make; the database refuses any other (R56). */
export const renewalMoves: Record<RenewalState, readonly RenewalState[]> = {
  parameters: ['personal-data', 'expired'],
  'personal-data': ['signing', 'expired'],
  // Back to the personal data, where the agreement is made anew.
  signing: ['personal-data', 'authorised', 'declined', 'expired'],
  // The signing service said no, so the customer can try again.
  authorised: ['signed', 'signing'],
  signed: ['issued', 'failed'],
  issued: ['finished'],
  finished: [],
  declined: [],
  expired: [],
  failed: [],
}

/** The step of the stepper that a state belongs to; null where the renewal has ended without a certificate. */
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
 * Step 1 (REN-2). Data of a company only where the renewed certificate has some: its identifier comes from there. The
 * activation date goes with `immediately` alone; null is as soon as it is issued.
 */
export const RenewalParameters = z
  .strictObject({
    start: z.enum(['continuity', 'immediately']),
    activationDate: NoOrDay,
    years: Years,
    certificateType: z.enum(['personal', 'company']),
    company: maybeLine,
    unit: maybeLine,
    position: maybeLine,
    language: Locale,
    identifier: z.enum(['same', 'pesel']),
  })
  .check(
    z.refine((chosen) => chosen.certificateType === 'personal' || chosen.company !== null, {
      error: 'required',
      path: ['company'],
    }),
    z.refine(
      ({ certificateType, company, unit, position }) => certificateType === 'company' || !(company ?? unit ?? position),
      {
        error: 'format',
        path: ['certificateType'],
      },
    ),
    z.refine(({ start, activationDate }) => start === 'immediately' || activationDate === null, {
      error: 'format',
      path: ['activationDate'],
    }),
  )
export type RenewalParameters = z.infer<typeof RenewalParameters>

const Identifier = z.strictObject({ type: IdentifierType, country: z.nullable(z.string()), value: z.string() })

const RenewalReason = z.enum(renewalReasons)

/** What the customer is shown and what the rules need, as it is now. Numbers are whole: the page masks them (ux.md §3.6). */
export const Renewal = z.strictObject({
  uid: Uuid,
  state: RenewalState,
  /** Counts the changes: a call names the one that it was made for (R56). */
  version: z.int(),
  now: Instant,
  openedAt: Instant,
  /** Until when an open renewal is kept. */
  endsAt: Instant,
  /** The certificate that is renewed. */
  certificate: z.strictObject({
    signature: Uuid,
    name: z.string(),
    company: z.nullable(z.string()),
    unit: z.nullable(z.string()),
    position: z.nullable(z.string()),
    identifier: Identifier,
    years: z.int(),
    validFrom: Instant,
    validTo: Instant,
    status: z.enum(['good', 'suspended', 'revoked']),
  }),
  /** The customer as the provider knows them now; `differs` from the certificate is marked side by side (ux.md §8.6). */
  person: z.strictObject({
    firstName: z.string(),
    secondName: z.nullable(z.string()),
    surname: z.string(),
    email: z.string(),
    phone: z.string(),
    /** As everywhere where nobody has asked to see it: `+48 ••• ••• 417`. */
    maskedPhone: z.string(),
    birthDate: z.nullable(z.string()),
    birthPlace: z.nullable(z.string()),
    nationality: z.nullable(z.string()),
    /** Null where it is not known: then the identifier cannot be changed to it. */
    pesel: z.nullable(z.string()),
    document: z.nullable(IdentityDocument),
    /** Whether that is what the certificate says (REN-6). */
    matches: z.boolean(),
  }),
  /** New details of the identity document, which the provider looks at; nothing else is taken from them (REN-6). */
  identityCheck: z.nullable(
    z.strictObject({ state: z.enum(['asked', 'confirmed', 'refused']), document: IdentityDocument }),
  ),
  /** What was chosen last; what to begin with where nothing was. Fixed once `frozen` (R57). */
  parameters: RenewalParameters,
  frozen: z.boolean(),
  /** The shortened end that was accepted. */
  shortenedTo: z.nullable(Instant),
  /** What stands against it now, whatever is chosen. */
  stops: z.array(RenewalReason),
  /** What was agreed on when the personal data were confirmed; `from` null is from the issuing on. */
  terms: z.nullable(z.strictObject({ from: z.nullable(Instant), to: Instant, identifier: Identifier })),
  /** Null while the provider makes it: ask again after three seconds. `signed` once the customer’s signature is in it. */
  agreement: z.nullable(z.strictObject({ sha256: Sha256, bytes: z.int(), signed: z.boolean() })),
  /** The signing service refused, or no key of the certificate is there: told once more, with a code of its own. */
  signingFailed: z.boolean(),
  signedAt: z.nullable(Instant),
  /** The new signature, once it is issued. Its QR code is that of any signature; before `validFrom` there is none (REN-9). */
  signature: z.nullable(
    z.strictObject({
      id: Uuid,
      validFrom: Instant,
      validTo: Instant,
      pairable: z.boolean(),
      pairedAt: z.nullable(Instant),
    }),
  ),
  /** What the provider said where it could not issue. */
  note: z.nullable(LocalText),
})
export type Renewal = z.infer<typeof Renewal>

/** The state and version that the page shows. Where the renewal has moved on, `state-passed` says to which state (R58). */
const Expected = z.strictObject({ state: RenewalState, version: Version })
export type Expected = z.infer<typeof Expected>

const uidParams = z.strictObject({ uid: Uuid })

/** `reason` of the problem says which rule; the state has not changed. */
const refusals = ['not-found', 'state-passed', 'renewal-refused'] as const

const notSent = ['sends-spent', 'too-many-attempts', 'sms-country-refused', 'sms-stopped'] as const

/** Is asked before the dialog of the code: `CODE_REQUIRED` alone means that a code is all that is missing. */
export const readRenewability = endpoint({
  method: 'GET',
  path: '/api/signatures/:id/renewal',
  summary: 'Whether a signature can be renewed, and its renewal if one is open (SIG-4)',
  access: 'customer',
  params: z.strictObject({ id: Uuid }),
  reply: z.strictObject({ uid: z.nullable(Uuid), reasons: z.array(RenewalReason) }),
  errors: ['not-found'],
})

/** What has not come to an end yet; of issued ones those whose signature is not paired or not valid yet (HOM-3). */
export const listOpenRenewals = endpoint({
  method: 'GET',
  path: '/api/renewals',
  summary: 'The customer’s renewals that wait for something, nearest end first',
  access: 'customer',
  reply: z.strictObject({
    items: z.array(
      z.strictObject({
        uid: Uuid,
        /** The one that is renewed. */
        signature: Uuid,
        state: RenewalState,
        name: z.string(),
        certificateValidTo: Instant,
        endsAt: Instant,
        /** The new signature, once it is issued, and from when on it is valid. */
        issued: z.nullable(Uuid),
        validFrom: z.nullable(Instant),
      }),
    ),
  }),
})

export const RenewalCodeForm = z.strictObject({ code: AccessCode })

/**
 * The code stays unused until step 1 is left. Refused alike when unknown, used, expired, somebody else’s, or a voucher
 * (R31); the same code leads back to the same renewal. An expired document or other data open it all the same, with
 * `stops`, because they can be put right there (REN-6).
 */
export const openRenewal = endpoint({
  method: 'POST',
  path: '/api/renewals',
  summary: 'Begins the renewal that a code is for, or finds it again (REN-1)',
  access: 'customer',
  body: RenewalCodeForm,
  reply: Renewal,
  errors: ['voucher-refused', 'too-many-attempts', 'renewal-refused'],
  code: 'stays',
})

export const readRenewal = endpoint({
  method: 'GET',
  path: '/api/renewals/:uid',
  summary: 'A renewal as it stands',
  access: 'customer',
  params: uidParams,
  reply: Renewal,
  errors: ['not-found'],
})

/** Repeating it with what is kept already changes nothing. */
export const saveParameters = endpoint({
  method: 'PUT',
  path: '/api/renewals/:uid/parameters',
  summary: 'Keeps what was entered in step 1, for a reload or another browser',
  access: 'customer',
  params: uidParams,
  body: z.strictObject({ expected: Expected, parameters: RenewalParameters }),
  reply: Renewal,
  errors: ['not-found', 'state-passed', 'invalid-input'],
})

/** The renewal code is used up here, after the rules were asked. */
export const fixParameters = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/parameters',
  summary: 'Leaves step 1 for good; a shortened end has to be named to be accepted (REN-4)',
  access: 'customer',
  params: uidParams,
  body: z.strictObject({
    expected: Expected,
    parameters: RenewalParameters,
    /** The end that the dialog of the shortened validity showed and that was accepted. */
    shortenedTo: z.nullable(Instant),
  }),
  reply: Renewal,
  errors: [...refusals, 'voucher-refused', 'invalid-input'],
})

/** In steps 1 and 2: a new end may need a new consent. */
export const enterIdentityDocument = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/identity-document',
  summary: 'Hands new details of the identity document to the provider, who confirms them (REN-3, REN-6)',
  access: 'customer',
  params: uidParams,
  body: z.strictObject({ expected: Expected, document: IdentityDocument }),
  reply: Renewal,
  errors: ['not-found', 'state-passed', 'invalid-input'],
})

/** In step 2, where a change of the document has made another end of the same parameters. */
export const acceptShortening = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/shortening',
  summary: 'Accepts a shortened end after step 1 was left',
  access: 'customer',
  params: uidParams,
  body: z.strictObject({ expected: Expected, shortenedTo: Instant }),
  reply: Renewal,
  errors: refusals,
})

export const confirmPersonalData = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/personal-data',
  summary: 'Confirms the personal data; the provider makes the agreement then (REN-7)',
  access: 'customer',
  params: uidParams,
  body: z.strictObject({ expected: Expected }),
  reply: Renewal,
  errors: refusals,
})

export const returnToPersonalData = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/return',
  summary: 'Goes back from signing to the personal data; agreement and code are void',
  access: 'customer',
  params: uidParams,
  body: z.strictObject({ expected: Expected }),
  reply: Renewal,
  errors: ['not-found', 'state-passed'],
})

export const downloadRenewalAgreement = endpoint({
  method: 'GET',
  path: '/api/renewals/:uid/agreement',
  summary: 'The agreement as PDF, signed once it is',
  access: 'customer',
  params: uidParams,
  download: ['application/pdf'],
  errors: ['not-found', 'agreement-not-ready'],
})

/** What is signed is named by its hash, whose first eight digits stand in the message and belong on the page (R33). */
const SigningForm = z.strictObject({ expected: Expected, sha256: Sha256 })

const signingRefusals = [...refusals, 'agreement-not-ready', 'signing-changed'] as const

/** An open code for the same agreement is not sent again. */
export const startAgreementSigning = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/signing',
  summary: 'Sends the SMS code that signs the agreement',
  access: 'customer',
  params: uidParams,
  body: SigningForm,
  reply: CodeSent,
  errors: [...signingRefusals, ...notSent],
})

export const resendAgreementCode = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/signing/code/resend',
  summary: 'Sends a new SMS code for the agreement; the one before is void',
  access: 'customer',
  params: uidParams,
  body: SigningForm,
  reply: CodeSent,
  errors: [...signingRefusals, 'resend-too-early', 'code-expired', 'code-void', ...notSent],
})

/** The answer comes at once, mostly `authorised`: ask again every second or so until it is `signed`, or `signing` with `signingFailed`. */
export const signAgreement = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/signing/code',
  summary: 'Signs the agreement with the SMS code; the signature is made and the order follows by themselves',
  access: 'customer',
  params: uidParams,
  body: z.extend(SigningForm, CodeForm.shape),
  reply: Renewal,
  errors: [...signingRefusals, 'code-wrong', 'code-expired', 'code-void', 'too-many-attempts'],
  code: 'used-up',
})

export const declineAgreement = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/refusal',
  summary: 'Declines to sign, which ends the renewal for good (REN-8)',
  access: 'customer',
  params: uidParams,
  body: z.strictObject({ expected: Expected }),
  reply: Renewal,
  errors: ['not-found', 'state-passed'],
})

export const downloadRenewalCalendar = endpoint({
  method: 'GET',
  path: '/api/renewals/:uid/calendar',
  summary: 'When the new certificate begins to be valid, as a calendar file (REN-9)',
  access: 'customer',
  params: uidParams,
  download: ['text/calendar'],
  errors: ['not-found', 'state-passed'],
})

/** Pairing is done or put off: either way nothing more is asked for here. */
export const finishRenewal = endpoint({
  method: 'POST',
  path: '/api/renewals/:uid/finish',
  summary: 'Closes an issued renewal; the app is paired from the list of signatures then (REN-9)',
  access: 'customer',
  params: uidParams,
  body: z.strictObject({ expected: Expected }),
  reply: Renewal,
  errors: ['not-found', 'state-passed'],
})
