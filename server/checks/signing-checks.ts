import { hash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { limits } from '../../contract/limits.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { verifyTimestamp } from '../../pki/timestamps/timestamp-token.ts'
import { readTrustedList } from '../../pki/trusted-lists/trusted-list.ts'
import { TrustedListError } from '../../pki/trusted-lists/xml.ts'
import {
  chooseMalware,
  chooseRemoteSigning,
  chooseRevocation,
  chooseTimestamps,
  chooseTrustedLists,
  chooseTrust,
} from '../adapters/choose-adapters.ts'
import { serviceFault } from '../adapters/service-fault.ts'
import { pingDss } from '../adapters/verification-dss.ts'
import type { Configuration } from '../platform/configuration/configuration.ts'
import { errorMessage } from '../platform/observability/skipped-causes.ts'
import { unsuitableText } from '../platform/operations/readiness.ts'
import { listProblem } from '../platform/operations/trusted-list-problem.ts'
import type { TrustedListsPort } from '../platform/ports.ts'
import { failed, notTested, ok, warning, withCause, type Check, type CheckFinding } from './check.ts'

/** Fetches the list of lists and verifies its signature; the lists of the countries are the job's, since some are large. */
async function checkTrustedLists({ url, certificates, countries, fetch }: TrustedListsPort): Promise<CheckFinding> {
  const answer = await fetch(url)
  if ('fault' in answer) return failed(serviceFault('the list of lists', answer.fault, 'TRUSTED_LISTS_URL'))
  const expected = { type: 'listOfLists', territory: 'EU', certificates, maxBytes: limits.trustedLists.bytes } as const
  try {
    const { pointers, sequenceNumber } = readTrustedList(answer.bytes, { ...expected, now: new Date() })
    const missing = countries.filter((country) => !pointers.some(({ territory }) => territory === country))
    return missing.length
      ? warning(`The list of lists names no list of ${missing.join(', ')}: check TRUSTED_LISTS_COUNTRIES.`)
      : ok(`The list of lists has the number ${sequenceNumber} and names ${pointers.length} countries.`)
  } catch (error) {
    if (!(error instanceof TrustedListError)) throw error
    return failed(listProblem('EU', error.code, error.message))
  }
}

/** Returns the checks of the services that sign, and of those that judge customers' uploads. */
export function signingChecks(configuration: Configuration): Check[] {
  const signing = chooseRemoteSigning(configuration, () => {})
  const timestamps = chooseTimestamps(configuration)
  const malware = chooseMalware(configuration)
  const { signatureDssUrl } = configuration
  const anchors = anchorFinding(configuration)
  const lists = chooseTrustedLists(configuration, undefined, () => {})
  // A timestamp may cost something, so the checks share one.
  let stamped: ReturnType<typeof stamp> | undefined
  const stampOnce = () => (stamped ??= stamp(configuration))
  const checks: (Check | undefined)[] = [
    signing && {
      name: 'signing service',
      async run() {
        const service = { name: 'the signing service', address: 'CSC_URL' }
        const { answer, cause } = await withCause(service, () => signing.check())
        if (typeof answer === 'object') return failed(unsuitableText(answer))
        return answer === 'suitable' ? ok('The signing service grants a token and has what is needed.') : failed(cause)
      },
    },
    timestamps && { name: 'timestamps', run: async () => (await stampOnce()).finding },
    anchors && { name: 'trust anchors', run: async () => anchors },
    lists && { name: 'trusted lists', run: () => checkTrustedLists(lists) },
    anchors && { name: 'revocation', run: () => checkRevocation(configuration, stampOnce) },
    signatureDssUrl === undefined
      ? undefined
      : {
          name: 'DSS',
          async run() {
            const service = { name: 'DSS', address: 'SIGNATURE_DSS_URL' }
            const { answer, cause } = await withCause(service, () => pingDss(signatureDssUrl))
            return answer ? ok('DSS judges a document.') : failed(cause)
          },
        },
    malware && {
      name: 'malware scanner',
      async run() {
        const answer = await malware.scan(Readable.from([Buffer.from('a test of the scanner')]))
        if (answer === 'clean') return ok('The scanner judges a file.')
        return failed(
          answer === 'infected'
            ? 'The scanner reports a harmless text as malware: check its signatures.'
            : 'The scanner does not answer: check MALWARE_SCANNER, and that clamd runs.',
        )
      },
    },
  ]
  return checks.filter((check) => check !== undefined)
}

/**
 * Returns the finding on the authorities whose signatures are accepted; undefined for a demonstration, which trusts its own, and if nothing
 * is checked.
 */
function anchorFinding(configuration: Configuration): CheckFinding | undefined {
  const { demonstration, signatureAnchors, signatureDssUrl, trustedListsUrl } = configuration
  if (demonstration && !chooseTrust(configuration, undefined)) return undefined
  if (!signatureAnchors.length && trustedListsUrl) return ok('The trusted lists alone decide about trust.')
  if (!signatureAnchors.length) return signatureDssUrl ? ok('DSS decides about trust.') : undefined
  const expired = signatureAnchors.map((der) => readCertificate(der)).filter(({ notAfter }) => notAfter < new Date())
  return expired.length
    ? warning(
        `Certificates in SIGNATURE_ANCHORS_FILE have expired (${expired.length} of ${signatureAnchors.length}): replace them.`,
      )
    : ok('No certificate in SIGNATURE_ANCHORS_FILE has expired.')
}

async function stamp(configuration: Configuration): Promise<{ finding: CheckFinding; certificates?: Uint8Array[] }> {
  const digest = hash('sha256', randomBytes(32), 'buffer')
  const service = { name: 'the timestamp authority', address: 'TSA_URL', credentials: 'TSA_LOGIN and TSA_PASSWORD' }
  const { answer, cause } = await withCause(service, async () => chooseTimestamps(configuration)?.stamp(digest))
  if (!(answer instanceof Uint8Array)) return { finding: failed(cause) }
  try {
    const { certificate, certificates } = verifyTimestamp(answer, () => digest)
    return {
      finding: ok('The timestamp authority returns a timestamp.'),
      certificates: [certificate.der, ...certificates.map(({ der }) => der)],
    }
  } catch (error) {
    const reason = errorMessage(error)
    return { finding: failed(`The timestamp of TSA_URL cannot be used: ${reason}.`) }
  }
}

/** Asks for the state of the certificate that everybody has to prove: that of the timestamp authority. */
async function checkRevocation(
  configuration: Configuration,
  stampOnce: () => ReturnType<typeof stamp>,
): Promise<CheckFinding> {
  const trust = chooseTrust(configuration, undefined)
  const revocation = chooseRevocation(configuration, trust, [])
  if (!revocation) return notTested('REVOCATION_FETCH is off, or there are no trust anchors: nothing is fetched.')
  const { certificates } = configuration.tsaUrl ? await stampOnce() : {}
  if (!certificates) return notTested('Without a timestamp there is no certificate to ask about.')
  const now = new Date()
  const { answer, cause } = await withCause(
    { name: 'the authority that vouches for TSA_URL', address: 'the addresses in the certificate' },
    () => revocation.collectEvidence([{ path: certificates, at: now }], now),
  )
  if (answer.isComplete) return ok('OCSP or a revocation list proves the certificate of the timestamp authority.')
  return warning(
    answer.data.certificates.length
      ? cause
      : 'The certificate of the timestamp authority leads to no anchor of SIGNATURE_ANCHORS_FILE: add its authority.',
  )
}
