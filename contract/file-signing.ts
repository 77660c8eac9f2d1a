import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Instant, text, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { CodeForm, CodeSent, smsNotSent } from './one-time-code.ts'
import { requirementFields, ServiceAuthorisation } from './service-authorisation.ts'

// Files that a customer signs in the browser (SGN-20 … SGN-29). The files, their names and their passwords are in no call.

const Der = (what: string) => described(`${what} in base64 of its DER.`, z.string())

export const FileSigner = component(
  'FileSigner',
  'A certificate with which the customer can sign files: an own signature, or a seal that they may use.',
  z.strictObject({
    id: described('The signature or seal, as in the lists.', Uuid),
    kind: described('Whether it is a signature or a seal.', z.enum(['signature', 'seal'])),
    name: described('The common name of its subject.', z.string()),
    organisation: described('The organisation in the certificate; null if there is none.', z.nullable(z.string())),
    serialNumber: described('Hexadecimal, upper case.', z.string()),
    validTo: described('Until when it is valid.', Instant),
    certificate: Der('The certificate (RFC 5280)'),
    chain: described('Its issuers without the root, from its own upwards.', z.array(Der('A certificate'))),
    algorithm: described(
      'With which it signs; the digests of files are made with the same digest.',
      z.strictObject({
        scheme: described('The scheme of the signature.', z.enum(['rsa-pkcs1', 'rsa-pss', 'ecdsa'])),
        digest: described('The digest.', z.enum(['sha256', 'sha384', 'sha512'])),
      }),
    ),
    mostFiles: described('How many files one authorisation covers.', z.int()),
    ...requirementFields,
  }),
)
export type FileSigner = z.infer<typeof FileSigner>

export const UnusableSigner = component(
  'UnusableSigner',
  'A valid certificate of a cloud signature or seal that cannot sign files here.',
  z.strictObject({
    id: described('The signature or seal, as in the lists.', Uuid),
    kind: described('Whether it is a signature or a seal.', z.enum(['signature', 'seal'])),
    name: described('The common name of its subject.', z.string()),
    organisation: described('The organisation in the certificate; null if there is none.', z.nullable(z.string())),
    validTo: described('Until when it is valid.', Instant),
    reason: described(
      'Why: the signing service does not offer its key, or the portal does not support its algorithm (`no-key`); or its suspension or revocation is requested (`stopping`).',
      z.enum(['no-key', 'stopping']),
    ),
  }),
)
export type UnusableSigner = z.infer<typeof UnusableSigner>

export const listFileSigners = endpoint('customer', 'GET /api/file-signers', {
  summary: 'Lists the certificates with which the customer can sign files', // SGN-23
  description: 'Those whose key the signing service has. The list is empty where there is none.',
  reply: z.strictObject({
    signers: described('The certificates: signatures, then seals, the newest first.', z.array(FileSigner)),
    unusable: described('Those that cannot be chosen, in the same order.', z.array(UnusableSigner)),
    maskedPhone: described('Where the code for a signature is sent, masked: `+48 ••• ••• 417`.', z.string()),
  }),
  errors: ['too-many-attempts', 'unavailable'],
})

/** The raw signature and its timestamp, of which the browser makes a CMS signature (RFC 5652). */
export const FileSignature = component(
  'FileSignature',
  'What was signed for one file.',
  z.strictObject({
    signature: described('The signature over the signed attributes, in base64.', z.string()),
    timestamp: Der('The timestamp token over the signature (RFC 3161)'),
  }),
)
export type FileSignature = z.infer<typeof FileSignature>

export const FileSigning = component(
  'FileSigning',
  'Files that are signed by one authorisation.',
  z.strictObject({
    id: Uuid,
    reference: described(
      'SHA-256 over the digests, one after another, in hexadecimal; the message has its first eight digits.',
      z.string(),
    ),
    state: described(
      '`started`: the SMS code is awaited. `confirmed`: it was entered. `signed`: the signatures are there.',
      z.enum(['started', 'confirmed', 'signed']),
    ),
    authorisation: described(
      'What the signing service asks of the customer, after which the files are signed; null if nothing.',
      z.nullable(ServiceAuthorisation),
    ),
    signatures: described(
      'One for each digest, in their order; null before they are made.',
      z.nullable(z.array(FileSignature)),
    ),
  }),
)
export type FileSigning = z.infer<typeof FileSigning>

/** A digest of SHA-256 to SHA-512, in base64. */
const Digest = text(88).check(z.minLength(44), z.base64())

export const startFileSigning = endpoint('customer', 'POST /api/file-signings', {
  summary: 'Sends the SMS code for the signatures of files, which are given by their digests', // SGN-21, SGN-25
  description: 'The code is for exactly these digests in this order, and for this certificate.',
  body: z.strictObject({
    signer: described('One of the certificates of `/api/file-signers`.', Uuid),
    digests: described(
      'The digest of what the signature in each file covers, in base64.',
      z.array(Digest).check(z.minLength(1), z.maxLength(limits.fileSigning.files)),
    ),
  }),
  reply: z.strictObject({
    signing: FileSigning,
    code: described('The code that was sent.', CodeSent),
  }),
  errors: ['invalid-input', 'signer-unknown', 'unavailable', ...smsNotSent],
})

export const readFileSigning = endpoint('customer', 'GET /api/file-signings/:id', {
  summary: 'Returns the signatures of files, as far as they are made',
  description: 'In the session that began them, for a day; elsewhere they are `signing-over`.',
  background: true,
  reply: FileSigning,
  errors: ['not-found', 'signing-over'],
})

export const resendFileSigningCode = endpoint('customer', 'POST /api/file-signings/:id/code/resend', {
  summary: 'Sends a new SMS code for the signatures and voids the previous one',
  description: 'The message names the same digests.',
  reply: CodeSent,
  errors: ['not-found', 'signing-over', 'resend-too-early', 'code-expired', 'code-void', ...smsNotSent],
})

export const confirmFileSigning = endpoint('customer', 'POST /api/file-signings/:id/code', {
  summary: 'Confirms the signatures with the SMS code',
  description: 'What the signing service requires follows; where that is nothing, `POST …/signatures` signs.',
  body: CodeForm,
  idempotent: 'code',
  reply: FileSigning,
  errors: [
    'not-found',
    'signing-over',
    'code-wrong',
    'code-expired',
    'code-void',
    'too-many-attempts',
    /** The certificate or the access to it has changed since the code was sent (R202, R203). */
    'signing-changed',
    'unavailable',
  ],
})

/**
 * Can be repeated for ten minutes after a failure of the service, without another code (SGN-15), and for a day once it
 * has signed (SGN-29).
 */
export const signFiles = endpoint('customer', 'POST /api/file-signings/:id/signatures', {
  summary: 'Signs and timestamps, once the code was entered, where the service requires nothing more of the customer',
  description:
    'A repetition after the success returns the same signatures. Where the signing service has signed, by whatever it required, and timestamps are missing, it requests only those.',
  takesLong: true,
  reply: FileSigning,
  errors: ['not-found', 'signing-over', 'signing-changed', 'signing-refused', 'busy', 'unavailable'],
})
