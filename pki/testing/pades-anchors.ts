import { hash } from 'node:crypto'
import { CmsError, verifyDetached, type VerifiedSignature } from '../asn1/cms-read.ts'
import { certificatePool } from '../asn1/path-certificate.ts'
import { sameBytes } from '../bytes.ts'
import { findCoverage, fileDigests } from '../pades/pades-coverage.ts'
import { validatePdf } from '../pades/pades-validate.ts'
import { readValidationData } from '../pades/pades-validation-data.ts'
import { PdfError } from '../pdf/pdf-parser.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { findSignatures } from '../pdf/pdf-signature-fields.ts'
import { verifyTimestamp } from '../timestamps/timestamp-token.ts'
import { contractPdf, policyOf, signedAt, signPdf, stampDocument, timestampAuthority } from './pades-authorities.ts'

/** Returns the topmost certificates in a file, so that a test can trust what the file's producer trusted. */
export function anchorsIn(bytes: Uint8Array): Uint8Array[] {
  const pdf = quietly(() => openPdf(bytes))
  if (!pdf) return []
  const ders = [...readValidationData(pdf).certificates]
  for (const found of quietly(() => findSignatures(pdf)) ?? []) {
    const coverage = findCoverage(pdf, found)
    if ('problem' in coverage) continue
    const digestOf = fileDigests(pdf).ofCoverage(coverage)
    const signature: VerifiedSignature | undefined =
      quietly(() => verifyDetached(coverage.message, digestOf)) ??
      quietly(() => verifyTimestamp(coverage.message, digestOf))
    ders.push(...(signature?.certificates ?? []).map(({ der }) => der))
    for (const token of signature?.timestamps ?? [])
      ders.push(
        ...(
          quietly(() => verifyTimestamp(token, (name) => hash(name, signature!.signature, 'buffer')))?.certificates ??
          []
        ).map(({ der }) => der),
      )
  }
  const pool = certificatePool(ders)
  return pool
    .filter(
      ({ subject, issuer }) =>
        !pool.some((above) => !sameBytes(above.subject, subject) && sameBytes(above.subject, issuer)),
    )
    .map(({ der }) => der)
}

function quietly<T>(read: () => T) {
  try {
    return read()
  } catch (error) {
    if (error instanceof CmsError || error instanceof PdfError) return undefined
    throw error
  }
}

const later = (minutes: number) => new Date(signedAt.getTime() + minutes * 60_000)

/** Validates a signature with timestamps by more authorities than the portal queries at once, all without evidence. */
export function stampedOften() {
  const stamped = Array.from({ length: 10 }).reduce<Uint8Array>(
    (file, _, index) =>
      stampDocument(file, later(index / 60), `Stamp ${index}`, timestampAuthority(`Stamper ${index}`)),
    signPdf(contractPdf()),
  )
  return validatePdf(stamped, policyOf({ revocation: 'required' }))
}

/**
 * Validates a file that one certificate signed three times: the first signature has a proven time, the others have the time at which the
 * file was received.
 */
export async function signedAgain() {
  const times = [signedAt, later(60)]
  const file = ['Second', 'Third'].reduce<Uint8Array>(
    (signed, field) => signPdf(signed, { field }),
    signPdf(contractPdf(), { timestamp: true }),
  )
  return { report: await validatePdf(file, policyOf({ revocation: 'required', receivedAt: later(60) })), times }
}
