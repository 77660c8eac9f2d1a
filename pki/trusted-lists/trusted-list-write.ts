import type { TrustPurpose } from '../asn1/certificate-path.ts'
import { base64Of } from '../bytes.ts'
import { element, escaped } from '../xml-elements.ts'
import { forPurpose, serviceStatuses, serviceTypes, tsl } from './trust-service.ts'
import { listMimeType, listTypes, type ListPointer, type ListType } from './trusted-list.ts'

/** A status of a service from a time on. */
type StatusDraft = {
  status: keyof typeof serviceStatuses
  from: Date
  /** The purposes of a service that issues certificates. */
  purposes?: readonly Exclude<TrustPurpose, 'timestamps'>[]
}

export type ServiceDraft = {
  type: keyof typeof serviceTypes
  name: string
  /** The certificate in DER. */
  certificate: Uint8Array
  /** The newest first. */
  statuses: [StatusDraft, ...StatusDraft[]]
}

export type TrustedListDraft = {
  type: ListType
  territory: string
  sequenceNumber: number
  issuedAt: Date
  nextUpdate: Date
  /** The publisher of the list. */
  operator: string
  informationUrl: string
  pointers: ListPointer[]
  /** The owner of its services. */
  provider: string
  services: ServiceDraft[]
}

const rules = 'http://uri.etsi.org/TrstSvc/TrustedList'

/** Writes a trusted list in XML (ETSI TS 119 612 v2.3.1) before it is signed. */
export function writeTrustedList(list: TrustedListDraft): string {
  const { type, pointers, services, operator, informationUrl: url } = list
  const suffix = type === 'listOfLists' ? 'EUlistofthelists' : undefined
  return `<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="${tsl}" xmlns:additional="http://uri.etsi.org/02231/v2/additionaltypes#" TSLTag="http://uri.etsi.org/19612/TSLTag">${[
    '<SchemeInformation>',
    element('TSLVersionIdentifier', '6'),
    element('TSLSequenceNumber', String(list.sequenceNumber)),
    element('TSLType', listTypes[type]),
    inEnglish('SchemeOperatorName', 'Name', operator),
    address('SchemeOperatorAddress', list),
    inEnglish('SchemeName', 'Name', `${list.territory}:Trusted list of ${operator}`),
    inEnglish('SchemeInformationURI', 'URI', url),
    element('StatusDeterminationApproach', `${rules}/StatusDetn/${suffix ?? 'EUappropriate'}`),
    inEnglish('SchemeTypeCommunityRules', 'URI', `${rules}/schemerules/${suffix ?? 'EUcommon'}`),
    element('SchemeTerritory', list.territory),
    inEnglish('PolicyOrLegalNotice', 'TSLLegalNotice', 'For tests only; without any legal effect.'),
    element('HistoricalInformationPeriod', '65535'),
    pointers.length
      ? `<PointersToOtherTSL>${pointers.map((to) => pointer(to, list)).join('')}</PointersToOtherTSL>`
      : '',
    element('ListIssueDateTime', timeText(list.issuedAt)),
    `<NextUpdate>${element('dateTime', timeText(list.nextUpdate))}</NextUpdate>`,
    '</SchemeInformation>',
    services.length ? provider(list) : '',
  ].join('\n')}
</TrustServiceStatusList>
`
}

function pointer({ territory, url, certificates }: ListPointer, { operator }: TrustedListDraft): string {
  const about = [
    element('TSLType', listTypes.national),
    element('SchemeTerritory', territory),
    element('additional:MimeType', listMimeType),
    inEnglish('SchemeOperatorName', 'Name', operator),
    inEnglish('SchemeTypeCommunityRules', 'URI', `${rules}/schemerules/EUcommon`),
  ].map((information) => `<OtherInformation>${information}</OtherInformation>`)
  const identities = certificates.map((certificate) => identity(certificate)).join('')
  return `<OtherTSLPointer><ServiceDigitalIdentities>${identities}</ServiceDigitalIdentities>${element('TSLLocation', url)}<AdditionalInformation>${about.join('')}</AdditionalInformation></OtherTSLPointer>`
}

const provider = (list: TrustedListDraft) =>
  `<TrustServiceProviderList><TrustServiceProvider><TSPInformation>${[
    inEnglish('TSPName', 'Name', list.provider),
    inEnglish('TSPTradeName', 'Name', list.provider),
    address('TSPAddress', list),
    inEnglish('TSPInformationURI', 'URI', list.informationUrl),
  ].join(
    '',
  )}</TSPInformation><TSPServices>${list.services.map(service).join('\n')}</TSPServices></TrustServiceProvider></TrustServiceProviderList>`

function service({ type, name, certificate, statuses }: ServiceDraft): string {
  const entries = statuses.map(({ status, from, purposes = [] }) =>
    [
      element('ServiceTypeIdentifier', serviceTypes[type]),
      inEnglish('ServiceName', 'Name', name),
      identity(certificate),
      element('ServiceStatus', serviceStatuses[status]),
      element('StatusStartingTime', timeText(from)),
      purposes.length
        ? `<ServiceInformationExtensions>${purposes
            .map(
              (purpose) =>
                `<Extension Critical="true"><AdditionalServiceInformation><URI xml:lang="en">${forPurpose[purpose]}</URI></AdditionalServiceInformation></Extension>`,
            )
            .join('')}</ServiceInformationExtensions>`
        : '',
    ].join(''),
  )
  const [current, ...former] = entries
  const history = former.map((entry) => `<ServiceHistoryInstance>${entry}</ServiceHistoryInstance>`).join('')
  return `<TSPService><ServiceInformation>${current}</ServiceInformation>${history && `<ServiceHistory>${history}</ServiceHistory>`}</TSPService>`
}

const identity = (certificate: Uint8Array) =>
  `<ServiceDigitalIdentity><DigitalId><X509Certificate>${base64Of(certificate)}</X509Certificate></DigitalId></ServiceDigitalIdentity>`

const address = (name: string, { territory, informationUrl }: TrustedListDraft) =>
  `<${name}><PostalAddresses><PostalAddress xml:lang="en"><StreetAddress>Test Street 1</StreetAddress><Locality>Test</Locality>${element('CountryName', territory)}</PostalAddress></PostalAddresses>${inEnglish('ElectronicAddress', 'URI', informationUrl)}</${name}>`

const inEnglish = (name: string, part: string, text: string) =>
  `<${name}><${part} xml:lang="en">${escaped(text)}</${part}></${name}>`

const timeText = (time: Date) => time.toISOString().replace(/\.\d+Z$/, 'Z')
