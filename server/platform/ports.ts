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
 * The external systems that the portal uses. The adapters are in `server/adapters`; only `run-portal.ts`, the demonstration and
 * tests choose them. Time is the database's: `portal_now()` (R24, R94), which a test can set.
 */
export type Ports = {
  mail: MailPort
  sms: SmsPort
  botCheck: BotCheckPort
  country: CountryPort
  documents: DocumentStore
  alarms: AlarmPort
  /** The service that changes passwords of timestamp accounts; undefined where none is configured. */
  timestampAccounts: TimestampAccountsPort | undefined
  appActivation: AppActivationPort
  /** The interface of the provider's authority; undefined where it has none: then the provider reports every change of a status. */
  certificateStatus: CertificateStatusPort | undefined
  verification: VerificationPort
  /** Reads the authorities that the portal trusts, each time anew; undefined where the operator configures none. */
  trust: (() => Promise<TrustedAuthorities>) | undefined
  /** The source of revocation data; undefined where nothing is fetched: then what a file does not prove by itself stays unknown. */
  revocation: RevocationPort | undefined
  /** The virus scanner; undefined where the operator has none. */
  malware: MalwarePort | undefined
  /** The provider's signing service; undefined where there is none: then nothing is signed in the portal. */
  remoteSigning: RemoteSigningPort | undefined
  /** The timestamp authority; undefined where none is set: then nothing is signed in the portal either, because level B-T requires one. */
  timestamps: TimestampPort | undefined
  webhooks: WebhookPort
  /** The source of the trusted lists; undefined where the operator uses none. */
  trustedLists: TrustedListsPort | undefined
}

/** The OpenID provider at which the provider's staff sign in (OpenID Connect Core 1.0, Back-Channel Logout 1.0). */
export type StaffSignInPort = {
  /**
   * Returns the address to which the browser goes. `secret` is the browser's own, and the answer is bound to it; `isAgain`: the person
   * proves again who they are. Throws `StaffProviderUnreachable`.
   */
  start(secret: string, options?: { isAgain: boolean }): Promise<string>
  /** Returns the person whom an answer names; undefined if the answer is not for this browser. Throws `StaffProviderUnreachable`. */
  finish(secret: string, answer: string): Promise<StaffClaims | undefined>
  /** Returns what a logout token ends; undefined if it is not valid. Throws `StaffProviderUnreachable`. */
  readLogout(token: string): Promise<StaffLogout | undefined>
  /**
   * Returns the address at which the browser signs out there too (RP-Initiated Logout 1.0); null if the provider has no such address, or
   * cannot be reached.
   */
  signOutUrl(): Promise<string | null>
  /** Checks by its metadata whether the provider can be used; `unsuitable` is the reason why not, for the operator. */
  check(): Promise<'suitable' | { unsuitable: string } | 'unreachable'>
}
/** A person of the staff, as the OpenID provider identifies them. */
export type StaffClaims = {
  /** The id of the person at the provider (`sub`). */
  subject: string
  name: string
  /** The roles at the desk, by the groups of the person; empty for somebody in none of the groups. */
  roles: DeskRole[]
  /** The id of the session at the provider (`sid`). */
  providerSession: string | null
  /** Whether the sign-in was in a requested context, and as recent as requested: a provider may ignore both. */
  isInContext: boolean
  /** The time when the person last proved who they are (`auth_time`). */
  authenticatedAt: Date | null
}
export type StaffLogout = { tokenId: string; subject: string | null; providerSession: string | null }
export class StaffProviderUnreachable extends Error {}

/** One mail to one recipient. */
export type Mail = {
  /** The id over all attempts, which becomes the Message-ID, so a repeated delivery can be recognised (R92). */
  id: string
  to: string
  subject: string
  text: string
  html: string
  attachment?: Attachment
}

/** A small text file attached to a mail. */
export type Attachment = {
  /** The name of the file, which is a constant of ours. */
  name: string
  type: string
  content: string
}

export type MailPort = {
  /** Resolves when the receiving server has accepted the mail; rejects with `DeliveryFailed`. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

/** One SMS to one recipient. */
export type Sms = {
  /** The id over all attempts, by which the gateway recognises a repetition (R92). */
  id: string
  /** The recipient's number in the form of E.164. */
  to: string
  /** The text in GSM-7, which fits in one part. */
  text: string
}

export type SmsPort = { send(sms: Sms): Promise<void> }

/** The error of a delivery that was not accepted. */
export class DeliveryFailed extends Error {
  /** Whether repeating the delivery cannot help, for example because the address is refused. */
  readonly isPermanent: boolean
  constructor(message: string, permanent: boolean) {
    super(message)
    this.isPermanent = permanent
  }
}

/** The result of a bot check. `unreachable` is a failure of the checker, not a refusal; nobody gets in either way (R77). */
export type BotVerdict = 'human' | 'refused' | 'unreachable'

export type BotCheckPort = {
  kind: 'altcha' | 'turnstile' | 'hcaptcha' | 'recaptcha'
  siteKey: string
  /** The external origin that the browser needs for the check, for the CSP; undefined for the embedded check (R64). */
  origin: string | undefined
  /** Creates a challenge for an action; undefined if the browser gets challenges elsewhere. */
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
  /** Finds the country of an address, in the form `1;PL`, where 1 means success; undefined if no service is set or it failed (PHO-2). */
  lookUp(address: string): Promise<string | undefined>
}

/** The provider's server of timestamp accounts, which alone stores their passwords (TSP-3). */
export type TimestampAccountsPort = {
  /**
   * Sets the password of an account, given by the provider's own id. `changed`: the timestamp server uses the new password; `refused`: not
   * possible for this account; `unreachable`: try later.
   */
  setPassword(account: string, password: string): Promise<'changed' | 'refused' | 'unreachable'>
}

/** A PDF that a customer has signed, and what it is compared with. */
export type VerificationRequest = {
  /** Opens the signed PDF, when it is read. */
  file: () => Promise<{ content: Readable; bytes: number }>
  /** Fingerprints of the issued document, so that it need not be opened. */
  forms: KnownForm[]
  /** Opens the encrypted document of the case, when it is read. */
  openIssued: () => Promise<{ content: Readable; bytes: number }>
  /** The access code that decrypts the document of the case. */
  accessCode: string
  /** The person who must sign, as a certificate names them: `PNOPL-44051401458`. */
  signer: string
  receivedAt: Date
}

/** The result of a verification: a report, if the PDF is readable. */
export type Verification =
  | { readable: true; report: UploadReport }
  | { readable: false; reason: 'damaged' | 'encrypted' | 'too-costly' }

export type VerificationPort = {
  /** Judges a signed PDF; `busy` if too many wait, `unreachable` if the validator does not answer. */
  verify(request: VerificationRequest): Promise<Verification | 'busy' | 'unreachable'>
}

/** Certificates of authorities; `intermediates` are trusted only by their issuers. */
export type TrustedAuthorities = Pick<ValidationPolicy, 'anchors' | 'intermediates'>

/** The evidence about certificates. */
export type CollectedEvidence = {
  data: ValidationData
  /** Whether all certificates are known to have been good at the times that are asked about. */
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
  /** The certificates in DER of which one signs the list of lists. */
  certificates: readonly Uint8Array[]
  /** The countries whose lists are used, by the codes of the lists; all if empty. */
  countries: readonly string[]
  /** Fetches a list; `fault` says why that failed, without an address. */
  fetch(url: string): Promise<{ bytes: Uint8Array } | { fault: string }>
  /** Tells the operator what is wrong with a list, and what to do. */
  report: (problem: string) => void
}

export type MalwarePort = {
  /** Scans a file for malware. After `unreachable` the file is refused too (R50). */
  scan(content: Readable): Promise<'clean' | 'infected' | 'unreachable'>
}

/** Authorisation that the customer gives the signing service for the signatures of one order, in addition to the portal's own SMS code. */
export type SigningAuthorisation =
  /** The authorisation by the portal alone, on which the service relies. */
  | { kind: 'none' }
  /** An authorisation outside of the portal, for example in the service's app, which the service asks for while `sign` waits (SGN-4). */
  | { kind: 'elsewhere' }
  /** OTP, PIN or both; an OTP is sent by the service (`sendOtp`) or generated by the customer's device. */
  | { kind: 'codes'; otp: 'none' | 'sent' | 'generated'; pin: boolean }
  /** An authorisation at the service's own page, from which the customer returns with a code. */
  | { kind: 'redirect' }

/** A key at a signing service that a customer signs with. */
export type SigningCredential = {
  id: string
  /** The certificate in DER. */
  certificate: Uint8Array
  /** The certificates of the authorities in DER, from the issuer upwards. */
  chain: Uint8Array[]
  authorisation: SigningAuthorisation
  algorithm: SigningAlgorithm
  /** Number of signatures that one authorisation covers. */
  mostSignatures: number
}

export type SigningOrder = {
  credential: SigningCredential
  /** The hashes to sign, at most `mostSignatures`, made with the digest of the credential's algorithm: for CMS, of the signed attributes. */
  hashes: readonly Uint8Array[]
  /** Description of the signed content, without personal data. */
  description: string
}

/** The way to the service's own page and back (RFC 6749 §4.1, RFC 7636). Its secrets are stored with the signing. */
export type SigningRedirect = {
  /** A secret that the service returns unchanged, so the return is accepted for this signing only. */
  state: string
  /** A secret of 43 to 128 unreserved characters, of which the service gets the SHA-256 first. */
  codeVerifier: string
  /** The address to which the customer returns, registered at the service; the same for both calls. */
  returnTo: URL
}

/** Proof that authorises the signatures of one order. */
export type SigningProof =
  | { otp?: string; pin?: string }
  /** The code from the parameter `code` of the return, which is used once. */
  | (Omit<SigningRedirect, 'state'> & { code: string })

/** The signing service, which has the keys of customers and signs hashes with them. */
export type RemoteSigningPort = {
  /** Checks whether the service can be used at all; `unsuitable` is the reason why not, for the operator. */
  check(): Promise<'suitable' | { unsuitable: string } | 'unreachable'>
  /** Lists the credentials that can sign now, of a customer given by the provider's own id. */
  listCredentials(customer: string): Promise<SigningCredential[] | 'unreachable'>
  /** Lets the service send its OTP; for credentials with `otp: 'sent'`. */
  sendOtp(credential: SigningCredential): Promise<'sent' | 'refused' | 'unreachable'>
  /** Returns the page where the customer authorises exactly these signatures; for credentials with `redirect`. */
  createAuthorisationPage(order: SigningOrder & SigningRedirect & { locale: Locale }): Promise<URL | 'unreachable'>
  /**
   * Returns the raw signature of each hash in their order (RSA, or ECDSA as in RFC 3279), which the caller must verify. `refused`: not
   * possible like this; `unreachable`: the service may or may not have signed.
   */
  sign(
    order: SigningOrder & { proof: SigningProof },
  ): Promise<{ signatures: Uint8Array<ArrayBuffer>[] } | 'otp-wrong' | 'pin-wrong' | 'refused' | 'unreachable'>
}

/** Order to activate a signing app for a certificate, as the provider knows the certificate. */
export type ActivationOrder = {
  /** The id over all attempts: the service answers repetitions alike. */
  request: string
  /** The provider's own id of the customer; null for one whom no PUT has named yet. */
  customer: string | null
  /** The portal's id of the customer. */
  account: string
  for: { signature: string } | { seal: string; user: string }
  /** The certificate, as base64 of its DER. */
  certificate: string
  /** The customer's language. */
  locale: Locale
}

/** A fault of the service, as the log has it: it names no customer. */
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
      /** Requests the content. `accepted`: the service will give it by the provider API; `refused`: repeating would not help. */
      request(order: ActivationOrder): Promise<ActivationContent | 'accepted' | 'refused' | 'unreachable'>
      /** Tells the operator what is wrong with the service. */
      report: (fault: ActivationFault) => void
    }
  | {
      by: 'portal'
      /** Returns a JWE of the content that only the provider can decrypt. */
      encryptSecret(content: object): string
    }

/** A customer's request for another status of a certificate, as the provider knows the certificate. */
export type CertificateStatusOrder = {
  /** The id over all attempts: the authority carries the order out once, and answers repetitions alike. */
  request: string
  change: StatusChange
  /** The reason of the change; null for the end of a suspension. */
  reason: StatusReason | null
  requestedAt: string
  for: { signature: string } | { seal: string }
  /** The certificate, as base64 of its DER. */
  certificate: string
}

/** The provider's certificate authority, which alone decides about the status of a certificate (decision 0118). */
export type CertificateStatusPort = {
  /**
   * Changes the status of a certificate. `done`: the certificate has the status, and the authority's responder reports it; `accepted`: the
   * provider decides, and reports by the provider API; `refused`: repeating would not help.
   */
  change(order: CertificateStatusOrder): Promise<'done' | 'accepted' | 'refused' | 'unreachable'>
}

/** The way to the receivers of the provider's webhooks. */
export type WebhookPort = {
  /** Resolves when the receiver has accepted the body; rejects with `DeliveryFailed`. `name`: what the operator calls the webhook. */
  post(call: { name: string; url: URL; headers: { [name: string]: string }; body: string }): Promise<void>
}

export type TimestampPort = {
  /** Returns a timestamp token over a SHA-256 digest (RFC 3161), in DER. */
  stamp(digest: Uint8Array): Promise<Uint8Array | 'unreachable'>
}

/** The storage of documents, by keys that we generate: `agreements/<uuid>`, never a name from outside (R49). */
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

/** An alarm that the operator should look at now. */
export type Alarm = {
  name: (typeof alarmNames)[number]
  /**
   * The name of a network, a country, a list, a number range, a file, the store, a protection or a system of the provider, or the `sub` of a
   * member of its staff, and of no other person (R86).
   */
  about: string
}

export type AlarmPort = { raise(alarm: Alarm): void }

export class DocumentTooLarge extends Error {}

/** The error of a document that would leave too little space, or for which no space was left (R50). */
export class StorageFull extends Error {}

/** The error of a store that does not answer, or not correctly; nothing was stored and nothing was lost. */
export class StorageUnreachable extends Error {}

/** The error of a store that does not allow a call, which lasts until an operator changes the key or its rights. */
export class StorageRefused extends StorageUnreachable {}

/** Throws unless the key is one that we generate: any other is a bug and is refused before the store is used (R49). */
export function requireKey(key: string): string {
  if (!/^[a-z-]+\/[0-9a-f-]{36}$/.test(key)) throw new Error('not a key of a document')
  return key
}
