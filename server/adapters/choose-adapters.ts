import type { Configuration } from './configuration.ts'
import { now, type Db } from './db.ts'
import type { Keys } from './keys.ts'
import type { PdfWork, Trust } from './pdf-work.ts'
import { openCircuit } from './ports/circuit.ts'
import { botCheckByAltcha } from './ports/bot-check-altcha.ts'
import { botCheckBySiteverify } from './ports/bot-check-siteverify.ts'
import { countryByHttp, noCountryLookup } from './ports/country-http.ts'
import { documentsInS3 } from './ports/documents-s3.ts'
import { documentsOnDisk } from './ports/documents-disk.ts'
import { mailBySmtp } from './ports/mail-smtp.ts'
import { malwareByClamd } from './ports/malware-clamd.ts'
import type {
  BotCheckPort,
  CountryPort,
  DocumentStore,
  MailPort,
  MalwarePort,
  RemoteSigningPort,
  RevocationPort,
  SmsPort,
  TimestampAccountsPort,
  TimestampPort,
  VerificationPort,
} from './ports/ports.ts'
import { remoteSigningByCsc } from './ports/remote-signing-csc.ts'
import { revocationByHttp } from './ports/revocation-http.ts'
import { smsByGenericGateway, smsBySmsapi } from './ports/sms-http.ts'
import { timestampAccountsByHttp } from './ports/timestamp-accounts-http.ts'
import { timestampsByHttp } from './ports/timestamps-http.ts'
import { verificationBuiltIn } from './ports/verification-built-in.ts'
import { verificationCompared } from './ports/verification-compared.ts'
import { verificationByDss } from './ports/verification-dss.ts'

/** The real adapters that a configuration asks for; undefined where the demonstration's message box stands in. */
export function mailOf({ smtpUrl, mailFrom }: Configuration, publicUrl: string): MailPort | undefined {
  return smtpUrl
    ? mailBySmtp({ url: smtpUrl, from: mailFrom, hostForMessageId: new URL(publicUrl).hostname })
    : undefined
}

export function smsOf({ sms, smsUrl, smsToken, smsFrom }: Configuration): SmsPort | undefined {
  if (sms === 'generic') return smsByGenericGateway({ url: smsUrl!, token: smsToken, from: smsFrom })
  if (sms === 'smsapi') return smsBySmsapi({ token: smsToken, from: smsFrom, ...(smsUrl ? { url: smsUrl } : {}) })
  return undefined
}

export function botCheckOf(
  { botCheck, botCheckSiteKey, botCheckSecret }: Configuration,
  { db, keys, publicUrl }: { db: Db; keys: Keys; publicUrl: string },
): BotCheckPort {
  const databaseTime = async () => (await db.selectNoFrom(now.as('now')).executeTakeFirstOrThrow()).now
  if (botCheck === 'altcha') return botCheckByAltcha({ secret: keys.botCheck, now: databaseTime })
  return botCheckBySiteverify({
    kind: botCheck,
    siteKey: botCheckSiteKey,
    secret: botCheckSecret,
    hostname: new URL(publicUrl).hostname,
    now: databaseTime,
  })
}

export const countryOf = ({ countryLookupUrl }: Configuration): CountryPort =>
  countryLookupUrl ? countryByHttp({ url: countryLookupUrl }) : noCountryLookup

export const timestampAccountsOf = ({
  timestampPasswordUrl: url,
  timestampPasswordToken: token,
}: Configuration): TimestampAccountsPort | undefined =>
  url ? { setPassword: openCircuit()(timestampAccountsByHttp({ url, token }).setPassword) } : undefined

/** Whom the check of signatures believes; undefined where the operator names nobody. */
export function trustOf(
  { signatureAnchors, signatureDssUrl }: Configuration,
  demonstration: (() => Promise<Trust>) | undefined,
): (() => Promise<Trust>) | undefined {
  const anchors = signatureAnchors.map((certificate) => ({ certificate }))
  return anchors.length || signatureDssUrl ? async () => ({ anchors }) : demonstration
}

/** `own`: hosts of this very process, whose certificates the demonstration's are. */
export const revocationOf = (
  { revocationFetch, revocationHosts }: Configuration,
  trust: (() => Promise<Trust>) | undefined,
  own: readonly string[],
): RevocationPort | undefined =>
  revocationFetch && trust ? revocationByHttp({ trust, hosts: [...revocationHosts, ...own] }) : undefined

/** Without anybody whose signatures count, no signed document is taken. */
export function verificationOf(
  { signatureDssUrl }: Configuration,
  pdfWork: PdfWork,
  trust: (() => Promise<Trust>) | undefined,
  revocation: RevocationPort | undefined,
): VerificationPort {
  if (!trust) return { verify: async () => 'unreachable' }
  if (!signatureDssUrl) return verificationCompared(verificationBuiltIn(pdfWork, trust, revocation), pdfWork)
  // DSS asks the authorities itself.
  const { verify } = verificationByDss(verificationBuiltIn(pdfWork, trust), { url: signatureDssUrl })
  return verificationCompared({ verify: openCircuit()(verify) }, pdfWork)
}

export function malwareOf({ malwareScanner }: Configuration): MalwarePort | undefined {
  if (!malwareScanner) return undefined
  const scan = openCircuit()(malwareByClamd(malwareScanner).scan)
  return {
    scan: async (content) => {
      const found = await scan(content)
      // Nobody has read what was not asked about.
      content.destroy()
      return found
    },
  }
}

export function documentsOf(configuration: Configuration, directory: string): DocumentStore {
  const { bucketUrl: url, bucketRegion: region, bucketKeyId, bucketSecret, diskKeepFree: keepFree } = configuration
  if (!url) return documentsOnDisk(directory, { keepFree })
  return documentsInS3({ url, region, accessKeyId: bucketKeyId, secretAccessKey: bucketSecret }, directory, {
    keepFree,
  })
}

export const remoteSigningOf = ({
  cscUrl: url,
  cscTokenUrl: tokenUrl,
  cscClientId: clientId,
  cscClientSecret: clientSecret,
}: Configuration): RemoteSigningPort | undefined => {
  if (!url) return undefined
  const service = remoteSigningByCsc({ url, tokenUrl, clientId, clientSecret })
  const guarded = openCircuit()
  return {
    credentials: guarded(service.credentials),
    sendOtp: guarded(service.sendOtp),
    sign: guarded(service.sign),
  }
}

export const timestampsOf = ({
  tsaUrl: url,
  tsaLogin: login,
  tsaPassword: password,
}: Configuration): TimestampPort | undefined =>
  url ? { stamp: openCircuit()(timestampsByHttp({ url, login, password }).stamp) } : undefined
