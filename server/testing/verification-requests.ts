import { Readable } from 'node:stream'
import { contractPdf } from '../../pki/testing/pades-authorities.ts'
import type { LockedFile } from '../platform/pdf/pdf-work.ts'
import type { VerificationRequest } from '../platform/ports.ts'
import { sharedPdfWork } from './portal-nodes.ts'

/** What reads PDFs, an issued document that it has encrypted, and requests to verify uploads of that document. */
export async function openVerification(plain = contractPdf()) {
  const work = sharedPdfWork()
  const secrets = { password: 'AAAA-BBBB-CCCC-DDDD', owner: 'EEEE' }
  const locked = (await work.lock(plain, secrets)) as LockedFile
  const requestOf = (file: Uint8Array, over: { issued?: Uint8Array; receivedAt?: Date } = {}): VerificationRequest => ({
    file: inTransit(file),
    issued: inTransit(over.issued ?? locked.file),
    forms: [locked.clear],
    accessCode: secrets.password,
    signer: 'PNOPL-90010112345',
    receivedAt: over.receivedAt ?? new Date('2026-11-21T11:00:00Z'),
  })
  return { work, secrets, locked, requestOf }
}

/** A file as it is read, in pieces. */
const inTransit = (bytes: Uint8Array) => async () => ({
  content: Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, i) =>
      Buffer.from(bytes.subarray(i * 1000, (i + 1) * 1000)),
    ),
  ),
  bytes: bytes.length,
})
