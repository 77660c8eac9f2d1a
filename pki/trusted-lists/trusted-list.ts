import { hash } from 'node:crypto'
import { verifyListSignature } from './list-signature.ts'
import { readServices, type TrustService, readCertificates, parseTime, tsl } from './trust-service.ts'
import { allAt, childrenOf, firstAt, parseXml, textOf, TrustedListError, xmlText } from './xml.ts'

const additionalTypes = 'http://uri.etsi.org/02231/v2/additionaltypes#'

/** The types of lists (ETSI TS 119 612 §5.3.3). */
export const listTypes = {
  listOfLists: 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists',
  national: 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric',
} as const

export type ListType = keyof typeof listTypes

/** The territory of the list of lists, which no country has. */
const listOfListsTerritory = 'EU'

export const listMimeType = 'application/vnd.etsi.tsl+xml'

/** Address of a country's list, and the certificates (DER); one of them signs the list. */
export type ListPointer = { territory: string; url: string; certificates: Uint8Array[] }

export type TrustedList = {
  type: ListType
  territory: string
  sequenceNumber: number
  issuedAt: Date
  /** The time of the next list; undefined for one that is closed for good. */
  nextUpdate: Date | undefined
  /** Certificate of the signer, DER. */
  signer: Uint8Array
  /** SHA-256 of what is signed. */
  digest: Uint8Array
  /** Pointers in a list of lists; otherwise empty. */
  pointers: ListPointer[]
  /** Services in a national list; otherwise empty. */
  services: TrustService[]
}

export type ExpectedList = {
  type: ListType
  territory: string
  /** DER; one of them signs it. */
  certificates: readonly Uint8Array[]
  maxBytes: number
  now: Date
}

/** Reads a trusted list (ETSI TS 119 612 v2.1.1 to v2.4.1) after verifying its signature; throws TrustedListError. */
export function readTrustedList(
  bytes: Uint8Array,
  { certificates, maxBytes, now, ...wanted }: ExpectedList,
): TrustedList {
  const { content, signer } = verifyListSignature(xmlText(bytes, maxBytes), certificates)
  const root = parseXml(content)
  const list = { ...readContent(root), signer, digest: new Uint8Array(hash('sha256', content, 'buffer')) }
  if (list.type !== wanted.type || list.territory !== wanted.territory)
    throw new TrustedListError('other-list', `it is the list of ${list.territory}, of the type ${list.type}`)
  if (list.nextUpdate && list.nextUpdate < now)
    throw new TrustedListError('expired', `its next update was due on ${list.nextUpdate.toISOString()}`)
  return list
}

function readContent(root: Element): Omit<TrustedList, 'signer' | 'digest'> {
  if (root.namespaceURI !== tsl || root.localName !== 'TrustServiceStatusList')
    throw new TrustedListError('not-a-list', 'the root is no TrustServiceStatusList')
  const [scheme, ...others] = childrenOf(root, tsl, 'SchemeInformation')
  if (!scheme || others.length) throw new TrustedListError('not-a-list', 'not one SchemeInformation')
  const version = textOf(firstAt(scheme, tsl, 'TSLVersionIdentifier'))
  if (version !== '5' && version !== '6') throw new TrustedListError('not-a-list', 'its version is neither 5 nor 6')
  const type = typeOf(textOf(firstAt(scheme, tsl, 'TSLType')))
  if (!type) throw new TrustedListError('not-a-list', 'its type is neither a list of lists nor a national list')
  const sequenceNumber = textOf(firstAt(scheme, tsl, 'TSLSequenceNumber'))
  if (!/^[1-9]\d{0,8}$/.test(sequenceNumber)) throw new TrustedListError('not-a-list', 'its sequence number is none')
  const next = firstAt(scheme, tsl, 'NextUpdate', 'dateTime')
  return {
    type,
    territory: textOf(firstAt(scheme, tsl, 'SchemeTerritory')),
    sequenceNumber: Number(sequenceNumber),
    issuedAt: parseTime(firstAt(scheme, tsl, 'ListIssueDateTime')),
    nextUpdate: next ? parseTime(next) : undefined,
    pointers: type === 'listOfLists' ? readPointers(scheme) : [],
    services: type === 'national' ? readServices(root) : [],
  }
}

const typeOf = (uri: string) => (Object.keys(listTypes) as ListType[]).find((type) => listTypes[type] === uri)

/** Returns the first pointer to each national list in XML; others are to human-readable versions. */
function readPointers(scheme: Element): ListPointer[] {
  const pointers = new Map<string, ListPointer>()
  for (const pointer of allAt(scheme, tsl, 'PointersToOtherTSL', 'OtherTSLPointer')) {
    const about = allAt(pointer, tsl, 'AdditionalInformation', 'OtherInformation')
    const said = (namespace: string, name: string) =>
      textOf(about.map((information) => firstAt(information, namespace, name)).find((found) => found))
    const territory = said(tsl, 'SchemeTerritory')
    const url = textOf(firstAt(pointer, tsl, 'TSLLocation'))
    const isNational = typeOf(said(tsl, 'TSLType')) === 'national' && said(additionalTypes, 'MimeType') === listMimeType
    if (
      !isNational ||
      !/^[A-Z]{2}$/.test(territory) ||
      territory === listOfListsTerritory ||
      !URL.canParse(url) ||
      pointers.has(territory)
    )
      continue
    const identities = allAt(pointer, tsl, 'ServiceDigitalIdentities', 'ServiceDigitalIdentity')
    pointers.set(territory, { territory, url, certificates: identities.flatMap(readCertificates) })
  }
  return [...pointers.values()]
}
