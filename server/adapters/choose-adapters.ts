import type { TrustAnchor } from '../../pki/asn1/certificate-path.ts'
import { encryptJwe, type JweKey } from '../../pki/jwe.ts'
import type { Configuration } from '../platform/configuration/configuration.ts'
import { ConfigurationError } from '../platform/configuration/startup-error.ts'
import { readDatabaseTime, type Db } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { PdfWork, Trust } from '../platform/pdf/pdf-work.ts'
import type { ActivationFault, Ports } from '../platform/ports.ts'
import { botCheckByAltcha } from './bot-check-altcha.ts'
import { botCheckBySiteverify } from './bot-check-siteverify.ts'
import { countryByHttp, noCountryLookup } from './country-http.ts'
import { remoteSigningByCsc } from './csc/remote-signing-csc.ts'
import { documentsOnDisk } from './documents-disk.ts'
import { documentsInS3 } from './documents-s3.ts'
import { mailBySmtp, type SmtpMail } from './mail-smtp.ts'
import { malwareByClamd } from './malware-clamd.ts'
import { openCircuit } from './outgoing.ts'
import { activationByHttp, certificateStatusByHttp, timestampAccountsByHttp } from './provider-services-http.ts'
import { revocationByHttp } from './revocation-http.ts'
import { smsByGenericGateway, smsBySmsapi } from './sms-http.ts'
import { timestampsByHttp } from './timestamps-http.ts'
import { trustedListsByHttp } from './trusted-lists-http.ts'
import { verificationBuiltIn, verificationCompared } from './verification-built-in.ts'
import { verificationByDss } from './verification-dss.ts'

/** Creates the configured mail adapter; undefined if the demonstration uses its message box. */
export function chooseMail({ smtpUrl, mailFrom }: Configuration, publicUrl: string): SmtpMail | undefined {
  return smtpUrl
    ? mailBySmtp({ url: smtpUrl, from: mailFrom, hostForMessageId: new URL(publicUrl).hostname })
    : undefined
}

export function chooseSms({ sms, smsUrl, smsToken, smsFrom }: Configuration): Ports['sms'] | undefined {
  if (sms === 'generic' && smsUrl) return smsByGenericGateway({ url: smsUrl, token: smsToken, from: smsFrom })
  if (sms === 'smsapi') return smsBySmsapi({ token: smsToken, from: smsFrom, ...(smsUrl && { url: smsUrl }) })
  return undefined
}

export function chooseBotCheck(
  { botCheck, botCheckSiteKey, botCheckSecret }: Configuration,
  { db, keys, publicUrl }: { db: Db; keys: Keys; publicUrl: string },
): Ports['botCheck'] {
  const now = () => readDatabaseTime(db)
  if (botCheck === 'altcha') return botCheckByAltcha({ secret: keys.botCheck, now })
  return botCheckBySiteverify({
    kind: botCheck,
    siteKey: botCheckSiteKey,
    secret: botCheckSecret,
    hostname: new URL(publicUrl).hostname,
    now,
  })
}

export const chooseCountry = ({ countryLookupUrl }: Configuration): Ports['country'] =>
  countryLookupUrl ? countryByHttp({ url: countryLookupUrl }) : noCountryLookup

export const chooseTimestampAccounts = ({
  timestampPasswordUrl: url,
  timestampPasswordToken: token,
}: Configuration): Ports['timestampAccounts'] =>
  url ? { setPassword: openCircuit()(timestampAccountsByHttp({ url, token }).setPassword) } : undefined

/** Creates the adapter for certificate status. `own`: the interface of the demonstration's authority. */
export function chooseCertificateStatus(
  { caStatusUrl, caStatusToken }: Pick<Configuration, 'caStatusUrl' | 'caStatusToken'>,
  own: { url: string; token: string } | undefined,
): Ports['certificateStatus'] {
  const service = caStatusUrl ? { url: caStatusUrl, token: caStatusToken } : own
  return service && { change: openCircuit()(certificateStatusByHttp(service).change) }
}

/** Creates the adapter for app activation. `own`: the service and the key of the demonstration. */
export function chooseAppActivation(
  { appActivation }: Pick<Configuration, 'appActivation'>,
  own: { service: { url: string; token: string }; key: JweKey } | undefined,
  report: (fault: ActivationFault) => void,
): Ports['appActivation'] {
  const { by } = appActivation
  if (by === 'provider') return { by }
  if (by === 'service') {
    const { url = own?.service.url, token } = appActivation
    if (!url) throw new ConfigurationError('The configuration has no service that activates signing apps.')
    const service = activationByHttp({ url, token: token || (own?.service.token ?? ''), report })
    return { ...service, request: openCircuit()(service.request) }
  }
  const key = appActivation.key ?? own?.key
  if (!key) throw new ConfigurationError('The configuration has no key for the secrets of signing apps.')
  return { by, encryptSecret: (content) => encryptJwe(key, JSON.stringify(content)) }
}

/** Creates the adapter for the configured trusted lists, or for those of the demonstration. `report` gets the problems of a list. */
export function chooseTrustedLists(
  { trustedListsUrl, trustedListsCertificates, trustedListsCountries, revocationHosts }: Configuration,
  own: { url: string; certificate: Uint8Array; host: string } | undefined,
  report: (problem: string) => void,
): Ports['trustedLists'] {
  const common = { countries: trustedListsCountries, report }
  if (trustedListsUrl)
    return trustedListsByHttp({
      ...common,
      url: trustedListsUrl,
      certificates: trustedListsCertificates,
      hosts: revocationHosts,
    })
  return own && trustedListsByHttp({ ...common, url: own.url, certificates: [own.certificate], hosts: [own.host] })
}

/** Returns the trust anchors for signatures, with those of the trusted lists (`listed`); undefined if the operator configures none. */
export function chooseTrust(
  { signatureAnchors, signatureDssUrl }: Configuration,
  demonstration: (() => Promise<Trust>) | undefined,
  listed?: () => Promise<TrustAnchor[]>,
): (() => Promise<Trust>) | undefined {
  const anchors: TrustAnchor[] = signatureAnchors.map((certificate) => ({ certificate }))
  const own = anchors.length || signatureDssUrl ? async () => ({ anchors }) : demonstration
  if (!listed) return own
  return async () => {
    const [trust, more] = await Promise.all([own?.() ?? { anchors }, listed()])
    return { ...trust, anchors: [...trust.anchors, ...more] }
  }
}

/** Creates the adapter for revocation data. `own`: hosts of this process, named in the demonstration's certificates. */
export const chooseRevocation = (
  { revocationFetch, revocationHosts }: Configuration,
  trust: (() => Promise<Trust>) | undefined,
  own: readonly string[],
): Ports['revocation'] =>
  revocationFetch && trust ? revocationByHttp({ trust, hosts: [...revocationHosts, ...own] }) : undefined

/** Creates the adapter for verification. Without trust anchors no signed document is accepted. */
export function chooseVerification(
  { signatureDssUrl }: Configuration,
  pdfWork: PdfWork,
  trust: (() => Promise<Trust>) | undefined,
  revocation: Ports['revocation'],
): Ports['verification'] {
  if (!trust) return { verify: async () => 'unreachable' }
  if (!signatureDssUrl) return verificationCompared(verificationBuiltIn(pdfWork, trust, revocation), pdfWork)
  // DSS fetches revocation data itself.
  const { verify } = verificationByDss(verificationBuiltIn(pdfWork, trust), { url: signatureDssUrl })
  return verificationCompared({ verify: openCircuit()(verify) }, pdfWork)
}

export function chooseMalware({ malwareScanner }: Configuration): Ports['malware'] {
  if (!malwareScanner) return undefined
  const scan = openCircuit()(malwareByClamd(malwareScanner).scan)
  return {
    scan: async (content) => {
      const result = await scan(content)
      // If the circuit is open, nobody has read the content.
      content.destroy()
      return result
    },
  }
}

export function chooseDocumentStore(configuration: Configuration, directory: string): Ports['documents'] {
  const { s3Url, s3Region: region, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = configuration
  const keepFree = configuration.diskKeepFreeMb * 1_000_000
  if (!s3Url) return documentsOnDisk(directory, { keepFree })
  const url = s3Url.replace(/\/$/, '')
  return documentsInS3({ url, region, accessKeyId, secretAccessKey }, directory, { keepFree })
}

/** Returns the storage location of the documents, for the operator. */
export const documentsPlaceOf = ({ s3Url }: Configuration, directory: string) =>
  s3Url ? 'the bucket of S3_URL' : directory

/** Creates the adapter for remote signing. `reportSkipped` gets the number of credentials that cannot be used, by reason. */
export function chooseRemoteSigning(
  configuration: Configuration,
  reportSkipped: (reasons: Record<string, number>) => void,
): Ports['remoteSigning'] {
  const { cscUrl: url, cscTokenUrl: tokenUrl, cscAuthorizeUrl: authorizeUrl, cscAlgorithms: algorithms } = configuration
  if (!url) return undefined
  const client = { clientId: configuration.cscClientId, clientSecret: configuration.cscClientSecret }
  const service = remoteSigningByCsc({ url, tokenUrl, authorizeUrl, ...client, algorithms, reportSkipped })
  const guarded = openCircuit()
  return {
    check: service.check,
    listCredentials: guarded(service.listCredentials),
    sendOtp: guarded(service.sendOtp),
    createAuthorisationPage: guarded(service.createAuthorisationPage),
    sign: guarded(service.sign),
  }
}

export const chooseTimestamps = ({
  tsaUrl: url,
  tsaLogin: login = '',
  tsaPassword: password,
}: Configuration): Ports['timestamps'] =>
  url ? { stamp: openCircuit()(timestampsByHttp({ url, login, password }).stamp) } : undefined
