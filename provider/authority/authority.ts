import { X509Certificate, type KeyObject } from 'node:crypto'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { wholeSeconds } from '../../pki/asn1/der.ts'
import { readPathCertificate } from '../../pki/asn1/path-certificate.ts'
import { writeOcspRequest } from '../../pki/asn1/revocation-status.ts'
import type { ValidationData } from '../../pki/pades/pades-validation-data.ts'
import {
  grantTimestamp,
  timestampSigner,
  type TimestampSigner,
  readTimestampRequest,
} from '../../pki/timestamps/timestamp-authority.ts'
import { readTimestampAnswer, writeTimestampRequest } from '../../pki/timestamps/timestamp-token.ts'
import { openFolder, type AuthorityFolder, type AuthorityRecord } from './authority-folder.ts'
import {
  makeKeys,
  makeListOperator,
  makeTimestamping,
  newSerialNumber,
  signSubscriber,
  type AuthorityKeys,
} from './authority-keys.ts'
import { organisation, timestampPolicy, type AuthorityName } from './certificate-profiles.ts'
import { answerOcsp } from './ocsp-responder.ts'
import { writeRevocationList, type Revocation, type RevocationReason } from './revocation-list.ts'
import type { CertificateOrder } from './subscriber.ts'
import { publishTrustedLists, type TrustedLists } from './trusted-lists.ts'

export type AuthorityOptions = {
  /** Created if missing. */
  directory: string
  /** The address of authority-http.ts without a trailing slash; it is part of every certificate. */
  baseUrl: string
  now: () => Date
}

/** Signer that makes electronic seals; certificates are DER, the chain without the signer's own. */
export type SealSigner = { name: string; certificate: Uint8Array; chain: Uint8Array[]; privateKey: KeyObject }

export type IssuedCertificate = { serialNumber: string; certificate: Uint8Array }

export type FinalReason = Exclude<RevocationReason, 'certificateHold'>

/** The certificate's status does not allow the change. */
export class AuthorityError extends Error {
  override name = 'AuthorityError'
}

const hourMs = 60 * 60 * 1000

/** Lists are renewed every hour and after each change; EN 319 411-2 §6.3.9 requires daily ones. */
const listLifeMs = 24 * hourMs

/** The status after each request of the portal. */
const wanted = { suspend: 'suspended', resume: 'good', revoke: 'revoked' } as const

const noRevocations: ReadonlyMap<string, Revocation> = new Map()

export async function openAuthority(options: AuthorityOptions) {
  const { directory, baseUrl, now } = options
  const folder = await openFolder(
    directory,
    () => makeKeys(baseUrl, now()),
    (issuing) => makeTimestamping(issuing, baseUrl, now()),
    () => makeListOperator(now()),
  )
  return new Authority(folder, options)
}

/** The embedded provider's certification authority. Serial numbers are hexadecimal, upper case; certificates DER. */
export class Authority {
  /** The authorities' own certificates. */
  readonly certificates: Record<AuthorityName, Uint8Array>
  /** Certificates from the issuing authority to the root. */
  readonly chain: Uint8Array[]
  /** The provider's own seal for the documents that it issues. */
  readonly seal: SealSigner
  /** Signs only timestamps. */
  readonly timestamping: TimestampSigner & { certificate: Uint8Array }

  /** The trusted lists with its services, as a scheme operator publishes them. */
  readonly trustedLists: TrustedLists

  readonly #folder: AuthorityFolder
  readonly #keys: AuthorityKeys
  readonly #baseUrl: string
  readonly #now: () => Date
  readonly #issued: Set<string>
  readonly #validity: { notBefore: Date; notAfter: Date }
  readonly #lists = new Map<AuthorityName, { der: Uint8Array; at: Date; revocations: unknown }>()
  #record: AuthorityRecord
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(folder: AuthorityFolder, { baseUrl, now }: AuthorityOptions) {
    const { root, issuing, responder, seal } = folder.keys
    this.certificates = { root: root.certificate, issuing: issuing.certificate }
    this.chain = [issuing.certificate, root.certificate]
    const { certificate: sealCertificate, privateKey } = seal
    this.seal = { name: organisation.name, certificate: sealCertificate, chain: this.chain, privateKey }
    const stamping = folder.timestamping
    const signer = timestampSigner({ policy: timestampPolicy, chain: this.chain, ...stamping })
    this.timestamping = { ...signer, certificate: stamping.certificate }
    this.trustedLists = publishTrustedLists({
      operator: folder.listOperator,
      issuing: issuing.certificate,
      timestamping: stamping.certificate,
      baseUrl,
      now,
    })
    this.#folder = folder
    this.#keys = folder.keys
    this.#baseUrl = baseUrl
    this.#now = now
    const own = [responder, seal, folder.timestamping].map(
      ({ certificate }) => readCertificate(certificate).serialNumber,
    )
    this.#issued = new Set([...folder.issued, ...own])
    this.#validity = readCertificate(issuing.certificate)
    this.#record = folder.record
  }

  /** Throws RangeError for a name that a certificate cannot hold, or a validity outside of the authority's. */
  async issue(order: CertificateOrder): Promise<IssuedCertificate> {
    const { notBefore, notAfter } = this.#validity
    if (!(notBefore <= order.notBefore && order.notBefore < order.notAfter && order.notAfter <= notAfter))
      throw new RangeError('The validity is not within that of the authority')
    const issued = signSubscriber(order, this.#keys.issuing, this.#baseUrl)
    await this.#folder.writeCertificate(issued.serialNumber, issued.certificate)
    this.#issued.add(issued.serialNumber)
    return issued
  }

  /** Finds the certificate issued for a key, so that a caller can check whether an order arrived before repeating it. */
  async findIssuedFor(publicKey: KeyObject): Promise<Uint8Array | undefined> {
    for await (const certificate of this.#folder.readCertificates())
      if (new X509Certificate(certificate).publicKey.equals(publicKey)) return certificate
    return undefined
  }

  status(serialNumber: string): 'good' | 'suspended' | 'revoked' | 'unknown' {
    const known = this.#statusOf(serialNumber)
    if (known === undefined) return 'unknown'
    if (known === 'good') return 'good'
    return known.reason === 'certificateHold' ? 'suspended' : 'revoked'
  }

  /**
   * Revokes permanently. A suspended certificate is revoked from the time of its suspension, so that nothing signed in
   * between becomes valid again. Throws AuthorityError if it is unknown or already revoked, RangeError for a future time.
   */
  revoke(serialNumber: string, reason: FinalReason, at: Date) {
    return this.#change(serialNumber, ['good', 'suspended'], at, (current) => ({ at: current?.at ?? at, reason }))
  }

  /** Throws like `revoke`, and for a certificate that is already suspended. */
  suspend(serialNumber: string, at: Date) {
    return this.#change(serialNumber, ['good'], at, () => ({ at, reason: 'certificateHold' }))
  }

  /** Ends a suspension; throws AuthorityError if there is none. */
  reinstate(serialNumber: string) {
    return this.#change(serialNumber, ['suspended'], this.#now(), () => undefined)
  }

  /**
   * Carries out a request of the portal once: a repetition of the newest request of a certificate changes nothing, even if its status was
   * changed otherwise since. Throws AuthorityError if the certificate is unknown, or its status does not allow the change.
   */
  carryOut(request: string, serialNumber: string, change: 'suspend' | 'resume' | 'revoke', reason: FinalReason) {
    const at = this.#now()
    return this.#inTurn(async () => {
      if (this.#record.requests.get(serialNumber) === request) return
      const status = this.status(serialNumber)
      const requests = new Map(this.#record.requests).set(serialNumber, request)
      if (status === wanted[change]) return this.#save({ ...this.#record, requests })
      if (change === 'revoke') {
        const next = (current: Revocation | undefined) => ({ at: current?.at ?? at, reason })
        return this.#set(serialNumber, ['good', 'suspended'], next, requests)
      }
      const isEnd = change === 'resume'
      const next = isEnd ? () => undefined : (): Revocation => ({ at, reason: 'certificateHold' })
      return this.#set(serialNumber, [isEnd ? 'suspended' : 'good'], next, requests)
    })
  }

  readRevocationList(authority: AuthorityName) {
    return this.#inTurn(async () => {
      const revocations = authority === 'issuing' ? this.#record.revocations : noRevocations
      const at = wholeSeconds(this.#now())
      const current = this.#lists.get(authority)
      const age = at.getTime() - (current?.at.getTime() ?? 0)
      if (current?.revocations === revocations && age >= 0 && age < hourMs) return current.der
      const number = this.#record.listNumber + 1
      await this.#save({ ...this.#record, listNumber: number })
      const der = writeRevocationList({
        issuer: this.#keys[authority],
        number,
        contains: authority === 'issuing' ? 'subscribers' : 'authorities',
        thisUpdate: at,
        nextUpdate: new Date(at.getTime() + listLifeMs),
        since: this.#validity.notBefore,
        revocations,
      })
      this.#lists.set(authority, { der, at, revocations })
      return der
    })
  }

  /** Issues a timestamp token (RFC 3161) over a SHA-256 digest for the provider's own signatures. */
  stamp(digest: Uint8Array<ArrayBuffer>): Uint8Array {
    const nonce = newSerialNumber()
    const request = readTimestampRequest(writeTimestampRequest(digest, nonce), timestampPolicy)
    // Random, and too long to collide with the serial numbers of accounts' tokens.
    const serialNumber = BigInt(`0x${Buffer.from(newSerialNumber()).toString('hex')}`)
    return readTimestampAnswer(
      grantTimestamp(this.timestamping, request, { serialNumber, at: this.#now() }),
      digest,
      nonce,
    )
  }

  /** Returns the current proof of the status of its seal, its timestamps and its subscribers' certificates. */
  async collectValidationData(): Promise<ValidationData> {
    const issuing = readPathCertificate(this.certificates.issuing)
    const own = [this.seal.certificate, this.timestamping.certificate]
    return {
      certificates: [...own, ...this.chain],
      ocsps: own.map((der) => this.answerOcsp(writeOcspRequest(readPathCertificate(der), issuing))),
      crls: await Promise.all([this.readRevocationList('root'), this.readRevocationList('issuing')]),
    }
  }

  /** Answers an OCSP request; invalid ones get an error status, never an exception. */
  answerOcsp(request: Uint8Array) {
    const { issuing: issuer, responder: delegate } = this.#keys
    const statusOf = (serialNumber: string) => this.#statusOf(serialNumber)
    return answerOcsp({ issuer, delegate, statusOf, since: this.#validity.notBefore }, request, this.#now())
  }

  #statusOf(serialNumber: string) {
    return this.#record.revocations.get(serialNumber) ?? (this.#issued.has(serialNumber) ? 'good' : undefined)
  }

  #change(
    serialNumber: string,
    from: ('good' | 'suspended')[],
    at: Date,
    next: (current: Revocation | undefined) => Revocation | undefined,
  ) {
    return this.#inTurn(async () => {
      if (at > this.#now()) throw new RangeError('A certificate cannot be revoked in the future')
      await this.#set(serialNumber, from, next)
    })
  }

  async #set(
    serialNumber: string,
    from: ('good' | 'suspended')[],
    next: (current: Revocation | undefined) => Revocation | undefined,
    requests = this.#record.requests,
  ) {
    const status = this.status(serialNumber)
    if (!from.some((allowed) => allowed === status)) throw new AuthorityError(`The certificate is ${status}`)
    const revocations = new Map(this.#record.revocations)
    const revocation = next(revocations.get(serialNumber))
    if (revocation) revocations.set(serialNumber, revocation)
    else revocations.delete(serialNumber)
    await this.#save({ ...this.#record, revocations, requests })
  }

  async #save(record: AuthorityRecord) {
    await this.#folder.writeRecord(record)
    this.#record = record
  }

  /** Runs changes of the record one after another, so that none is lost and no list number is used twice. */
  #inTurn<T>(task: () => Promise<T>) {
    const result = this.#lastChange.then(task, task)
    this.#lastChange = result
    return result
  }
}
