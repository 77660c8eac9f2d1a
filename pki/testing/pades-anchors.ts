import { hash } from 'node:crypto'
import { CmsError, verifyDetached, type VerifiedSignature } from '../cms-read.ts'
import { fileDigests } from '../pades-digest.ts'
import { coverageOf } from '../pades-coverage.ts'
import { readValidationData } from '../pades-validation-data.ts'
import { certificatePool } from '../path-certificate.ts'
import { sameBytes } from '../pdf-bytes.ts'
import { nodeInflate } from '../pdf-cipher-node.ts'
import { PdfError } from '../pdf-parser.ts'
import { openPdf } from '../pdf-read.ts'
import { signaturesOf } from '../pdf-signature-fields.ts'
import { verifyTimestamp } from '../timestamp-token.ts'

/** The topmost certificates that a file carries, so that a test may believe whom the file's own makers believed. */
export function anchorsIn(bytes: Uint8Array): Uint8Array[] {
  const pdf = quietly(() => openPdf(bytes, { inflate: nodeInflate }))
  if (!pdf) return []
  const ders = [...readValidationData(pdf).certificates]
  for (const found of quietly(() => signaturesOf(pdf)) ?? []) {
    const coverage = coverageOf(pdf, found)
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
      (one) =>
        !pool.some(
          (other) => other !== one && !sameBytes(other.subject, one.subject) && sameBytes(other.subject, one.issuer),
        ),
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
