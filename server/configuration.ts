import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { limits } from '../contract/limits.ts'
import { Brand } from '../contract/page-config.ts'
import { isPhoneCountry } from '../contract/phone.ts'
import { demonstrationBrand } from './brand.ts'

/** A start that cannot be; the message is a sentence for the operator. */
export class Unstartable extends Error {}

export type Configuration = ReturnType<typeof readConfiguration>

type Environment = Record<string, string | undefined>

/** Reads the configuration from environment variables and says every mistake in one sentence each (README, Configuration). */
export function readConfiguration(environment: Environment) {
  const mistakes: string[] = []
  const value = (name: string) => environment[name]?.trim() || undefined
  const demand = (name: string, why: string) => value(name) ?? (mistakes.push(`${name} is not set: ${why}`), '')
  const url = (name: string, ...schemes: string[]) => {
    const text = value(name)
    if (text && !(URL.canParse(text) && schemes.includes(new URL(text).protocol)))
      mistakes.push(`${name} is not an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
    return text
  }
  const choice = <T extends string>(name: string, choices: readonly [T, ...T[]]): T => {
    const text = value(name) ?? choices[0]
    const chosen = choices.find((one) => one === text)
    if (!chosen) mistakes.push(`${name} is ${text}; it can be ${[...new Set(choices)].join(', ')}`)
    return chosen ?? choices[0]
  }

  const whole = (name: string, standard: number, least: number) => {
    const number = Number(value(name) ?? standard)
    if (!Number.isInteger(number) || number < least) mistakes.push(`${name} is not a whole number from ${least} on`)
    return number
  }

  const port = Number(value('PORT') ?? 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) mistakes.push('PORT is not a number from 0 to 65535')
  const host = value('HOST') ?? '127.0.0.1'
  const demonstration = choice('DEMONSTRATION', ['on', 'off']) === 'on'
  if (demonstration && !/^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/.test(host))
    mistakes.push(
      'HOST is not a loopback address, but DEMONSTRATION is on, which shows every code and link to anyone; set DEMONSTRATION=off',
    )

  const publicUrl = url('PUBLIC_URL', 'https:', 'http:')?.replace(/\/$/, '')
  if (publicUrl && URL.canParse(publicUrl) && new URL(publicUrl).origin !== publicUrl)
    mistakes.push('PUBLIC_URL must be an origin, without a path')
  if (!demonstration && !publicUrl?.startsWith('https://'))
    mistakes.push('PUBLIC_URL is not set to the https:// address that customers use')

  const botCheck = choice('BOT_CHECK', ['altcha', 'turnstile', 'hcaptcha', 'recaptcha'])
  const smtpUrl = url('SMTP_URL', 'smtp:', 'smtps:')
  const smsGateway = choice('SMS_GATEWAY', [
    demonstration ? 'message-box' : 'generic',
    'generic',
    'smsapi',
    'message-box',
  ])
  if (!demonstration && smsGateway === 'message-box')
    mistakes.push('SMS_GATEWAY=message-box is for the demonstration only')
  if (!demonstration && !smtpUrl) mistakes.push('SMTP_URL is not set: mails have no way out')

  const trustedProxies = (value('TRUSTED_PROXIES') ?? '').split(/[\s,]+/).filter(Boolean)
  for (const proxy of trustedProxies.filter((one) => !isNetwork(one)))
    mistakes.push(`TRUSTED_PROXIES has ${proxy}, which is neither an address nor a network such as 10.0.0.0/8`)

  const configuration = {
    port,
    host,
    demonstration,
    publicUrl,
    dataDirectory: value('DATA_DIR'),
    databaseUrl: url('DATABASE_URL', 'postgres:', 'postgresql:'),
    /** Owns the tables; the same as DATABASE_URL unless the two rights are kept apart. */
    databaseOwnerUrl: url('DATABASE_OWNER_URL', 'postgres:', 'postgresql:'),
    /** Where Prometheus reads; nowhere unless a port is given. */
    metricsPort: value('METRICS_PORT') === undefined ? undefined : whole('METRICS_PORT', 0, 0),
    metricsHost: value('METRICS_HOST') ?? '127.0.0.1',
    /** The collector of traces (OTLP over HTTP); there are none unless it is given. */
    tracesUrl: url('TRACES_URL', 'https:', 'http:'),
    tracesPercent: whole('TRACES_PERCENT', 100, 0),
    /** Seconds in which the node still serves after it has told balancers that it goes. */
    stopDelay: whole('STOP_DELAY_SECONDS', 0, 0),
    logLevel: choice('LOG_LEVEL', ['warn', 'error', 'info', 'debug', 'trace']),
    masterKey: value('MASTER_KEY'),
    masterKeyFile: value('MASTER_KEY_FILE'),
    trustedProxies,
    smtpUrl,
    mailFrom: smtpUrl
      ? demand('MAIL_FROM', 'the sender of mails, such as portal@provider.example')
      : 'portal@sygnet.example',
    sms: smsGateway,
    smsUrl:
      smsGateway === 'generic'
        ? (demand('SMS_URL', 'the address of the SMS gateway'), url('SMS_URL', 'https:', 'http:')!)
        : url('SMS_URL', 'https:', 'http:'),
    smsToken: smsGateway === 'message-box' ? '' : demand('SMS_TOKEN', 'the token of the SMS gateway'),
    smsFrom: value('SMS_FROM'),
    botCheck,
    botCheckSiteKey: botCheck === 'altcha' ? '' : demand('BOT_CHECK_SITE_KEY', 'the public key of the bot check'),
    botCheckSecret: botCheck === 'altcha' ? '' : demand('BOT_CHECK_SECRET', 'the secret of the bot check'),
    countryLookupUrl: url('COUNTRY_LOOKUP_URL', 'https:', 'http:'),
    timestampPasswordUrl: url('TIMESTAMP_PASSWORD_URL', 'https:', 'http:'),
    timestampPasswordToken: value('TIMESTAMP_PASSWORD_URL')
      ? demand('TIMESTAMP_PASSWORD_TOKEN', 'what the portal shows at TIMESTAMP_PASSWORD_URL')
      : '',
    /** The signing service that keeps the keys of cloud signatures, by the CSC API up to `/csc/v2`. */
    cscUrl: url('CSC_URL', 'https:', 'http:'),
    cscTokenUrl: url('CSC_TOKEN_URL', 'https:', 'http:'),
    cscClientId: value('CSC_URL') ? demand('CSC_CLIENT_ID', 'what the signing service knows the portal by') : '',
    cscClientSecret: value('CSC_URL') ? demand('CSC_CLIENT_SECRET', 'what the portal proves that with') : '',
    /** The timestamp authority of signatures that are made in the portal. */
    tsaUrl: value('CSC_URL')
      ? (demand('TSA_URL', 'what is signed in the portal gets a timestamp'), url('TSA_URL', 'https:', 'http:'))
      : url('TSA_URL', 'https:', 'http:'),
    tsaLogin: value('TSA_LOGIN') ?? '',
    tsaPassword: value('TSA_LOGIN') ? demand('TSA_PASSWORD', 'the password of TSA_LOGIN') : '',
    /** DER of the authorities whose signatures on documents are accepted. */
    signatureAnchors: readAnchors(value('SIGNATURE_ANCHORS_FILE'), mistakes),
    /** EU DSS, which is asked about the authorities then. */
    signatureDssUrl: url('SIGNATURE_DSS_URL', 'https:', 'http:'),
    /** Where documents are kept, so much stays free. */
    diskKeepFree: whole('DISK_KEEP_FREE_MB', 512, 0) * 1_000_000,
    /** A bucket for documents, its name at the end of the path; without one they lie in DATA_DIR. */
    bucketUrl: url('S3_URL', 'https:', 'http:')?.replace(/\/$/, ''),
    bucketRegion: value('S3_REGION') ?? 'us-east-1',
    bucketKeyId: value('S3_URL') ? demand('S3_ACCESS_KEY_ID', 'who the portal is for the store at S3_URL') : '',
    bucketSecret: value('S3_URL') ? demand('S3_SECRET_ACCESS_KEY', 'what the portal proves that with') : '',
    /** clamd: the path of its socket, or host:port. */
    malwareScanner: value('MALWARE_SCANNER'),
    brand: readBrand(value('BRAND_FILE'), mistakes),
    assets: value('ASSETS_URL') ?? '/assets/',
    sessionIdle: whole('SESSION_IDLE_SECONDS', limits.session.idle, 180),
    sessionAbsolute: whole('SESSION_ABSOLUTE_SECONDS', limits.session.absolute, 180),
    // The demonstration's messages cost nothing and land in one box, so that trying things out does not end at the tenth sign-in.
    smsPerNumber: whole('SMS_PER_NUMBER', demonstration ? 200 : limits.code.sendsPerRecipient.limit, 1),
    smsPerAddress: whole('SMS_PER_ADDRESS', demonstration ? 1000 : limits.code.sendsPerAddress.limit, 1),
    // The switch against a flood of messages that costs money (R27).
    smsSending: choice('SMS_SENDING', ['on', 'off']) === 'on',
    smsCountries: readCountries(value('SMS_COUNTRIES'), mistakes),
    smsPerRange: whole('SMS_PER_RANGE', limits.code.sendsPerRange, 1),
    sealUsers: whole('SEAL_USERS', limits.seal.users, 1),
    databaseConnections: whole('DATABASE_CONNECTIONS', 10, 2),
  }
  // Our own origin only: the policy of pages lets in nobody else's scripts (R64).
  if (!/^\/(?:[\w-]+\/)+$/.test(configuration.assets))
    mistakes.push('ASSETS_URL must be a path that begins and ends with /, such as /assets/')
  if ((configuration.metricsPort ?? 0) > 65_535) mistakes.push('METRICS_PORT is not a number from 0 to 65535')
  if (configuration.metricsPort && configuration.metricsPort === port)
    mistakes.push('METRICS_PORT is the same as PORT, where customers come; figures need a port of their own')
  if (configuration.tracesPercent > 100) mistakes.push('TRACES_PERCENT is more than 100')
  if (configuration.stopDelay > 20)
    mistakes.push('STOP_DELAY_SECONDS is more than 20, and a node should be gone after 30')
  if (
    configuration.bucketUrl &&
    URL.canParse(configuration.bucketUrl) &&
    !/^\/./.test(new URL(configuration.bucketUrl).pathname)
  )
    mistakes.push('S3_URL has no name of a bucket in its path')
  if (configuration.masterKey && configuration.masterKeyFile)
    mistakes.push('MASTER_KEY and MASTER_KEY_FILE are both set; only one can be meant')
  if (configuration.sessionAbsolute < configuration.sessionIdle)
    mistakes.push('SESSION_ABSOLUTE_SECONDS is less than SESSION_IDLE_SECONDS')
  if (!demonstration && configuration.brand === demonstrationBrand)
    mistakes.push('BRAND_FILE is not set: the portal would show the names and links of the demonstration')
  if (mistakes.length) throw new Unstartable(mistakes.map((mistake) => `${mistake}.`).join('\n'))
  return configuration
}

/** An address or a range of them, not of all of them: that would let anyone say where they come from (R67). */
function isNetwork(text: string) {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (!version || more.length) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Where customers of a Polish provider live: the European Economic Area and its neighbours. */
const nearCountries =
  'PL AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PT RO SE SI SK UA'

function readCountries(text: string | undefined, mistakes: string[]): string[] {
  const countries = (text ?? nearCountries)
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  for (const one of countries.filter((country) => !isPhoneCountry(country)))
    mistakes.push(`SMS_COUNTRIES has ${one}, which is not a country’s two letters`)
  return countries
}

function readAnchors(file: string | undefined, mistakes: string[]): Uint8Array[] {
  if (!file) return []
  try {
    const blocks = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    if (!blocks.length) mistakes.push('SIGNATURE_ANCHORS_FILE has no certificate in PEM')
    return blocks.map((block) => new Uint8Array(new X509Certificate(block).raw))
  } catch (error) {
    mistakes.push(`SIGNATURE_ANCHORS_FILE cannot be read: ${(error as Error).message}`)
    return []
  }
}

function readBrand(file: string | undefined, mistakes: string[]): Brand {
  if (!file) return demonstrationBrand
  try {
    return Brand.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const reason = error instanceof z.core.$ZodError ? error.issues.map(faultOf).join('; ') : (error as Error).message
    mistakes.push(`BRAND_FILE cannot be read: ${reason}`)
    return demonstrationBrand
  }
}

const faultOf = (issue: z.core.$ZodIssue) =>
  issue.code === 'unrecognized_keys'
    ? `${issue.keys.join(', ')} is not known`
    : `${issue.path.join('.') || 'the whole'} is missing or no text`
