import type { FastifyInstance } from 'fastify'
import type { RawBuilder } from 'kysely'
import type { ActivityObjectKind } from '../../contract/activity-object.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Feature } from '../../contract/features.ts'
import type { StepUpPurpose } from '../../contract/step-up-purpose.ts'
import type { Refusal } from './api-error.ts'
import type { AuditEntry } from './audit/audit-entry.ts'
import type { Db, Tx } from './database/database.ts'
import type { Keys } from './encryption/keys.ts'
import type { ExportedList } from './exported-data.ts'
import type { CalendarOwner, OwnEnd } from './messages/calendar-file.ts'
import type { Channel, Messages } from './messages/message.ts'
import type { PdfWork } from './pdf/pdf-work.ts'
import type { Ports, SigningCredential } from './ports.ts'
import type { Settings } from './settings.ts'

/** The functions that hash and check passwords, implemented by `authentication/password-hash.ts`. */
export type PasswordHasher = {
  /** Throws `HashingBusy` if the queue is full, before the request costs the database anything. */
  requireCapacity(): void
  /** Returns the encoded hash (PHC string) of the password after NFKC. Throws `HashingBusy` if the queue is full. */
  hash(password: string): Promise<string>
  /** Checks whether the password matches the hash. Without a hash it takes as long and returns false (AUT-3, R15). */
  verify(encoded: string | null, password: string): Promise<boolean>
  /** Checks whether a hash has another cost than today's, so that the next sign-in replaces it. */
  isOutdated(encoded: string): boolean
  close(): Promise<void>
}

/** What every feature is given. */
export type Portal = {
  db: Db
  ports: Ports
  keys: Keys
  hasher: PasswordHasher
  pdfWork: PdfWork
  settings: Settings
  /** All features of the portal, for code that works on behalf of each. */
  features: readonly ServerFeature[]
}

/** A function that adds a call of the contract to the application. */
export type Handler<P extends Portal = Portal> = (app: FastifyInstance, portal: P) => void

/**
 * Parts that a feature adds to the portal. server/features.ts lists the features; HTTP, the outbox, jobs, step-up, the copy of all data,
 * erasure and the calendar take their parts from here, so that nothing else needs to know which features there are.
 */
export type ServerFeature = {
  /** Calls of the contract that the feature handles, of customers and of the provider. */
  calls: readonly Handler[]
  /** The functions that deliver the messages that the feature queues for itself, by channel. */
  deliver?: { [C in Channel]?: (portal: Portal, message: Messages[C]) => Promise<void> }
  /** The query for each step-up purpose of the feature, which has a row if the customer owns the object `id`. */
  stepUpObjects?: { [P in StepUpPurpose]?: (accountId: string, id: string) => RawBuilder<unknown> }
  /** The feature's objects in the history of a customer (AUT-12), by their kinds. */
  historyObjects?: { [K in ActivityObjectKind]?: HistoryObject }
  jobs?: readonly PortalJob[]
  /** Removes what has expired; every ten minutes, on every node. */
  tidy?: (portal: Portal) => Promise<unknown>
  /** Lists of the feature in the copy of all data (DAT-6). */
  exportData?: readonly ExportedList[]
  erasure?: ErasureRules
  /** Ends of a customer’s objects, for their calendar (CAL-2); none while the feature is off. */
  ends?: { feature: Feature; list: (portal: Portal, owner: CalendarOwner) => Promise<OwnEnd[]> }
  /** Object that is signed at a signing service that asks the customer for more than the portal's code. */
  signing?: SignedObject
  /** Sends an invitation again whose link was lost; false if the account `id` is not one that waits for it. */
  resendInvitation?: (tx: Tx, portal: Portal, id: string) => Promise<boolean>
}

/** A kind of object that audit entries are about, as the history finds it. */
export type HistoryObject = {
  /** The details of an entry that name such an object. */
  details: readonly string[]
  /**
   * Returns a query by key of the object as JSON, if the customer owns it or may see it: `id`, and `name` or `encryptedName` (base64); for
   * others than the customer's own plain objects the further fields of `ActivityObject`. `idIn(detail)` is the id in a detail of the entry.
   */
  find: (accountId: string, idIn: (detail: string) => RawBuilder<unknown>) => RawBuilder<unknown>
  decryptName?: (keys: Keys, id: string, encrypted: Buffer) => string
}

/** What is signed: the document of a case, the agreement of a renewal, or files that stay in the browser. */
export type ObjectToSign = {
  /** The kind, as audit entries name it. */
  kind: 'documentCase' | 'renewal' | 'fileSigning'
  id: string
}

export type SigningSubject = {
  owner: string
  object: ObjectToSign
  /** The signature whose certificate signs; null if that of a seal does, which the signing of files names. */
  signatureId: string | null
  /** The time that the signature claims. */
  claimedAt: Date
}

/** A signature as it would be made now. */
export type ReadyToSign = {
  /** The signed attributes of each file (CMS). */
  attributes: Uint8Array<ArrayBuffer>[]
  credential: SigningCredential
  /** The SHA-256 of everything that the portal's code was for (R33). */
  binding: string
  /** The text for the service, without personal data. */
  description: string
  /** The signatures that the service has made for an earlier request, which did not get the timestamps: it is not asked again. */
  signatures?: readonly Uint8Array[] | undefined
  /** Stores what was signed, with its timestamps; nothing if their authority is `unreachable`. */
  store: (signed: Signed) => Promise<'unreachable' | void>
}

/** One transaction of a customer's call, with its audit entries. */
export type AuditedTransaction = <T>(
  change: (tx: Tx, audit: (action: AuditAction, details?: AuditEntry['details']) => Promise<void>) => Promise<T>,
) => Promise<T>

export type SignedObject = {
  kind: ObjectToSign['kind']
  prepare: (portal: Portal, subject: SigningSubject) => Promise<ReadyToSign | Refusal>
}

export type Signed = {
  /** The signatures of the attributes, in their order. */
  signatures: readonly Uint8Array[]
  at: Date
  transaction: AuditedTransaction
  /** Ends the signing, in the transaction that stores the signatures; throws if another request was first. */
  end: (tx: Tx) => Promise<void>
}

/** The work of a feature that every node does again and again. */
export type PortalJob = {
  name: string
  everySeconds: number
  runsAtStart?: true
  /** Does the work once. What fails for one object goes to `report`, and is retried by the next run. */
  run: (portal: Portal, report: (error: unknown) => void) => Promise<unknown>
}

/** The rules for the rows of a feature in the erasure of an account, whose id all are given (R87, GDPR article 17). */
export type ErasureRules = {
  /** Returns conditions under which a service still runs, for which the data is needed (article 17(1)(a)). */
  inUse?: (id: string) => readonly RawBuilder<boolean>[]
  /** Returns conditions under which there is evidence that a provider must keep by law. */
  evidenceConditions?: (id: string) => readonly RawBuilder<boolean>[]
  /** Returns queries for the keys of the files that go at once, and of those that are kept as evidence. */
  files?: (id: string) => { removed?: RawBuilder<unknown>; kept?: RawBuilder<unknown> }
  /** Returns statements, in order, that delete rows which are neither names nor evidence. */
  remove?: (id: string) => readonly RawBuilder<unknown>[]
  /** Anonymises rows for which a single statement is not enough. */
  anonymise?: (tx: Tx, keys: Keys, id: string) => Promise<void>
  /** Returns statements that remove the evidence at the end of its time, before the account goes. */
  removeEvidence?: (id: string) => readonly RawBuilder<unknown>[]
}
