import type { TrustDoubt } from '../asn1/certificate-path.ts'
import type { CertificateContent } from '../asn1/certificate.ts'
import type { Problem, SignatureProblem, ValidationPolicy } from './pades-report.ts'

type Found = Problem<SignatureProblem>

/** Step 13: whether the certificate is suitable and identifies the required signer (EN 319 412-1 §5, 412-5 §4). */
export function signerProblems(
  signer: CertificateContent,
  { qualified, signer: required }: Pick<ValidationPolicy, 'qualified' | 'signer'>,
  doubts: readonly TrustDoubt[] = [],
): Found[] {
  const problems: Found[] = []
  const refuse = (code: SignatureProblem, detail: string) => problems.push({ code, severity: 'refuse', detail })
  if (qualified) {
    // EN 319 412-2 §4.3.2: keys for binding signatures have nonRepudiation, possibly with other usages.
    if (!signer.keyUsage.includes('nonRepudiation')) refuse('key-usage', 'the key is not for binding signatures')
    const { compliance, types } = signer.qualified
    // EN 319 412-5 §4.2.3: a qualified certificate without a type is for signatures, unless its trust list may say otherwise.
    const isForSignatures = types.length ? types.includes('esign') : !doubts.includes('signatures')
    if (!compliance || !isForSignatures)
      refuse('not-qualified', 'the certificate is not a qualified one for electronic signatures')
  }
  if (required && identifierOf(signer) !== requiredIdentifier(required.identifier))
    refuse('other-signer', 'the certificate does not identify the person who should sign')
  return problems
}

/** Undefined if a certificate identifies nobody or several people (R101). */
function identifierOf({ subject }: CertificateContent): string | undefined {
  const valuesOf = (attribute: string) => subject.filter(({ name }) => name === attribute).map(({ value }) => value)
  // A signer under a pseudonym must not be identified by other attributes.
  if (valuesOf('pseudonym').length > 0) return undefined
  const [number, secondNumber] = valuesOf('serialNumber')
  if (number === undefined || secondNumber !== undefined || number.length > longestNumber) return undefined
  const [country, secondCountry] = valuesOf('C')
  const isPolish = country?.toUpperCase() === 'PL' && secondCountry === undefined
  return personIdentifier(number, isPolish)
}

/** X.520 (10/2019) ub-serial-number. */
const longestNumber = 64

/** The portal identifies its customers by PESEL in any spelling. */
const requiredIdentifier = (text: string) => personIdentifier(text, true)

/**
 * The normalised identifier of a person: `PNOPL-90010112345` (EN 319 412-1 §5.1.3), and in certificates with C=PL
 * `PESEL: 90010112345`, `PESEL 90010112345` or only the digits, as in older ones. Eleven digits of another country are
 * not a PESEL (R101).
 */
export function personIdentifier(text: string, isPolish: boolean) {
  const compact = text.normalize('NFC').trim().toUpperCase()
  const pesel = isPolish ? /^(?:PESEL[: ]{0,2})?(\d{11})$/.exec(compact)?.[1] : undefined
  return pesel === undefined ? compact : `PNOPL-${pesel}`
}
