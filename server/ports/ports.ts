import type { Readable } from 'node:stream'
import type { UploadReport } from '../../contract/document-report.ts'
import type { CertificateChain, KnownForm } from '../../pki/pades-report.ts'
import type { ValidationData } from '../../pki/pades-validation-data.ts'
import type { Tx } from '../db.ts'

/**
 * Every outside thing the portal talks to, on one screen. Adapters stand beside this file; only `main.ts`, the
 * demonstration and tests choose them. Time is the database's: `portal_now()` (R24, R94), which a test can set.
 */
export type Ports = {
  mail: MailPort
  sms: SmsPort
  botCheck: BotCheckPort
  country: CountryPort
  documents: DocumentStore
  alarms: AlarmPort
  /** Undefined where the provider has not said how passwords are changed. */
  timestampAccounts: TimestampAccountsPort | undefined
  verification: VerificationPort
  /** Undefined where nothing is to be fetched: then what a file does not prove by itself stays unknown. */
  revocation: RevocationPort | undefined
  /** Undefined where the operator has no scanner. */
  malware: MalwarePort | undefined
  /** Undefined where the provider has no signing service: then nothing is signed in place. */
  remoteSigning: RemoteSigningPort | undefined
  /** Undefined where no timestamp authority is set: then nothing is signed in place either, for level B-T needs one. */
  timestamps: TimestampPort | undefined
  webhooks: WebhookPort
}

/** One mail to one recipient. The same `id` gives the same Message-ID, so a repeated delivery can be recognised (R92). */
export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  attachment?: Attachment
}

/** A small text file that comes with a mail. `name` is ours: nobody typed it. */
export type Attachment = { name: string; type: string; content: string }

export type MailPort = {
  /** Resolves when the receiving server has taken the mail; rejects with `DeliveryFailed`. */
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

/** One SMS. `id` is the deduplication key for the gateway (R92); `to` is E.164; `text` is GSM-7, one part. */
export type Sms = { id: string; to: string; text: string }

export type SmsPort = { send(sms: Sms): Promise<void> }

/** A delivery that did not happen. `permanent` means that repeating it cannot help (an address refused, say). */
export class DeliveryFailed extends Error {
  readonly permanent: boolean
  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

/** `unreachable` is the checker's fault and is told apart from a refusal, but lets nobody in either (R77). */
export type BotVerdict = 'human' | 'refused' | 'unreachable'

export type BotCheckPort = {
  kind: 'altcha' | 'turnstile' | 'hcaptcha' | 'recaptcha'
  siteKey: string
  /** The one outside origin that the browser needs for it, for the CSP; undefined for the embedded one (R64). */
  origin: string | undefined
  /** A new challenge for one action, where the check makes its own. */
  challenge?: (action: string) => Promise<Record<string, unknown>>
  /**
   * Judges a proof for our host and the given action. `expiresInSeconds` bounds how long the caller must remember
   * `nonce`, by which a proof counts only once; the caller keeps that memory, since it is shared by nodes.
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

/** The provider's timestamp accounts, by the provider's own ids; nothing but their server keeps a password (TSP-3). */
export type TimestampAccountsPort = {
  /** `changed` once the password counts on the timestamp server; `refused`: never for this account; `unreachable`: not now. */
  setPassword(account: string, password: string): Promise<'changed' | 'refused' | 'unreachable'>
}

/** A PDF that a customer has signed, and what it is held against. Files are opened when their turn has come. */
export type VerificationRequest = {
  file: () => Promise<{ content: Readable; bytes: number }>
  /** By what the issued document is known, so that it need not be opened. */
  forms: KnownForm[]
  /** The encrypted document of the case, and what opens it. */
  issued: () => Promise<{ content: Readable; bytes: number }>
  accessCode: string
  /** Who is to sign, as a certificate names them: `PNOPL-44051401458`. */
  signer: string
  receivedAt: Date
}

/** A file that is no PDF that can be read has no report. */
export type Verification =
  | { readable: true; report: UploadReport }
  | { readable: false; why: 'damaged' | 'encrypted' | 'too-costly' }

export type VerificationPort = {
  /** Judges a signed PDF; `busy` when too many wait, `unreachable` when the judge does not answer. */
  verify(request: VerificationRequest): Promise<Verification | 'busy' | 'unreachable'>
}

/** What certificates are known by. `isComplete`: every one of them is known to be good. */
export type RevocationEvidence = { data: ValidationData; isComplete: boolean }

export type RevocationPort = {
  /**
   * Asks the authorities about certificates and those above them (OCSP, then revocation lists), but only where a path leads to
   * somebody whom the operator believes. `now` is the database's time. Gives what counts now; never rejects.
   */
  evidenceOf(chains: readonly CertificateChain[], now: Date): Promise<RevocationEvidence>
}

export type MalwarePort = {
  /** `unreachable` lets no file in (R50). */
  scan(content: Readable): Promise<'clean' | 'infected' | 'unreachable'>
}

/** A key at a signing service that a customer signs with. Certificates are DER; the chain leads from the issuer upwards. */
export type SigningCredential = {
  id: string
  certificate: Uint8Array
  chain: Uint8Array[]
  /** Who asks for the one-time code of a signature: the portal alone, or the service too, which sends one of its own. */
  otp: 'portal' | 'service'
}

export type SigningOrder = {
  credential: SigningCredential
  /** SHA-256 of what is signed: of the signed attributes, for CMS. */
  hash: Uint8Array
  /** What is signed, in words that name nobody. */
  description: string
  /** The service's own code, where the credential wants one. */
  otp?: string
}

/**
 * Remote signing: a hash goes out, a raw signature comes back (PKCS #1 v1.5, or ECDSA as RFC 3279 writes it), which the
 * caller has verified by nobody yet. `refused`: never like this; `unreachable`: not now, and whether it signed is unknown.
 */
export type RemoteSigningPort = {
  /** The credentials of a customer, by the provider's own id of them, that can sign now. */
  credentials(customer: string): Promise<SigningCredential[] | 'unreachable'>
  /** Lets the service send its own code; for credentials with `otp: 'service'`. */
  sendOtp(credential: SigningCredential): Promise<'sent' | 'refused' | 'unreachable'>
  sign(order: SigningOrder): Promise<{ signature: Uint8Array } | 'otp-wrong' | 'refused' | 'unreachable'>
}

/** A receiver of the provider's. Resolves when it has taken the body; rejects with `DeliveryFailed`. */
export type WebhookPort = {
  post(call: { url: URL; headers: { [name: string]: string }; body: string }): Promise<void>
}

export type TimestampPort = {
  /** A timestamp token (RFC 3161, DER) over a SHA-256 digest. */
  stamp(digest: Uint8Array): Promise<Uint8Array | 'unreachable'>
}

/** Where documents are kept. Keys are made by us: `agreements/<uuid>`; never a name from outside (R49). */
export type DocumentStore = {
  /**
   * Stores the whole content or nothing; tells its size and SHA-256 (hex). Rejects with `DocumentTooLarge` beyond `maxBytes`,
   * with `StorageFull` before anything is read, and with `StorageUnreachable`, as the other calls do.
   * A piece is done with when the next one is asked for.
   */
  write(key: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<{ bytes: number; sha256: string }>
  /** Opens a document; undefined if there is none. */
  read(key: string): Promise<{ content: Readable; bytes: number } | undefined>
  /** Inside a transaction it is given that: what the store keeps in the database goes with it (R114). */
  remove(key: string, tx?: Tx): Promise<void>
  /** Removes what a killed process has left half written (R53, R87). */
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
  'validation-data-missing',
  'webhook-given-up',
  'pdf-process-unconfined',
] as const

/** What the operator should look at now. `about` is a network, a country, a range of numbers, a file, the store, a measure or a system or service of the provider's; never a person (R86). */
export type Alarm = { name: (typeof alarmNames)[number]; about: string }

export type AlarmPort = { raise(alarm: Alarm): void }

export class DocumentTooLarge extends Error {}

/** Taking the document would leave too little room, or none was left (R50). */
export class StorageFull extends Error {}

/** The store does not answer, or not as it should; nothing was kept and nothing was lost. */
export class StorageUnreachable extends Error {}

/** Keys are ours, so any other is a fault in the program and is refused before a store is touched (R49). */
export function demandKey(key: string): string {
  if (!/^[a-z-]+\/[0-9a-f-]{36}$/.test(key)) throw new Error('not a key of a document')
  return key
}
