import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isFeature, type Feature } from '../../../contract/features.ts'
import type { Brand } from '../../../contract/page-config.ts'
import { readJweKey, type JweKey } from '../../../pki/jwe.ts'
import { readBrandFile } from '../brand/brand-file.ts'
import { demonstrationBrand } from '../brand/brand.ts'
import { isEmbeddedPostgresInstalled } from '../database/embedded-postgres.ts'
import { unsendableSms } from '../messages/sms-text.ts'
import { errorMessage } from '../observability/skipped-causes.ts'
import { keyNames, keyOf, namedValues, type KeyName, type Values } from './configuration-keys.ts'
import { printable, readSources, fileFaultOf, type Environment, type Sources } from './configuration-sources.ts'
import { masterKeys } from './data-directory.ts'
import { isMistypedFeature } from './keys/brand-keys.ts'
import { wordsOf, weaknessOf } from './keys/key-schemas.ts'
import { ConfigurationError } from './startup-error.ts'

/** Renewal templates of the demonstration, as an operator would set `RENEWAL_TEMPLATES`. */
const demonstrationTemplates = { '1_year': 'TEST-QCS-1Y', '2_year': 'TEST-QCS-2Y', '3_year': 'TEST-QCS-3Y' }

export type Configuration = ReturnType<typeof readConfiguration>

/**
 * Reads the configuration from the environment and the file named by SYGNET_CONFIG, which the environment overrides. Every
 * configuration error is reported (docs/guides/configure.md).
 */
export function readConfiguration(environment: Environment) {
  const errors: string[] = []
  const sources = readSources(environment, errors)
  const values = valuesOf(sources, errors)
  const warnings = [...sources.warnings, ...unknownFeatures(sources.texts.FEATURES_OFF)]
  const { DEMONSTRATION: demonstration, BOT_CHECK: botCheck, FEATURES_OFF: featuresOff } = values
  const reading = readingOf(sources, values, errors)
  const { isGiven, required } = reading
  reportRealDemonstration(values, sources, errors)

  const publicUrl = readPublicUrl(values, errors)
  // An unknown gateway needs no further settings.
  const sms = values.SMS_GATEWAY ?? (demonstration || isGiven('SMS_GATEWAY') ? 'message-box' : 'generic')
  if (!demonstration && values.SMS_GATEWAY === 'message-box')
    errors.push('SMS_GATEWAY=message-box is for the demonstration only')
  if (!demonstration) requireServices(featuresOff, reading)
  // A local demonstration shows everything that a weak secret would protect.
  if (!demonstration || values.DEMONSTRATION_PUBLIC) reportWeakSecrets(values, errors)

  reportUnreadableDatabaseFiles(values, errors)
  if (values.MASTER_KEY ?? sources.masterKeyFile) reportUnfitMasterKey(values.MASTER_KEY, sources, errors)

  requireNeeded({ sms, botCheck }, reading)
  const signs = !featuresOff.includes('signing')
  if (isGiven('CSC_URL') && signs) required('TSA_URL', 'signatures made in the portal need a timestamp')
  const configuration = {
    ...namedValues(values),
    publicUrl,
    masterKeyFile: sources.masterKeyFile,
    mailFrom: values.MAIL_FROM || 'portal@sygnet.example',
    sms,
    smsToken: values.SMS_TOKEN ?? '',
    botCheckSiteKey: values.BOT_CHECK_SITE_KEY ?? '',
    botCheckSecret: values.BOT_CHECK_SECRET ?? '',
    /** The desk of the provider's staff (DSK-1), if there is one. */
    desk: readDesk(values, { ...reading, publicUrl }, errors),
    appActivation: readAppActivation(values, reading, errors),
    /** The signing service that keeps the keys of cloud signatures, by the CSC API up to `/csc/v2`. */
    cscUrl: signs ? values.CSC_URL : undefined,
    /** DER of the authorities whose signatures on documents are accepted. */
    signatureAnchors: readCertificates('SIGNATURE_ANCHORS_FILE', values, errors),
    /** DER of the certificates with which the list of the EU trusted lists is signed. */
    trustedListsCertificates: readCertificates('TRUSTED_LISTS_CERTIFICATES_FILE', values, errors),
    brand: readBrand(values.BRAND_FILE, errors, warnings),
    renewalTemplates: values.RENEWAL_TEMPLATES ?? (demonstration ? demonstrationTemplates : {}),
    /** Sentences for the operator about what was ignored. */
    warnings,
  }
  reportContradictions(configuration, isGiven, errors)
  if (errors.length)
    throw new ConfigurationError(
      errors.map((error) => `${error}.`),
      warnings,
    )
  return configuration
}

/** The functions by which the configuration is read. */
type Reading = {
  /** Checks whether a key has a text. */
  isGiven: (name: KeyName) => boolean
  /** Returns the value of a key, whose absence is an error. */
  required: <K extends KeyName>(name: K, why: string) => Values[K]
}

function readingOf({ texts }: Sources, values: Values, errors: string[]): Reading {
  // Values that could not be read are already reported.
  const isGiven = (name: KeyName) => texts[name] !== undefined
  return {
    isGiven,
    required(name, why) {
      if (!isGiven(name) && !errors.some((error) => error.startsWith(`${name}_FILE `)))
        errors.push(`${name} is not set: ${why}`)
      return values[name]
    },
  }
}

/** Returns the origin that customers use. */
function readPublicUrl({ PUBLIC_URL: url, DEMONSTRATION: demonstration }: Values, errors: string[]) {
  const { href, origin } = url ? new URL(url) : {}
  if (origin && href !== `${origin}/`) errors.push('PUBLIC_URL must be an origin, without a path')
  if (!demonstration && !origin?.startsWith('https://') && !errors.some((error) => error.startsWith('PUBLIC_URL ')))
    errors.push('PUBLIC_URL is not set to the https:// address that customers use')
  return origin
}

/** Requires the keys without which other keys that are set do not work. */
function requireNeeded(
  { sms, botCheck }: { sms: string; botCheck: string | undefined },
  { isGiven, required }: Reading,
) {
  for (const name of keyNames) {
    const { needed } = keyOf(name)
    if (needed && isGiven(needed.with as KeyName)) required(name, needed.why)
  }
  if (sms === 'generic') required('SMS_URL', 'the address of the SMS gateway')
  if (sms !== 'message-box') required('SMS_TOKEN', 'the token of the SMS gateway')
  if (botCheck === undefined || botCheck === 'altcha') return
  required('BOT_CHECK_SITE_KEY', 'the public key of the bot check')
  required('BOT_CHECK_SECRET', 'the secret of the bot check')
}

function requireServices(featuresOff: readonly Feature[], { isGiven, required }: Reading) {
  if (!isGiven('SMTP_URL')) required('SMTP_URL', 'the portal cannot send mails')
  const isOn = (feature: Feature) => !featuresOff.includes(feature)
  // A customer would spend a renewal code on an agreement that nobody can sign (REN-12).
  if (isOn('signing'))
    required(
      'CSC_URL',
      'nothing can be signed in the portal; without a signing service add signing, renewal and file-signing to FEATURES_OFF',
    )
  if (isOn('file-check') || (isOn('documents') && !isGiven('SIGNATURE_DSS_URL')))
    if (!isGiven('TRUSTED_LISTS_URL'))
      required(
        'SIGNATURE_ANCHORS_FILE',
        'no signature would be trusted; without it and TRUSTED_LISTS_URL add documents, file-check and file-signing to FEATURES_OFF',
      )
}

function reportContradictions(configuration: Configuration, given: Reading['isGiven'], errors: string[]): void {
  if (configuration.metricsPort && configuration.metricsPort === configuration.port)
    errors.push('METRICS_PORT is the same as PORT; metrics need a port of their own')
  if (!given('DATABASE_URL') && !isEmbeddedPostgresInstalled())
    errors.push(
      'DATABASE_URL is not set, and there is no embedded PostgreSQL here: set it to the address of a database',
    )
  if (configuration.databaseOwnerUrl && !given('DATABASE_URL'))
    errors.push('DATABASE_OWNER_URL is set, but DATABASE_URL is not: the embedded database needs no owner login')
  if (configuration.databaseDirectUrl && !given('DATABASE_URL'))
    errors.push('DATABASE_DIRECT_URL is set, but DATABASE_URL is not: the embedded database has no pooler')
  const { brand, publicUrl = 'http://127.0.0.1' } = configuration
  const unsendable = unsendableSms({ brand, publicUrl })
  if (unsendable && !errors.some((error) => error.startsWith('PUBLIC_URL ')))
    errors.push(
      `BRAND_FILE: product and the host of PUBLIC_URL make an SMS that does not fit into one part (160 characters of GSM-7): ${JSON.stringify(unsendable)}`,
    )
  if (configuration.sessionAbsoluteSeconds < configuration.sessionIdleSeconds)
    errors.push('SESSION_ABSOLUTE_SECONDS is less than SESSION_IDLE_SECONDS')
  if (!configuration.demonstration && !given('BRAND_FILE'))
    errors.push('BRAND_FILE is not set: the portal would show the names and links of the demonstration')
}

/** Returns the addresses of the database with their keys, the owner's first: it migrates the schema, past a pooler. */
export const databaseAddresses = ({ databaseOwnerUrl, databaseDirectUrl, databaseUrl }: Configuration) =>
  [
    { key: 'DATABASE_OWNER_URL', url: databaseOwnerUrl },
    { key: 'DATABASE_DIRECT_URL', url: databaseDirectUrl },
    { key: 'DATABASE_URL', url: databaseUrl },
  ].flatMap(({ key, url }) => (url ? [{ key, url }] : []))

export const ownerUrlOf = (configuration: Configuration): string | undefined => databaseAddresses(configuration)[0]?.url

/** Parses each value by its key. An invalid value counts as missing, so that errors of other keys are reported too. */
function valuesOf({ texts }: Sources, errors: string[]): Values {
  const values = keyNames.map((name) => {
    const { schema, standard, needed } = keyOf(name)
    const text = texts[name] ?? standard
    if (text === undefined) return [name, needed && '']
    const result = schema.safeParse(text)
    if (result.success) return [name, result.data]
    errors.push(...result.error.issues.map(({ message }) => `${name} ${message}`))
    return [name, standard === undefined ? undefined : schema.parse(standard)]
  })
  return Object.fromEntries(values) as Values
}

/** Returns warnings about unknown features: a newer version may have them, but this one has nothing to switch off (OPS-13). */
const unknownFeatures = (text = '') =>
  wordsOf(text)
    .filter((name) => !isFeature(name) && !isMistypedFeature(name))
    .map((name) => `FEATURES_OFF has ${printable(name)}, which is not a feature of this version, and is ignored.`)

/** Reports a demonstration with real settings: `on` is the default, so it was probably left on by mistake (R122). */
function reportRealDemonstration(values: Values, { texts }: Sources, errors: string[]) {
  const { DEMONSTRATION: isOn, DEMONSTRATION_PUBLIC: isPublic } = values
  if (isPublic && !isOn) errors.push('DEMONSTRATION_PUBLIC is on, but DEMONSTRATION is off')
  if (!isOn || isPublic || (texts.DEMONSTRATION ?? 'on') !== 'on') return
  const real = keyNames.filter((name) => {
    const text = texts[name]
    // An invalid value is reported elsewhere.
    return text !== undefined && keyOf(name).schema.safeParse(text).success && keyOf(name).isReal?.(text)
  })
  if (real.length)
    errors.push(
      `DEMONSTRATION is on, which shows every code and link to anyone, but a real portal’s settings are there (${real.join(', ')}): set DEMONSTRATION=off, or DEMONSTRATION_PUBLIC=on for a demonstration that anyone may use`,
    )
}

/** Checks the files that the addresses of the database name before a connection needs them. */
function reportUnreadableDatabaseFiles(values: Values, errors: string[]) {
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'] as const)
    for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
      const file = values[name] && new URL(values[name]).searchParams.get(parameter)
      try {
        if (file) readFileSync(file)
      } catch (error) {
        errors.push(`${name}: ${parameter} names a file that cannot be read (${fileFaultOf(error)})`)
      }
    }
}

/** Checks the master key before it is needed, so that its errors are reported with the others. */
function reportUnfitMasterKey(masterKey: string | undefined, { masterKeyFile }: Sources, errors: string[]) {
  try {
    masterKeys({ masterKey, masterKeyFile }, '')
  } catch (error) {
    errors.push(errorMessage(error).replace(/\.$/, ''))
  }
}

/** Reports weak secrets (R82). Master keys are checked for randomness elsewhere. */
function reportWeakSecrets(values: Values, errors: string[]) {
  for (const name of keyNames) {
    const { secret: least } = keyOf(name)
    const value = values[name]
    if (!least || !value || typeof value !== 'string') continue
    // In an address, the secret is the password, if there is one.
    const secret = name.endsWith('_URL') ? decodeURIComponent(new URL(value).password) : value
    const weakness = (secret || !name.endsWith('_URL')) && weaknessOf(secret, least)
    const isAddress = name === 'SMTP_URL' || name.startsWith('DATABASE_')
    if (weakness) errors.push(`${isAddress ? `The password in ${name}` : name} ${weakness}`)
  }
}

/** The configuration of the desk of the provider's staff (DSK-1). */
export type DeskConfiguration = {
  port: number
  host: string
  url: string
  /** The OpenID provider; undefined in the demonstration, which has its own. */
  provider:
    | { issuer: string; clientId: string; clientSecret: string; groups: Values['DESK_GROUPS'] & {}; acr: string[] }
    | undefined
}

function readDesk(
  values: Values,
  { isGiven, required, publicUrl }: Reading & { publicUrl: string | undefined },
  errors: string[],
): DeskConfiguration | undefined {
  const { DEMONSTRATION: demonstration, DESK_PORT: port } = values
  if (port === undefined) {
    if (isGiven('DESK_ISSUER') && !isGiven('DESK_PORT')) errors.push('DESK_ISSUER is set, but DESK_PORT is not')
    return undefined
  }
  for (const [name, other] of [
    ['PORT', values.PORT],
    ['METRICS_PORT', values.METRICS_PORT],
  ] as const)
    if (port && port === other) errors.push(`DESK_PORT is the same as ${name}; the desk needs a port of its own`)
  const local = `http://127.0.0.1:${port}`
  const url = demonstration
    ? (values.DESK_URL ?? local)
    : required('DESK_URL', 'the https:// address that your staff use')
  const { href, origin, hostname, protocol } = new URL(url ?? local)
  if (href !== `${origin}/`) errors.push('DESK_URL must be an origin, without a path')
  if (!demonstration && url && protocol !== 'https:') errors.push('DESK_URL must begin with https://')
  // Cookies ignore ports, so another port is enough for a demonstration only (R236).
  const isSameHost = publicUrl !== undefined && new URL(publicUrl).hostname === hostname
  if (origin === publicUrl || (!demonstration && isSameHost))
    errors.push('DESK_URL has the host name of PUBLIC_URL; the desk needs one of its own')
  const desk = { port, host: values.DESK_ADDRESS, url: origin }
  if (demonstration && !isGiven('DESK_ISSUER')) return { ...desk, provider: undefined }
  return {
    ...desk,
    provider: {
      issuer: required('DESK_ISSUER', 'the OpenID provider at which your staff sign in') ?? '',
      clientId: required('DESK_CLIENT_ID', 'the desk as a client of DESK_ISSUER') ?? '',
      clientSecret: required('DESK_CLIENT_SECRET', 'the secret of DESK_CLIENT_ID') ?? '',
      groups: required('DESK_GROUPS', 'the groups of your staff with their roles') ?? noGroups,
      acr: values.DESK_ACR,
    },
  }
}

const noGroups = { reader: [], agent: [], auditor: [], administrator: [] }

/** The maker of the content that signing apps scan (APP-1). */
export type AppActivation =
  | { by: 'provider' }
  /** The provider's service; the demonstration has its own, without a `url`. */
  | { by: 'service'; url: string | undefined; token: string }
  /** The portal with the provider's key; the demonstration has its own, which is not given. */
  | { by: 'portal'; key: JweKey | undefined }

/** The keys that one option alone needs. */
const activationKeys = {
  provider: [],
  service: ['APP_ACTIVATION_URL', 'APP_ACTIVATION_TOKEN'],
  portal: ['APP_ACTIVATION_KEY_FILE'],
} as const

function readAppActivation(values: Values, { isGiven, required }: Reading, errors: string[]): AppActivation {
  const { DEMONSTRATION: demonstration, APP_ACTIVATION_URL: url, APP_ACTIVATION_KEY_FILE: file } = values
  // An unknown option needs no further settings.
  if (isGiven('APP_ACTIVATION') && !values.APP_ACTIVATION) return { by: 'provider' }
  const by = values.APP_ACTIVATION ?? (demonstration ? 'portal' : 'provider')
  for (const [option, names] of Object.entries(activationKeys))
    for (const name of names)
      if (option !== by && isGiven(name))
        errors.push(`${name} is set, but APP_ACTIVATION is ${by}: it is for ${option}`)
  if (by === 'provider') return { by }
  const isRequired = (name: KeyName) => !demonstration || isGiven(name)
  if (by === 'service') {
    if (isRequired('APP_ACTIVATION_URL'))
      required('APP_ACTIVATION_URL', 'the address of the service that activates apps')
    if (isRequired('APP_ACTIVATION_URL')) required('APP_ACTIVATION_TOKEN', 'the token for APP_ACTIVATION_URL')
    return { by, url, token: values.APP_ACTIVATION_TOKEN ?? '' }
  }
  if (isRequired('APP_ACTIVATION_KEY_FILE'))
    required('APP_ACTIVATION_KEY_FILE', 'the public key for which the secrets of apps are encrypted')
  return { by, key: readActivationKey(file, errors) }
}

function readActivationKey(file: string | undefined, errors: string[]): JweKey | undefined {
  if (!file) return undefined
  try {
    return readJweKey(readFileSync(file, 'utf8'))
  } catch (error) {
    errors.push(`APP_ACTIVATION_KEY_FILE cannot be used: ${errorMessage(error)}`)
    return undefined
  }
}

type CertificatesKey = 'SIGNATURE_ANCHORS_FILE' | 'TRUSTED_LISTS_CERTIFICATES_FILE'

function readCertificates(name: CertificatesKey, { [name]: file }: Values, errors: string[]): Uint8Array[] {
  if (!file) return []
  try {
    const begin = '-----BEGIN CERTIFICATE-----'
    const blocks = readFileSync(file, 'utf8').split(begin).slice(1)
    if (!blocks.length) errors.push(`${name} has no certificate in PEM`)
    return blocks.map((block) => new Uint8Array(new X509Certificate(begin + block).raw))
  } catch (error) {
    errors.push(`${name} cannot be read: ${errorMessage(error)}`)
    return []
  }
}

const readBrand = (file: string | undefined, errors: string[], warnings: string[]): Brand =>
  (file && readBrandFile(file, errors, warnings)) || demonstrationBrand
