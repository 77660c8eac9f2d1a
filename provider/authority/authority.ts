import { X509Certificate, type KeyObject } from 'node:crypto'
import { wholeSeconds } from '../pki/certificate-write.ts'
import { readCertificate } from '../pki/certificate.ts'
import { openFolder, type AuthorityFolder, type AuthorityRecord } from './authority-folder.ts'
import { writeOcspRequest } from '../pki/ocsp-request.ts'
import type { ValidationData } from '../pki/pades-validation-data.ts'
import { readPathCertificate } from '../pki/path-certificate.ts'
import { readTimestampAnswer, writeTimestampRequest } from '../pki/timestamp-client.ts'
import { readTimestampRequest } from '../pki/timestamp-request.ts'
import { grantTimestamp, timestampSigner, type TimestampSigner } from '../pki/timestamp-response.ts'
import { makeKeys, makeTimestamping, newSerialNumber, signSubscriber, type AuthorityKeys } from './authority-keys.ts'
import { organisation, timestampPolicy, type AuthorityName } from './certificate-profiles.ts'
import { answerOcsp } from './ocsp-responder.ts'
import { writeRevocationList, type Revocation, type RevocationReason } from './revocation-list.ts'
import type { Seal } from './seal.ts'
import type { CertificateOrder } from './subscriber.ts'

export type AuthorityOptions = {
  /** Made if it is not there. */
  directory: string
  /** Where authority-http.ts is reached, without a slash at its end; it goes into every certificate. */
  baseUrl: string
  now: () => Date
}

export type IssuedCertificate = { serialNumber: string; certificate: Uint8Array }

export type FinalReason = Exclude<RevocationReason, 'certificateHold'>

/** A certificate that is not in the state that was asked for. */
export class AuthorityError extends Error {
  override name = 'AuthorityError'
}

const hourMs = 60 * 60 * 1000

/** A list is made anew every hour, and at once when something changes; EN 319 411-2 §6.3.9 wants it daily. */
const listLifeMs = 24 * hourMs

const nobody: ReadonlyMap<string, Revocation> = new Map()

export async function openAuthority(options: AuthorityOptions) {
  const { directory, baseUrl, now } = options
  const folder = await openFolder(
    directory,
    () => makeKeys(baseUrl, now()),
    (issuing) => makeTimestamping(issuing, baseUrl, now()),
  )
  return new Authority(folder, options)
}

/** The embedded provider's certification authority. Serial numbers are hexadecimal, upper case; certificates DER. */
export class Authority {
  /** The authorities' own certificates. */
  readonly certificates: Record<AuthorityName, Uint8Array>
  /** From the issuing authority to the root. */
  readonly chain: Uint8Array[]
  /** The provider's own seal, for the documents that it gives out. */
  readonly seal: Seal
  /** Signs timestamps, and nothing else. */
  readonly timestamping: TimestampSigner & { certificate: Uint8Array }

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

  /** Throws RangeError for a name that a certificate cannot hold, or a validity outside of the authority's own. */
  async issue(order: CertificateOrder): Promise<IssuedCertificate> {
    const { notBefore, notAfter } = this.#validity
    if (!(notBefore <= order.notBefore && order.notBefore < order.notAfter && order.notAfter <= notAfter))
      throw new RangeError('The validity does not lie within that of the authority')
    const issued = signSubscriber(order, this.#keys.issuing, this.#baseUrl)
    await this.#folder.writeCertificate(issued.serialNumber, issued.certificate)
    this.#issued.add(issued.serialNumber)
    return issued
  }

  /** What was issued for a key: whoever does not know whether an order arrived asks, and does not order again. */
  async issuedFor(publicKey: KeyObject): Promise<Uint8Array | undefined> {
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
   * Revokes for good. What was suspended keeps the time of its suspension, so that nothing signed in between becomes
   * valid again. Throws AuthorityError for what is not issued or revoked already, RangeError for a time to come.
   */
  revoke(serialNumber: string, reason: FinalReason, at: Date) {
    return this.#change(serialNumber, ['good', 'suspended'], at, (held) => ({ at: held?.at ?? at, reason }))
  }

  /** Throws as `revoke` does, and for what is suspended already. */
  suspend(serialNumber: string, at: Date) {
    return this.#change(serialNumber, ['good'], at, () => ({ at, reason: 'certificateHold' }))
  }

  /** Ends a suspension; throws AuthorityError where there is none. */
  reinstate(serialNumber: string) {
    return this.#change(serialNumber, ['suspended'], this.#now(), () => undefined)
  }

  /** The revocation list in force now. */
  revocationList(authority: AuthorityName) {
    return this.#inTurn(async () => {
      const revocations = authority === 'issuing' ? this.#record.revocations : nobody
      const at = wholeSeconds(this.#now())
      const held = this.#lists.get(authority)
      const age = at.getTime() - (held?.at.getTime() ?? 0)
      if (held?.revocations === revocations && age >= 0 && age < hourMs) return held.der
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

  /** A timestamp token (RFC 3161) over a SHA-256 digest, for what the provider signs itself. */
  stamp(digest: Uint8Array<ArrayBuffer>): Uint8Array {
    const nonce = newSerialNumber()
    const request = readTimestampRequest(writeTimestampRequest(digest, nonce), timestampPolicy)
    // Drawn, and so long that none of an account's, which are counted, is ever like it.
    const serialNumber = BigInt(`0x${Buffer.from(newSerialNumber()).toString('hex')}`)
    return readTimestampAnswer(
      grantTimestamp(this.timestamping, request, { serialNumber, at: this.#now() }),
      digest,
      nonce,
    )
  }

  /** What proves now that its seal, its timestamps and its subscribers' certificates are good or revoked. */
  async validationData(): Promise<ValidationData> {
    const [issuing] = this.chain.map(readPathCertificate)
    const own = [this.seal.certificate, this.timestamping.certificate]
    return {
      certificates: [...own, ...this.chain],
      ocsps: own.map((der) => this.answerOcsp(writeOcspRequest(readPathCertificate(der), issuing!))),
      crls: await Promise.all([this.revocationList('root'), this.revocationList('issuing')]),
    }
  }

  /** Answers an OCSP request; what cannot be answered gets an error status, never an exception. */
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
    next: (held: Revocation | undefined) => Revocation | undefined,
  ) {
    return this.#inTurn(async () => {
      const status = this.status(serialNumber)
      if (!from.some((allowed) => allowed === status)) throw new AuthorityError(`The certificate is ${status}`)
      if (at > this.#now()) throw new RangeError('A certificate cannot be revoked in time to come')
      const revocations = new Map(this.#record.revocations)
      const revocation = next(revocations.get(serialNumber))
      if (revocation) revocations.set(serialNumber, revocation)
      else revocations.delete(serialNumber)
      await this.#save({ ...this.#record, revocations })
    })
  }

  async #save(record: AuthorityRecord) {
    await this.#folder.writeRecord(record)
    this.#record = record
  }

  /** Changes of the record wait for one another, so that none is lost and no list number is used twice. */
  #inTurn<T>(task: () => Promise<T>) {
    const result = this.#lastChange.then(task, task)
    this.#lastChange = result
    return result
  }
}
