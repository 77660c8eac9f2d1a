import type { CertificateContent } from '../../pki/asn1/certificate.ts'
import { isSuspended } from '../../pki/asn1/suspended-status.ts'
import type { DocumentReport, SignatureProblem, SignatureReport } from '../../pki/pades/pades-report.ts'

/** A signature with the certificates of its path, from the signer to the anchor; without a path the signer's alone. */
export type ReportedSignature = SignatureReport & { certificates: CertificateContent[] }

/** Findings of the worker in a file. */
export type FileReport = Omit<DocumentReport, 'signatures'> & { signatures: ReportedSignature[] }

/** `unknown`: nothing is wrong, but something could not be found out (INDETERMINATE in ETSI EN 319 102-1). */
export type Standing = 'valid' | 'unknown' | 'invalid'

/** Problems that leave open whether the signature is right. */
const undecided: ReadonlySet<SignatureProblem> = new Set([
  'signature-format',
  'path-untrusted',
  'path-expired',
  'path-not-granted',
  'path-not-authority',
  'path-constrained',
  'path-weak',
  'revocation-unknown',
  'cms-no-certificate',
  'cms-algorithm',
  'cms-bare',
] as const)

/** Returns the problems that count, the decisive ones first. */
export const seriousProblems = ({ problems }: Pick<SignatureReport, 'problems'>) =>
  problems
    .filter(({ severity }) => severity !== 'remark')
    .toSorted((a, b) => Number(undecided.has(a.code)) - Number(undecided.has(b.code)))
    .map(({ code }) => code)

type JudgedSignature = Pick<SignatureReport, 'kind' | 'problems' | 'trusted'>

export function standingOf({ kind, problems, trusted }: JudgedSignature): Standing {
  const [first] = seriousProblems({ problems })
  if (first) return undecided.has(first) ? 'unknown' : 'invalid'
  return kind === 'document-timestamp' && !trusted ? 'unknown' : 'valid'
}

/** Returns the worst standing of all signatures; a file that nobody has signed is not known to be right. */
export function standingOfFile({ signatures }: { signatures: readonly JudgedSignature[] }): Standing {
  const standings = signatures.map(standingOf)
  if (standings.includes('invalid')) return 'invalid'
  const isSigned = signatures.some(({ kind }) => kind === 'signature')
  return standings.includes('unknown') || !isSigned ? 'unknown' : 'valid'
}

/** Checks whether a later signature covers a part of a page. */
export const isCovered = ({ changes }: Pick<SignatureReport, 'changes'>) =>
  changes.some(({ kind }) => kind === 'covering')

/** Checks whether the form was filled in after the signature, which permits it. */
export const isFilled = ({ changes, problems }: Pick<SignatureReport, 'changes' | 'problems'>) =>
  changes.some(({ kind }) => kind === 'filling') && !isAltered({ problems })

const isAltered = ({ problems }: Pick<SignatureReport, 'problems'>) =>
  problems.some(({ code }) => code === 'changed-after-signing')

/** Checks whether the document is as it was signed; undefined if a reader has to look, or if it cannot be determined. */
export function isUnchanged({ intact, changes, problems }: SignatureReport): boolean | undefined {
  if (isAltered({ problems })) return false
  if (intact && (isCovered({ changes }) || isFilled({ changes, problems }))) return undefined
  if (intact) return true
  return seriousProblems({ problems }).some((code) => !undecided.has(code)) ? false : undefined
}

/** Checks, for a signature with a revoked or suspended certificate, whether the decisive one is an authority's, and not its own. */
export const isAuthorityRevoked = ({
  revocation,
  revocations: [own],
}: Pick<SignatureReport, 'revocation' | 'revocations'>) =>
  own?.status !== 'revoked' || isSuspended(own) !== isSuspended(revocation)

const valueOf = (attributes: CertificateContent['subject'] | undefined, ...names: string[]) =>
  names.map((wanted) => attributes?.find(({ name }) => name === wanted)?.value).find((value) => value !== undefined)

export const nameIn = (attributes: CertificateContent['subject'] | undefined) =>
  valueOf(attributes, 'CN', 'pseudonym', 'O')
export const organisationIn = (attributes: CertificateContent['subject'] | undefined) => valueOf(attributes, 'O')

/** Returns the certificate of the signer, or the one that an unverified signature names as its signer's. */
export const certificateOf = ({ signer, claimedSigner }: Pick<SignatureReport, 'signer' | 'claimedSigner'>) =>
  signer ?? claimedSigner

/** Checks whether a trusted certificate says who signed; any other may be anybody's. */
export const isSignerKnown = ({ signer, trusted }: Pick<SignatureReport, 'signer' | 'trusted'>) =>
  signer !== undefined && trusted

/** Checks whether a certificate is an organisation's: its type says so, or it names an organisation and no person. */
export function isOfSeal({ subject, qualified }: CertificateContent): boolean {
  if (qualified.types.length) return qualified.types.includes('eseal')
  return (
    valueOf(subject, 'organizationIdentifier') !== undefined && valueOf(subject, 'GN', 'SN', 'pseudonym') === undefined
  )
}
