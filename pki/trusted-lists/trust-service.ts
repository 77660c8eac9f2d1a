import type { TrustAnchor, TrustDoubt, TrustPurpose } from '../asn1/certificate-path.ts'
import { readPathCertificate } from '../asn1/path-certificate.ts'
import { allAt, childrenOf, firstAt, textOf, TrustedListError } from './xml.ts'

const qualifications = 'http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#'

export const serviceTypes = {
  /** Issues qualified certificates. */
  certificates: 'http://uri.etsi.org/TrstSvc/Svctype/CA/QC',
  /** Issues qualified timestamps. */
  timestamps: 'http://uri.etsi.org/TrstSvc/Svctype/TSA/QTST',
} as const

const statusPrefix = 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/'
export const serviceStatuses = { granted: `${statusPrefix}granted`, withdrawn: `${statusPrefix}withdrawn` } as const

/** Statuses of the time before Regulation (EU) 910/2014 that correspond to `granted` (ETSI TS 119 615 §4.4). */
const formerlyGranted = new Set(
  ['undersupervision', 'accredited', 'supervisionincessation'].flatMap((status) => [
    `${statusPrefix}${status}`,
    `http://uri.etsi.org/TrstSvc/eSigDir-1999-93-EC-TrustedList/Svcstatus/${status}`,
  ]),
)
/** 1 July 2016 in Brussels, when the Regulation began to apply. */
const regulationFrom = new Date('2016-06-30T22:00:00Z')

const additional = 'http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/'
export const forPurpose = { signatures: `${additional}ForeSignatures`, seals: `${additional}ForeSeals` } as const

/** A period of a service with one status. */
export type ServicePeriod = {
  from: Date
  /** The end of the period; undefined while it lasts. */
  to: Date | undefined
  /** The purposes for which the service is trusted; none unless it is granted. */
  purposes: TrustPurpose[]
  doubts: TrustDoubt[]
}

export type TrustService = {
  /** Certificates in DER. */
  certificates: Uint8Array[]
  /** The oldest first. */
  periods: ServicePeriod[]
}

export const tsl = 'http://uri.etsi.org/02231/v2#'

/** Reads a time: an XML Schema dateTime with its time zone (ETSI TS 119 612 §5.1.4 requires UTC, which not every list uses). */
export function parseTime(element: Element | undefined): Date {
  const text = textOf(element)
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new TrustedListError('not-a-list', 'a time is not a dateTime with its zone')
  return time
}

/** Reads the certificates (DER) of a digital identity. An unreadable one identifies nobody, and does not invalidate the list. */
export const readCertificates = (identity: Element | undefined): Uint8Array[] =>
  allAt(identity, tsl, 'DigitalId', 'X509Certificate')
    .map((element) => new Uint8Array(Buffer.from(textOf(element), 'base64')))
    .filter(isCertificate)

function isCertificate(der: Uint8Array): boolean {
  try {
    readPathCertificate(der)
    return true
  } catch {
    return false
  }
}

/** Reads the services of a national list that issue qualified certificates or timestamps. */
export const readServices = (root: Element): TrustService[] =>
  allAt(root, tsl, 'TrustServiceProviderList', 'TrustServiceProvider', 'TSPServices', 'TSPService').flatMap(
    (service) => {
      const current = firstAt(service, tsl, 'ServiceInformation')
      const certificates = readCertificates(firstAt(current, tsl, 'ServiceDigitalIdentity'))
      if (!current || !certificates.length) return []
      const periods = readPeriods([current, ...allAt(service, tsl, 'ServiceHistory', 'ServiceHistoryInstance')])
      return periods.some(({ purposes }) => purposes.length) ? [{ certificates, periods }] : []
    },
  )

/**
 * Returns the periods of a service; each entry is in force until the next one begins. `entries`: the current one, then the history, newest
 * first (TS 119 612 clause 5.5.10). Of entries with the same time the newer counts, and entries of the history that begin after the current
 * one are ignored.
 */
function readPeriods(entries: Element[]): ServicePeriod[] {
  const dated = entries.map((entry) => ({ entry, from: parseTime(firstAt(entry, tsl, 'StatusStartingTime')) }))
  const sorted = dated
    .filter(({ from }) => from <= dated[0]!.from)
    .toReversed()
    .toSorted((a, b) => a.from.getTime() - b.from.getTime())
  return sorted.map(({ entry, from }, index) => {
    const next = sorted[index + 1]?.from
    const isFormer = formerlyGranted.has(textOf(firstAt(entry, tsl, 'ServiceStatus')))
    const to = isFormer && (!next || next > regulationFrom) ? regulationFrom : next
    return { from, to, purposes: readPurposes(entry, isFormer), doubts: overriddenStatements(entry) }
  })
}

function readPurposes(entry: Element, isFormer: boolean): TrustPurpose[] {
  const isGranted = textOf(firstAt(entry, tsl, 'ServiceStatus')) === serviceStatuses.granted
  const extensions = extensionsOf(entry)
  if (!(isGranted || isFormer) || !extensions.every(isUnderstood)) return []
  const type = textOf(firstAt(entry, tsl, 'ServiceTypeIdentifier'))
  if (type === serviceTypes.timestamps) return ['timestamps']
  if (type !== serviceTypes.certificates) return []
  // Before the Regulation there were qualified certificates for signatures only.
  if (isFormer) return ['signatures']
  const named = new Set(
    extensions.flatMap((extension) => allAt(extension, tsl, 'AdditionalServiceInformation', 'URI')).map(textOf),
  )
  return (['signatures', 'seals'] as const).filter((purpose) => named.has(forPurpose[purpose]))
}

const extensionsOf = (entry: Element) => allAt(entry, tsl, 'ServiceInformationExtensions', 'Extension')

/**
 * Checks whether a period may be trusted despite an extension: an unknown critical one may restrict it in any way, and `NotQualified` makes
 * some of its certificates unqualified, by rules for each certificate that are not evaluated. `overriddenStatements` handles the other qualifiers.
 */
function isUnderstood(extension: Element): boolean {
  if (childrenOf(extension, qualifications, 'Qualifications').length)
    return !qualifiersOf(extension).includes('NotQualified')
  const isKnown = ['AdditionalServiceInformation', 'ExpiredCertsRevocationInfo'].some(
    (name) => childrenOf(extension, tsl, name).length,
  )
  return isKnown || !/^(?:true|1)$/.test(extension.getAttribute('Critical') ?? '')
}

/** Returns the last parts of the qualifiers' URIs. */
const qualifiersOf = (extension: Element) =>
  allAt(extension, qualifications, 'Qualifications', 'QualificationElement', 'Qualifiers', 'Qualifier').map(
    (qualifier) => qualifier.getAttribute('uri')?.split('/').at(-1) ?? '',
  )

const deniedBy = new Map<string, TrustDoubt[]>([
  ['QCNoQSCD', ['device']],
  ['QCNoSSCD', ['device']],
  ['QCForESeal', ['signatures']],
  ['QCForLegalPerson', ['signatures']],
  ['QCForESig', ['seals']],
  ['QCForWSA', ['signatures', 'seals']],
])

/**
 * Returns the statements of a certificate that qualifiers (TS 119 612 clause 5.5.9.2) may make doubtful, because they override the
 * certificate (TS 119 615). Most services have qualifiers for only some of their certificates, by rules that are not evaluated; the service
 * therefore stays trusted, and only the doubtful statements do not count. A type that a certificate states itself does count: the rules of
 * services with several types repeat it.
 */
function overriddenStatements(entry: Element): TrustDoubt[] {
  const qualifiers = extensionsOf(entry).flatMap(qualifiersOf)
  return [...new Set(qualifiers.flatMap((name) => deniedBy.get(name) ?? []))]
}

/** Returns the anchors of services, one for each certificate and period in which it was trusted. */
export const anchorsOf = (services: readonly TrustService[]): TrustAnchor[] =>
  services.flatMap(({ certificates, periods }) =>
    periods
      .filter(({ purposes }) => purposes.length)
      .flatMap(({ from, to, purposes, doubts }) =>
        certificates.map((certificate) => ({
          certificate,
          purposes,
          from,
          // The last moment before the next status.
          ...(to && { to: new Date(to.getTime() - 1) }),
          ...(doubts.length > 0 && { doubts }),
        })),
      ),
  )
