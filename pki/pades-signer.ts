import type { CertificateContent } from './certificate.ts'
import type { Problem, SignatureProblem, ValidationPolicy } from './pades-report.ts'

type Found = Problem<SignatureProblem>

/** Step 13: whether the certificate may sign this, and is of the person who should (EN 319 412-1 §5, 412-5 §4). */
export function signerProblems(
  signer: CertificateContent,
  { qualified, signer: wanted }: Pick<ValidationPolicy, 'qualified' | 'signer'>,
): Found[] {
  const problems: Found[] = []
  const refuse = (code: SignatureProblem, detail: string) => problems.push({ code, severity: 'refuse', detail })
  if (qualified) {
    // EN 319 412-2 §4.3.2: a key for binding signatures says so, alone or among others.
    if (!signer.keyUsage.includes('nonRepudiation')) refuse('key-usage', 'the key is not for binding signatures')
    const { compliance, types } = signer.qualified
    // EN 319 412-5 §4.2.3: without a type, a qualified certificate is one for signatures.
    if (!compliance || (types.length > 0 && !types.includes('esign')))
      refuse('not-qualified', 'the certificate is not a qualified one for electronic signatures')
  }
  if (wanted && !identifiersOf(signer).includes(normalIdentifier(wanted.identifier)))
    refuse('other-signer', 'the certificate does not name the person who should sign')
  return problems
}

function identifiersOf({ subject }: CertificateContent) {
  // Who signs under a pseudonym is not to be known by other attributes.
  if (subject.some(({ name }) => name === 'pseudonym')) return []
  return subject.filter(({ name }) => name === 'serialNumber').map(({ value }) => normalIdentifier(value))
}

/**
 * One form of what certificates call a person: `PNOPL-90010112345` (EN 319 412-1 §5.1.3), and `PESEL: 90010112345`,
 * `PESEL 90010112345` or the digits alone, as older Polish certificates have it.
 */
export function normalIdentifier(text: string) {
  const compact = text.normalize('NFC').trim().toUpperCase()
  const pesel = /^(?:PNOPL-|PESEL[: ]{0,2})?(\d{11})$/.exec(compact)?.[1]
  return pesel === undefined ? compact : `PNOPL-${pesel}`
}
