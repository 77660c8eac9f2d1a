import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { Locale } from '../enums.ts'
import { text } from '../fields.ts'
import { CertificateStatus, Period } from '../signatures-and-seals.ts'

/**
 * A certificate that is not one of what is filed (`fields` say why), is filed under another id (`current`), or would take the place of a
 * revoked one.
 */
export const refusesCertificates = [
  'certificate-unreadable',
  'certificate-refused',
  'certificate-filed',
  'state-passed',
] as const

const Certificate = component(
  'Certificate',
  'A certificate (RFC 5280) in base64 of its DER.',
  text(16_384).check(z.base64()),
)

/** Fields that signatures and seals have in common. */
export const CertificateFields = z.strictObject({
  period: described('The agreed period; the certificate may be valid for less.', Period),
  certificate: described('The certificate itself.', Certificate),
  chain: described(
    'The certificates of the authorities, from the issuing one to the root: 1 to 5.',
    z.array(Certificate).check(z.minLength(1), z.maxLength(5)),
  ),
  status: CertificateStatus,
  agreementLanguage: described('The language of the agreement, which is filed as PDF.', Locale),
})

export const pdfErrors = [
  'body-too-large',
  'unsupported-media-type',
  'pdf-required',
  'pdf-unusable',
  'busy',
  'storage-full',
] as const
