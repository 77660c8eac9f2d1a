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
  if (wanted && identifierOf(signer) !== wantedIdentifier(wanted.identifier))
    refuse('other-signer', 'the certificate does not name the person who should sign')
  return problems
}

/** Undefined where a certificate names nobody, or does not say which of several people it names (R101). */
function identifierOf({ subject }: CertificateContent): string | undefined {
  const valuesOf = (wanted: string) => subject.filter(({ name }) => name === wanted).map(({ value }) => value)
  // Who signs under a pseudonym is not to be known by other attributes.
  if (valuesOf('pseudonym').length > 0) return undefined
  const [number, secondNumber] = valuesOf('serialNumber')
  if (number === undefined || secondNumber !== undefined || number.length > longestNumber) return undefined
  const [country, secondCountry] = valuesOf('C')
  const isPolish = country?.toUpperCase() === 'PL' && secondCountry === undefined
  return personIdentifier(number, isPolish)
}

/** X.520 (10/2019) ub-serial-number. */
const longestNumber = 64

/** What the portal asks for: it knows its customers by their PESEL, in any of its spellings. */
const wantedIdentifier = (text: string) => personIdentifier(text, true)

/**
 * One form of what certificates call a person: `PNOPL-90010112345` (EN 319 412-1 §5.1.3), and in certificates of C=PL
 * `PESEL: 90010112345`, `PESEL 90010112345` or the digits alone, as older ones have it. Eleven digits of another country
 * are another number (R101).
 */
export function personIdentifier(text: string, isPolish: boolean) {
  const compact = text.normalize('NFC').trim().toUpperCase()
  const pesel = isPolish ? /^(?:PESEL[: ]{0,2})?(\d{11})$/.exec(compact)?.[1] : undefined
  return pesel === undefined ? compact : `PNOPL-${pesel}`
}
