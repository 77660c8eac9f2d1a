import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { limits } from '../contract/limits.ts'
import type { Brand } from '../contract/page-config.ts'
import { readBrandFile } from './brand-file.ts'
import { demonstrationBrand } from './brand.ts'
import { keyNames, keyOf, type KeyName, type Values } from './configuration-keys.ts'
import { readSources, type Environment, type Sources } from './configuration-sources.ts'
import { masterKeys } from './data-directory.ts'
import { unsendableSms } from './sms-text.ts'
import { Misconfigured } from './unstartable.ts'
import { weaknessOf } from './weak-secret.ts'

export type Configuration = ReturnType<typeof readConfiguration>

/**
 * Reads the configuration from the environment, and from the file that SYGNET_CONFIG names, which the environment
 * overrules; says every mistake in one sentence each (docs/guides/configure.md).
 */
export function readConfiguration(environment: Environment) {
  const mistakes: string[] = []
  const sources = readSources(environment, mistakes)
  const values = valuesOf(sources, mistakes)
  const { DEMONSTRATION: demonstration, CSC_URL: cscUrl, BOT_CHECK: botCheck } = values
  // What was given and could not be read has been told of already.
  const given = (name: KeyName) => sources.texts[name] !== undefined
  const demand = <T>(name: KeyName, value: T | undefined, why: string) => {
    if (!given(name) && !mistakes.some((one) => one.startsWith(`${name}_FILE `)))
      mistakes.push(`${name} is not set: ${why}`)
    return value
  }

  tellRealDemonstration(values, sources, mistakes)

  const { href, origin: publicUrl } = values.PUBLIC_URL ? new URL(values.PUBLIC_URL) : {}
  if (publicUrl && href !== `${publicUrl}/`) mistakes.push('PUBLIC_URL must be an origin, without a path')
  if (!demonstration && !publicUrl?.startsWith('https://') && !mistakes.some((one) => one.startsWith('PUBLIC_URL ')))
    mistakes.push('PUBLIC_URL is not set to the https:// address that customers use')

  // Of one that is none nothing more is asked.
  const sms = values.SMS_GATEWAY ?? (demonstration || given('SMS_GATEWAY') ? 'message-box' : 'generic')
  if (!demonstration && values.SMS_GATEWAY === 'message-box')
    mistakes.push('SMS_GATEWAY=message-box is for the demonstration only')
  if (!demonstration && !given('SMTP_URL')) demand('SMTP_URL', undefined, 'mails have no way out')
  // What a weak secret would open, a demonstration of one machine shows to anyone on it.
  if (!demonstration || values.DEMONSTRATION_PUBLIC) tellWeakSecrets(values, mistakes)

  if (values.MASTER_KEY ?? sources.masterKeyFile) tellUnfitMasterKey(values.MASTER_KEY, sources, mistakes)

  const hosted = botCheck !== undefined && botCheck !== 'altcha'
  const configuration = {
    port: values.PORT,
    host: values.HOST,
    demonstration,
    demonstrationPublic: values.DEMONSTRATION_PUBLIC,
    publicUrl,
    dataDirectory: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    /** Owns the tables; the same as DATABASE_URL unless the two rights are kept apart. */
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    /** Where Prometheus reads; nowhere unless a port is given. */
    metricsPort: values.METRICS_PORT,
    metricsHost: values.METRICS_HOST,
    /** The collector of traces (OTLP over HTTP); there are none unless it is given. */
    tracesUrl: values.TRACES_URL,
    tracesPercent: values.TRACES_PERCENT,
    /** Seconds in which the node still serves after it has told balancers that it goes. */
    stopDelay: values.STOP_DELAY_SECONDS,
    logLevel: values.LOG_LEVEL,
    masterKey: values.MASTER_KEY,
    masterKeyFile: sources.masterKeyFile,
    trustedProxies: values.TRUSTED_PROXIES,
    smtpUrl: values.SMTP_URL,
    mailFrom:
      (given('SMTP_URL')
        ? demand('MAIL_FROM', values.MAIL_FROM, 'the sender of mails, such as portal@provider.example')
        : undefined) ?? 'portal@sygnet.example',
    sms,
    smsUrl: sms === 'generic' ? demand('SMS_URL', values.SMS_URL, 'the address of the SMS gateway') : values.SMS_URL,
    smsToken:
      sms === 'message-box' ? '' : (demand('SMS_TOKEN', values.SMS_TOKEN, 'the token of the SMS gateway') ?? ''),
    smsFrom: values.SMS_FROM,
    botCheck,
    botCheckSiteKey: hosted
      ? (demand('BOT_CHECK_SITE_KEY', values.BOT_CHECK_SITE_KEY, 'the public key of the bot check') ?? '')
      : '',
    botCheckSecret: hosted
      ? (demand('BOT_CHECK_SECRET', values.BOT_CHECK_SECRET, 'the secret of the bot check') ?? '')
      : '',
    countryLookupUrl: values.COUNTRY_LOOKUP_URL,
    timestampPasswordUrl: values.TIMESTAMP_PASSWORD_URL,
    timestampPasswordToken: given('TIMESTAMP_PASSWORD_URL')
      ? (demand(
          'TIMESTAMP_PASSWORD_TOKEN',
          values.TIMESTAMP_PASSWORD_TOKEN,
          'what the portal shows at TIMESTAMP_PASSWORD_URL',
        ) ?? '')
      : '',
    /** The signing service that keeps the keys of cloud signatures, by the CSC API up to `/csc/v2`. */
    cscUrl,
    cscTokenUrl: values.CSC_TOKEN_URL,
    cscClientId: given('CSC_URL')
      ? (demand('CSC_CLIENT_ID', values.CSC_CLIENT_ID, 'what the signing service knows the portal by') ?? '')
      : '',
    cscClientSecret: given('CSC_URL')
      ? (demand('CSC_CLIENT_SECRET', values.CSC_CLIENT_SECRET, 'what the portal proves that with') ?? '')
      : '',
    /** The timestamp authority of signatures that are made in the portal. */
    tsaUrl: given('CSC_URL')
      ? demand('TSA_URL', values.TSA_URL, 'what is signed in the portal gets a timestamp')
      : values.TSA_URL,
    tsaLogin: values.TSA_LOGIN ?? '',
    tsaPassword: given('TSA_LOGIN')
      ? (demand('TSA_PASSWORD', values.TSA_PASSWORD, 'the password of TSA_LOGIN') ?? '')
      : '',
    /** DER of the authorities whose signatures on documents are accepted. */
    signatureAnchors: readAnchors(values.SIGNATURE_ANCHORS_FILE, mistakes),
    /** EU DSS, which is asked about the authorities then. */
    signatureDssUrl: values.SIGNATURE_DSS_URL,
    /** Whether authorities are asked about certificates, and which hosts of the operator's own network may be named for it. */
    revocationFetch: values.REVOCATION_FETCH,
    revocationHosts: values.REVOCATION_HOSTS,
    archiveRenewalDays: values.ARCHIVE_RENEWAL_DAYS,
    archiveRenewStampedBefore: values.ARCHIVE_RENEW_STAMPED_BEFORE,
    /** Where documents are kept, so much stays free. */
    diskKeepFree: values.DISK_KEEP_FREE_MB * 1_000_000,
    /** A bucket for documents, its name at the end of the path; without one they lie in DATA_DIR. */
    bucketUrl: values.S3_URL?.replace(/\/$/, ''),
    bucketRegion: values.S3_REGION,
    bucketKeyId: given('S3_URL')
      ? (demand('S3_ACCESS_KEY_ID', values.S3_ACCESS_KEY_ID, 'who the portal is for the store at S3_URL') ?? '')
      : '',
    bucketSecret: given('S3_URL')
      ? (demand('S3_SECRET_ACCESS_KEY', values.S3_SECRET_ACCESS_KEY, 'what the portal proves that with') ?? '')
      : '',
    /** clamd: the path of its socket, or host:port. */
    malwareScanner: values.MALWARE_SCANNER,
    brand: readBrand(values.BRAND_FILE, mistakes),
    featuresOff: values.FEATURES_OFF,
    assets: values.ASSETS_URL,
    sessionIdle: values.SESSION_IDLE_SECONDS,
    sessionAbsolute: values.SESSION_ABSOLUTE_SECONDS,
    resetDelay: values.RESET_DELAY_HOURS * 3600,
    // The demonstration's messages cost nothing and land in one box, so that trying things out does not end at the tenth sign-in.
    smsPerNumber: values.SMS_PER_NUMBER ?? (demonstration ? 200 : limits.code.sendsPerRecipient.limit),
    smsPerAddress: values.SMS_PER_ADDRESS ?? (demonstration ? 1000 : limits.code.sendsPerAddress.limit),
    // The switch against a flood of messages that costs money (R27).
    smsSending: values.SMS_SENDING,
    smsCountries: values.SMS_COUNTRIES,
    smsPerRange: values.SMS_PER_RANGE,
    requestsPerSecond: values.REQUESTS_PER_SECOND,
    sealUsers: values.SEAL_USERS,
    webhookHosts: values.WEBHOOK_HOSTS,
    /** For `/.well-known/security.txt`. */
    securityContacts: values.SECURITY_CONTACT,
    securityPolicy: values.SECURITY_POLICY_URL,
  }
  if (configuration.metricsPort && configuration.metricsPort === configuration.port)
    mistakes.push('METRICS_PORT is the same as PORT, where customers come; figures need a port of their own')
  if (configuration.databaseOwnerUrl && !given('DATABASE_URL'))
    mistakes.push('DATABASE_OWNER_URL is set, but DATABASE_URL is not: the embedded database has no other owner')
  const unsendable = unsendableSms({ brand: configuration.brand, publicUrl: publicUrl ?? 'http://127.0.0.1' })
  if (unsendable && !mistakes.some((one) => one.startsWith('PUBLIC_URL ')))
    mistakes.push(
      `BRAND_FILE: product and the host of PUBLIC_URL make an SMS that does not fit into one part (160 characters of GSM-7): ${JSON.stringify(unsendable)}`,
    )
  if (configuration.sessionAbsolute < configuration.sessionIdle)
    mistakes.push('SESSION_ABSOLUTE_SECONDS is less than SESSION_IDLE_SECONDS')
  if (!demonstration && !given('BRAND_FILE'))
    mistakes.push('BRAND_FILE is not set: the portal would show the names and links of the demonstration')
  if (mistakes.length) throw new Misconfigured(mistakes.map((mistake) => `${mistake}.`).join('\n'))
  return configuration
}

/** Each text judged by its key. What is wrong counts as not given, so that what follows from the others is told too. */
function valuesOf({ texts }: Sources, mistakes: string[]): Values {
  const values = keyNames.map((name) => {
    const { schema, standard } = keyOf(name)
    const text = texts[name] ?? standard
    if (text === undefined) return [name, undefined]
    const result = schema.safeParse(text)
    if (result.success) return [name, result.data]
    mistakes.push(...result.error.issues.map(({ message }) => `${name} ${message}`))
    return [name, standard === undefined ? undefined : schema.parse(standard)]
  })
  return Object.fromEntries(values) as Values
}

/** R122: `on` is where everybody begins, so one that looks like a real portal is more likely a forgotten `off`. */
function tellRealDemonstration(values: Values, { texts }: Sources, mistakes: string[]) {
  const { DEMONSTRATION: isOn, DEMONSTRATION_PUBLIC: isPublic } = values
  if (isPublic && !isOn) mistakes.push('DEMONSTRATION_PUBLIC is on, but DEMONSTRATION is off')
  if (!isOn || isPublic || (texts.DEMONSTRATION ?? 'on') !== 'on') return
  const real = keyNames.filter((name) => {
    const text = texts[name]
    // What cannot be read is reported by itself.
    return text !== undefined && keyOf(name).schema.safeParse(text).success && keyOf(name).real?.(text)
  })
  if (real.length)
    mistakes.push(
      `DEMONSTRATION is on, which shows every code and link to anyone, but a real portal’s settings are there (${real.join(', ')}): set DEMONSTRATION=off, or DEMONSTRATION_PUBLIC=on for a demonstration that anyone may use`,
    )
}

/** It is judged where it is read; here so that what is wrong with it is told with the rest. */
function tellUnfitMasterKey(masterKey: string | undefined, { masterKeyFile }: Sources, mistakes: string[]) {
  try {
    masterKeys({ masterKey, masterKeyFile }, '')
  } catch (error) {
    mistakes.push((error as Error).message.replace(/\.$/, ''))
  }
}

/** R82; a master key has to be drawn at random and is judged by that. */
function tellWeakSecrets(values: Values, mistakes: string[]) {
  for (const name of keyNames) {
    const { secret: least } = keyOf(name)
    const value = values[name]
    if (!least || typeof value !== 'string') continue
    // Of an address it is the password, if it has one.
    const secret = name.endsWith('_URL') ? decodeURIComponent(new URL(value).password) : value
    const weakness = (secret || !name.endsWith('_URL')) && weaknessOf(secret, least)
    if (weakness)
      mistakes.push(
        `${name === 'SMTP_URL' || name.startsWith('DATABASE_') ? `The password in ${name}` : name} ${weakness}`,
      )
  }
}

function readAnchors(file: string | undefined, mistakes: string[]): Uint8Array[] {
  if (!file) return []
  try {
    const begin = '-----BEGIN CERTIFICATE-----'
    const blocks = readFileSync(file, 'utf8').split(begin).slice(1)
    if (!blocks.length) mistakes.push('SIGNATURE_ANCHORS_FILE has no certificate in PEM')
    return blocks.map((block) => new Uint8Array(new X509Certificate(begin + block).raw))
  } catch (error) {
    mistakes.push(`SIGNATURE_ANCHORS_FILE cannot be read: ${(error as Error).message}`)
    return []
  }
}

const readBrand = (file: string | undefined, mistakes: string[]): Brand =>
  (file && readBrandFile(file, mistakes)) || demonstrationBrand
