import type { Readable } from 'node:stream'
import type { Transaction } from 'kysely'
import type { DeskRole } from '../../contract/desk/desk-permissions.ts'
import type { UploadReport } from '../../contract/document-report.ts'
import type { Locale } from '../../contract/enums.ts'
import type { ActivationContent } from '../../contract/rules/activation-content.ts'
import type { StatusChange } from '../../contract/signatures-and-seals.ts'
import type { StatusReason } from '../../contract/status-requests.ts'
import type { SigningAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import type { CertificateChain, KnownForm, ValidationPolicy } from '../../pki/pades/pades-report.ts'
import type { ValidationData } from '../../pki/pades/pades-validation-data.ts'

/**
 * Every external system that the portal uses. The adapters are in `server/adapters`; only `run-portal.ts`, the demonstration and
 * tests choose them. Time is the database's: `portal_now()` (R24, R94), which a test can set.
 */
export type Ports = {
  mail: MailPort
  sms: SmsPort
  botCheck: BotCheckPort
  country: CountryPort
  documents: DocumentStore
  alarms: AlarmPort
  /** Undefined where no service for changing passwords is configured. */
  timestampAccounts: TimestampAccountsPort | undefined
  appActivation: AppActivationPort
  /** Undefined where the provider's authority has no interface: then the provider reports every change of a status. */
  certificateStatus: CertificateStatusPort | undefined
  verification: VerificationPort
  /** The authorities that the portal trusts, read each time; undefined where the operator configures none. */
  trust: (() => Promise<TrustedAuthorities>) | undefined
  /** Undefined where nothing is fetched: then anything that a file does not prove by itself stays unknown. */
  revocation: RevocationPort | undefined
  /** Undefined where the operator has no scanner. */
  malware: MalwarePort | undefined
  /** Undefined where the provider has no signing service: then nothing is signed in place. */
  remoteSigning: RemoteSigningPort | undefined
  /** Undefined where no timestamp authority is set: then nothing is signed in place either, because level B-T requires one. */
  timestamps: TimestampPort | undefined
  webhooks: WebhookPort
  /** Undefined where the operator uses no trusted lists. */
  trustedLists: TrustedListsPort | undefined
}

/** The OpenID provider at which the provider's staff sign in (OpenID Connect Core 1.0, Back-Channel Logout 1.0). */
export type StaffSignInPort = {
  /**
   * Returns the address to which the browser goes. `secret` is the browser's own, and the answer is bound to it; `isAgain`: the person
   * proves again who they are. Throws `StaffProviderUnreachable`.
   */
  start(secret: string, options?: { isAgain: boolean }): Promise<string>
  /** Whom an answer names; undefined if it is none for this browser. Throws `StaffProviderUnreachable`. */
  finish(secret: string, answer: string): Promise<StaffClaims | undefined>
  /** Returns what a logout token ends; undefined if it is not valid. Throws `StaffProviderUnreachable`. */
  readLogout(token: string): Promise<StaffLogout | undefined>
  /**
   * Returns the address at which the browser signs out there too (RP-Initiated Logout 1.0); null if the provider has no such address, or
   * cannot be reached.
   */
  signOutUrl(): Promise<string | null>
  /** Whether the provider can be used, by its metadata; `unsuitable` is the reason, for the operator. */
  check(): Promise<'suitable' | { unsuitable: string } | 'unreachable'>
}
/** A person of the staff, as the OpenID provider identifies them. */
export type StaffClaims = {
  /** `sub`, the id of the person at the provider. */
  subject: string
  name: string
  /** Empty for somebody in none of the groups. */
  roles: DeskRole[]
  /** `sid`. */
  providerSession: string | null
  /** Whether the sign-in was in a requested context, and as recent as requested: a provider may ignore both. */
  isInContext: boolean
  /** `auth_time`. */
  authenticatedAt: Date | null
}
export type StaffLogout = { tokenId: string; subject: string | null; providerSession: string | null }
export class StaffProviderUnreachable extends Error {}

/** One mail to one recipient. The same `id` gives the same Message-ID, so a repeated delivery can be recognised (R92). */
export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  attachment?: Attachment
}

/** A small text file attached to a mail. `name` is a constant of ours. */
export type Attachment = { name: string; type: string; content: string }

export type MailPort = {
  /** Resolves when the receiving server has accepted the mail; rejects with `DeliveryFailed`. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

/** One SMS. `id` is the deduplication key for the gateway (R92); `to` is E.164; `text` is GSM-7, one part. */
export type Sms = { id: string; to: string; text: string }

export type SmsPort = { send(sms: Sms): Promise<void> }

/** `permanent` means that repeating the delivery cannot help (for example, a refused address). */
export class DeliveryFailed extends Error {
  readonly permanent: boolean
  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

/** `unreachable` is a failure of the checker, not a refusal; nobody gets in either way (R77). */
export type BotVerdict = 'human' | 'refused' | 'unreachable'

export type BotCheckPort = {
  kind: 'altcha' | 'turnstile' | 'hcaptcha' | 'recaptcha'
  siteKey: string
  /** The external origin that the browser needs for it, for the CSP; undefined for the embedded check (R64). */
  origin: string | undefined
  /** A new challenge for an action, if the check creates its own. */
  createChallenge?: (action: string) => Promise<Record<string, unknown>>
  /**
   * Judges a proof for our host and the given action. The caller stores `nonce` for `expiresInSeconds`, in the
   * database that all nodes share, so that a proof counts only once.
   */
  verify(
    proof: string,
    context: { action: string; address: string },
  ): Promise<{ verdict: BotVerdict; nonce: string; expiresInSeconds: number }>
}

export type CountryPort = {
  /** The country of an address in the form `1;PL`, where 1 means success (PHO-2); undefined when no service is set or it failed. */
  lookUp(address: string): Promise<string | undefined>
}

/** The provider's timestamp accounts, by the provider's own ids; only their server stores a password (TSP-3). */
export type TimestampAccountsPort = {
  /** `changed`: the timestamp server uses the new password; `refused`: not possible for this account; `unreachable`: try later. */
  setPassword(account: string, password: string): Promise<'changed' | 'refused' | 'unreachable'>
}

/** A PDF that a customer has signed, and what it is compared with. Files are opened only when they are read. */
export type VerificationRequest = {
  file: () => Promise<{ content: Readable; bytes: number }>
  /** Fingerprints of the issued document, so that it need not be opened. */
  forms: KnownForm[]
  /** The encrypted document of the case, and its access code. */
  openIssued: () => Promise<{ content: Readable; bytes: number }>
  accessCode: string
  /** The person who must sign, as a certificate names them: `PNOPL-44051401458`. */
  signer: string
  receivedAt: Date
}

/** Result of a verification. Only a readable PDF has a report. */
export type Verification =
  | { readable: true; report: UploadReport }
  | { readable: false; reason: 'damaged' | 'encrypted' | 'too-costly' }

export type VerificationPort = {
  /** Judges a signed PDF; `busy` if too many wait, `unreachable` if the validator does not answer. */
  verify(request: VerificationRequest): Promise<Verification | 'busy' | 'unreachable'>
}

/** Certificates of authorities; `intermediates` are trusted only by their issuers. */
export type TrustedAuthorities = Pick<ValidationPolicy, 'anchors' | 'intermediates'>

/** Evidence about certificates. */
export type CollectedEvidence = {
  data: ValidationData
  /** Whether all of them are known to have been good at the times that are asked about. */
  isComplete: boolean
}

export type RevocationPort = {
  /**
   * Asks the authorities about certificates and their issuers (OCSP, then revocation lists), but only on paths to an anchor that
   * the operator trusts. `now` is the database's time. Returns what is valid now; never rejects.
   */
  collectEvidence(chains: readonly CertificateChain[], now: Date): Promise<CollectedEvidence>
}

/** Source of the trusted lists (ETSI TS 119 612). */
export type TrustedListsPort = {
  /** The address of the list of lists. */
  url: string
  /** Certificates in DER; the list of lists is signed with one of them. */
  certificates: readonly Uint8Array[]
  /** The countries whose lists are used, by the codes of the lists; all if empty. */
  countries: readonly string[]
  /** A list; `fault`: why not, without an address. */
  fetch(url: string): Promise<{ bytes: Uint8Array } | { fault: string }>
  /** Tells the operator what is wrong with a list, and what to do. */
  report: (problem: string) => void
}

export type MalwarePort = {
  /** `unreachable` lets no file in (R50). */
  scan(content: Readable): Promise<'clean' | 'infected' | 'unreachable'>
}

/** Authorisation that the customer gives the signing service for the signatures of one order, in addition to the portal's own SMS code. */
export type SigningAuthorisation =
  /** No authorisation: the service relies on the portal. */
  | { kind: 'none' }
  /** No authorisation here: the service asks the customer by its own means, for example in its app, while `sign` waits (SGN-4). */
  | { kind: 'elsewhere' }
  /** OTP, PIN or both; an OTP is sent by the service (`sendOtp`) or generated by the customer's device. */
  | { kind: 'codes'; otp: 'none' | 'sent' | 'generated'; pin: boolean }
  /** The customer authorises at the service's own page and returns with a code. */
  | { kind: 'redirect' }

/** A key at a signing service that a customer signs with. Certificates are DER; the chain leads from the issuer upwards. */
export type SigningCredential = {
  id: string
  certificate: Uint8Array
  chain: Uint8Array[]
  authorisation: SigningAuthorisation
  algorithm: SigningAlgorithm
  /** Number of signatures that one authorisation covers. */
  mostSignatures: number
}

export type SigningOrder = {
  credential: SigningCredential
  /** At most `mostSignatures` hashes, made with the digest of the credential's algorithm: for CMS, of the signed attributes. */
  hashes: readonly Uint8Array[]
  /** Description of the signed content, without personal data. */
  description: string
}

/** The way to the service's own page and back (RFC 6749 §4.1, RFC 7636). Its secrets are stored with the signing. */
export type SigningRedirect = {
  /** Unguessable; the service returns it unchanged, so the return is accepted for this signing only. */
  state: string
  /** 43 to 128 unreserved characters; the service gets its SHA-256 first. */
  codeVerifier: string
  /** Registered at the service; the same for both calls. */
  returnTo: URL
}

/** Proof that authorises the signatures of one order. */
export type SigningProof =
  | { otp?: string; pin?: string }
  /** Code from the parameter `code` of the return, which is used once. */
  | (Omit<SigningRedirect, 'state'> & { code: string })

/**
 * Remote signing: sends hashes and returns raw signatures (RSA, or ECDSA as in RFC 3279), which the caller must verify.
 * `refused`: not possible like this; `unreachable`: the service may or may not have signed.
 */
export type RemoteSigningPort = {
  /** Whether the service can be used at all; `unsuitable` is the reason, for the operator. */
  check(): Promise<'suitable' | { unsuitable: string } | 'unreachable'>
  /** The credentials that can sign now, of a customer given by the provider's own id. */
  listCredentials(customer: string): Promise<SigningCredential[] | 'unreachable'>
  /** Lets the service send its OTP; for credentials with `otp: 'sent'`. */
  sendOtp(credential: SigningCredential): Promise<'sent' | 'refused' | 'unreachable'>
  /** Returns the page where the customer authorises exactly these signatures; for credentials with `redirect`. */
  createAuthorisationPage(order: SigningOrder & SigningRedirect & { locale: Locale }): Promise<URL | 'unreachable'>
  /** One signature for each hash, in their order. */
  sign(
    order: SigningOrder & { proof: SigningProof },
  ): Promise<{ signatures: Uint8Array<ArrayBuffer>[] } | 'otp-wrong' | 'pin-wrong' | 'refused' | 'unreachable'>
}

/** Order to activate a signing app for a certificate, as the provider knows the certificate. */
export type ActivationOrder = {
  /** The same over all attempts: the service answers repetitions alike. */
  request: string
  /** The provider's own id of the customer, null for one whom no PUT has named yet; and the portal's. */
  customer: string | null
  account: string
  for: { signature: string } | { seal: string; user: string }
  /** Base64 of its DER. */
  certificate: string
  /** The customer's language. */
  locale: Locale
}

/** Fault of the service in the log; about nobody. */
export type ActivationFault =
  | 'it refuses the token'
  | 'its answer is not content as in docs/guides/provider.md'
  | 'its content has expired already, or stays for more than 90 days'
  | 'its content was shown before'

/**
 * Maker of the content that a signing app scans (APP-1), as `by` says: the provider by its API; its signing service, which is asked; or the
 * portal itself, which hands its secrets over encrypted to the provider's key.
 */
export type AppActivationPort =
  | { by: 'provider' }
  | {
      by: 'service'
      /** `accepted`: the service will give the content by the provider API; `refused`: repeating would not help. */
      request(order: ActivationOrder): Promise<ActivationContent | 'accepted' | 'refused' | 'unreachable'>
      /** Tells the operator what is wrong with the service. */
      report: (fault: ActivationFault) => void
    }
  | {
      by: 'portal'
      /** A JWE that only the provider can decrypt. */
      encryptSecret(content: object): string
    }

/** A customer's request for another status of a certificate, as the provider knows the certificate. */
export type CertificateStatusOrder = {
  /** The same over all attempts: the authority carries it out once, and answers repetitions alike. */
  request: string
  change: StatusChange
  /** Null for the end of a suspension. */
  reason: StatusReason | null
  requestedAt: string
  for: { signature: string } | { seal: string }
  /** Base64 of its DER. */
  certificate: string
}

/** The provider's certificate authority, which alone decides about the status of a certificate (decision 0118). */
export type CertificateStatusPort = {
  /**
   * `done`: the certificate has the status, and the authority's responder reports it; `accepted`: the provider decides, and reports by the
   * provider API; `refused`: repeating would not help.
   */
  change(order: CertificateStatusOrder): Promise<'done' | 'accepted' | 'refused' | 'unreachable'>
}

/** A receiver of the provider. Resolves when it has accepted the body; rejects with `DeliveryFailed`. */
export type WebhookPort = {
  /** `name`: what the operator calls the webhook. */
  post(call: { name: string; url: URL; headers: { [name: string]: string }; body: string }): Promise<void>
}

export type TimestampPort = {
  /** A timestamp token (RFC 3161, DER) over a SHA-256 digest. */
  stamp(digest: Uint8Array): Promise<Uint8Array | 'unreachable'>
}

/** Storage of documents. We generate the keys: `agreements/<uuid>`; never a name from outside (R49). */
export type DocumentStore = {
  /**
   * Stores the whole content or nothing; returns its size and SHA-256 (hex). Rejects with `DocumentTooLarge` beyond `maxBytes`,
   * with `StorageFull` before anything is read, and with `StorageUnreachable`, as the other calls do.
   * A piece is no longer used when the next one is requested.
   */
  write(key: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<{ bytes: number; sha256: string }>
  /** Opens a document; undefined if it does not exist. */
  read(key: string): Promise<{ content: Readable; bytes: number } | undefined>
  /** Removes a document. Within a transaction it gets `tx`, so that rows of the store in the database are removed with it (R114). */
  remove(key: string, tx?: Transaction<unknown>): Promise<void>
  /** Removes the unfinished files of a killed process (R53, R87). */
  removeUnfinished(): Promise<void>
}

export const alarmNames = [
  'sign-in-spraying',
  'client-key-guessing',
  'sms-foreign-number',
  'sms-range-spent',
  'document-damaged',
  'storage-full',
  'case-status-unknown',
  'agreement-unsigned',
  'status-request-overdue',
  'validation-data-missing',
  'webhook-given-up',
  'trusted-list-expired',
  'pdf-process-unconfined',
  'staff-reads-many',
  'staff-makes-many-codes',
  'client-key-at-desk',
] as const

/**
 * Alarm that the operator should look at now. `about` names a network, a country, a list, a number range, a file, the store, a protection
 * or a system of the provider, or the `sub` of a member of its staff, and no other person (R86).
 */
export type Alarm = { name: (typeof alarmNames)[number]; about: string }

export type AlarmPort = { raise(alarm: Alarm): void }

export class DocumentTooLarge extends Error {}

/** The document would leave too little space, or no space was left (R50). */
export class StorageFull extends Error {}

/** The store does not answer, or not correctly; nothing was stored and nothing was lost. */
export class StorageUnreachable extends Error {}

/** The store answers that it does not allow a call, which lasts until an operator changes the key or its rights. */
export class StorageRefused extends StorageUnreachable {}

/** Throws unless the key is one that we generate: any other is a bug and is refused before the store is used (R49). */
export function requireKey(key: string): string {
  if (!/^[a-z-]+\/[0-9a-f-]{36}$/.test(key)) throw new Error('not a key of a document')
  return key
}
