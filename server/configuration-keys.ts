import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { features, isFeature, neededBy, type Feature } from '../contract/features.ts'
import { limits } from '../contract/limits.ts'
import { isPhoneCountry } from '../contract/phone.ts'
import { senderOf } from './mail-sender.ts'

/** One key of the configuration, as it is read and as docs/guides/configure.md tells of it. Messages end the sentence "KEY …". */
type Key = {
  group: keyof typeof groups
  about: string
  /** What it can be, in words. */
  type: string
  schema: z.ZodMiniType<unknown, string>
  /** The text that is read where none is given. */
  standard?: string
  /** Where that is no text of its own: what holds instead, in words. */
  otherwise?: string
  example: string
  /** Never told, and read from the file that NAME_FILE names as well (R82); the fewest characters that it can have. */
  secret?: number
  /** Whether a value is one that only a real portal has: a demonstration with it must be declared public (R122). */
  real?: (value: string) => boolean
}

export const groups = {
  place: 'Where it listens and keeps things',
  messages: 'Mails and SMS',
  visitors: 'Visitors and sessions',
  look: 'Look and features',
  documents: 'Documents and signatures',
  provider: 'The provider’s other systems',
}

const text = z.string()
const about = (is: (value: string) => boolean, fault: string) => z.string().check(z.refine(is, fault))
const addressOf = (...schemes: string[]) =>
  about(
    (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol),
    `is not an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  ).check(z.refine(isDecodable, 'has a % in its login or password that is a sign of its own: write it as %25'))
const web = addressOf('https:', 'http:')
const pathIn = (value: string) => (URL.canParse(value) ? new URL(value).pathname : '/x')
const mailServer = addressOf('smtp:', 'smtps:').check(
  z.refine((value) => !/^smtps?:\/*(?:[?#]|$)/.test(value), 'has no host'),
)
const database = addressOf('postgres:', 'postgresql:')

/** Without a bound of its own as large as the database counts. */
const whole = (least: number, most = 1_000_000_000) =>
  z.pipe(
    about(
      (value) => /^-?\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `is not a whole number from ${least} to ${most}`,
    ),
    z.transform(Number),
  )

const isLoopback = (host: string) => /^(?:127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/.test(host)
const always = () => true

/** What a listener is opened on. */
const ownAddress = about((value) => isIP(value) !== 0 || value === 'localhost', 'is not an IP address such as 0.0.0.0')

const choice = <const T extends string>(...choices: readonly T[]) =>
  z.enum(choices, {
    error: ({ input }) => `is ${String(input)}; it can be ${choices.join(', ')}`,
  }) as unknown as z.ZodMiniType<T, string>

const onOff = z.pipe(
  choice('on', 'off'),
  z.transform((value) => value === 'on'),
)

/** Words with spaces or commas between them; `fault` is told of each that is not `is`. */
const listOf = (is: (word: string) => boolean, fault: string, spell = (word: string) => word) =>
  z.pipe(
    z.string(),
    z.transform((value, context) => {
      const words = value
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(spell)
      for (const word of words.filter((one) => !is(one)))
        context.issues.push({ code: 'custom', message: `has ${word}, which is ${fault}`, input: value })
      return words
    }),
  ) as unknown as z.ZodMiniType<string[], string>

/** As hosts stand in addresses, where the usual port is left out; what is more than a host stays as it is. */
function hostOf(word: string): string {
  const url = URL.canParse(`https://${word}`) ? new URL(`https://${word}`) : undefined
  return url?.href === `https://${url?.host}/` ? url.host : word
}
/** Drivers decode both, and take a sign that stands for nothing as a fault of their own. */
function isDecodable(value: string) {
  if (!URL.canParse(value)) return true
  const { username, password } = new URL(value)
  try {
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}
const isHost = (word: string) =>
  !word.includes('*') && URL.canParse(`https://${word}`) && new URL(`https://${word}`).host === word

const featuresOff = z.pipe(
  listOf(isFeature, `no feature; there are ${Object.keys(features).join(', ')}`),
  z.transform((words, context) => {
    const off = words as Feature[]
    for (const one of off)
      for (const other of neededBy(one).filter((needy) => !off.includes(needy)))
        context.issues.push({
          code: 'custom',
          message: `has ${one} but not ${other}, which cannot do without it`,
          input: words,
        })
    return off
  }),
) as unknown as z.ZodMiniType<Feature[], string>

/** An address or a range of them, not of all of them: that would let anyone say where they come from (R67). */
function isNetwork(word: string) {
  const [address = '', bits, ...more] = word.split('/')
  const version = isIP(address)
  if (!version || more.length) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Where customers of a Polish provider live: the European Economic Area and its neighbours. */
const nearCountries =
  'PL AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PT RO SE SI SK UA'

const webAddress = 'https:// address, or http:// within your own network'
const path = 'path of a file'

/**
 * Every key there is, in the order of the guide. Values are texts, from the environment or from the file that
 * SYGNET_CONFIG names; nothing else is read.
 */
export const configurationKeys = {
  PORT: {
    group: 'place',
    about: 'The port on which the portal listens.',
    type: 'whole number from 0 to 65535',
    schema: whole(0, 65_535),
    standard: '3000',
    example: '8080',
  },
  HOST: {
    group: 'place',
    about: 'The address on which it listens.',
    type: 'IP address',
    schema: ownAddress,
    standard: '127.0.0.1',
    example: '0.0.0.0',
    real: (value) => !isLoopback(value),
  },
  DEMONSTRATION: {
    group: 'place',
    about: 'Invented customers, the embedded provider, and a page that shows every message. `off` for earnest.',
    type: '`on` or `off`',
    schema: onOff,
    standard: 'on',
    example: 'off',
  },
  DEMONSTRATION_PUBLIC: {
    group: 'place',
    about:
      'Declares that the demonstration may be reached by anyone. Without it, a demonstration does not start with what a real portal has: a public address, a database of its own, trusted proxies or real gateways.',
    type: '`on` or `off`',
    schema: onOff,
    standard: 'off',
    example: 'on',
  },
  PUBLIC_URL: {
    group: 'place',
    about: 'The origin that customers use. Every link in a message begins with it, and no other host is answered.',
    type: '`https://` origin, without a path',
    schema: web,
    otherwise: 'needed in earnest',
    example: 'https://portal.provider.example',
    real: (value) => !isLoopback(new URL(value).hostname),
  },
  TRUSTED_PROXIES: {
    group: 'place',
    about: 'The reverse proxies whose `X-Forwarded-For` is believed.',
    type: 'addresses and networks, with spaces or commas between them',
    schema: listOf(isNetwork, 'neither an address nor a network such as 10.0.0.0/8'),
    standard: '',
    example: '10.0.0.4, 10.1.0.0/16',
    real: always,
  },
  DATA_DIR: {
    group: 'place',
    about: 'Documents, the embedded database, and keys that were not given.',
    type: 'path of a folder',
    schema: text,
    otherwise: '`.data`',
    example: '/var/lib/sygnet',
  },
  DATABASE_URL: {
    group: 'place',
    about: 'A PostgreSQL from 15 on.',
    type: '`postgres://` address',
    schema: database,
    otherwise: 'the embedded one',
    example: 'postgres://sygnet@db.provider.example/sygnet?sslmode=verify-full',
    secret: 8,
    real: always,
  },
  DATABASE_OWNER_URL: {
    group: 'place',
    about: 'The owner of the tables, where the right to migrate is kept apart.',
    type: '`postgres://` address',
    schema: database,
    otherwise: '`DATABASE_URL`',
    example: 'postgres://sygnet_owner@db.provider.example/sygnet',
    secret: 8,
    real: always,
  },
  DATABASE_CONNECTIONS: {
    group: 'place',
    about: 'Connections that one node opens.',
    type: 'whole number from 2 on',
    schema: whole(2),
    standard: '10',
    example: '20',
  },
  MASTER_KEY: {
    group: 'place',
    about: 'The master key, with older ones after it while they are rotated, see [keys](keys.md).',
    type: '32 random bytes or more, in base64',
    schema: text,
    otherwise: 'made in `DATA_DIR`',
    example: 'the output of `openssl rand -base64 32`',
    secret: 0,
  },
  METRICS_PORT: {
    group: 'place',
    about: 'Where Prometheus reads, apart from where customers come, see [monitoring](monitoring.md).',
    type: 'port',
    schema: whole(0, 65_535),
    otherwise: 'none, and then there are no figures',
    example: '9464',
  },
  METRICS_HOST: {
    group: 'place',
    about: 'The address that METRICS_PORT is on.',
    type: 'IP address of this machine',
    schema: ownAddress,
    standard: '127.0.0.1',
    example: '10.0.0.11',
    real: (value) => !isLoopback(value),
  },
  TRACES_URL: {
    group: 'place',
    about: 'The OpenTelemetry collector that is told of requests (OTLP over HTTP).',
    type: webAddress,
    schema: web,
    otherwise: 'none',
    example: 'http://collector.provider.example:4318/v1/traces',
    real: (value) => !isLoopback(new URL(value).hostname),
  },
  TRACES_PERCENT: {
    group: 'place',
    about: 'How many of a hundred traces it gets.',
    type: 'whole number from 0 to 100',
    schema: whole(0, 100),
    standard: '100',
    example: '5',
  },
  STOP_DELAY_SECONDS: {
    group: 'place',
    about: 'How long a node that was told to stop still serves, while `/readyz` already says so to balancers.',
    type: 'whole number from 0 to 20',
    schema: whole(0, 20),
    standard: '0',
    example: '6',
  },
  LOG_LEVEL: {
    group: 'place',
    about: 'How much the log tells; `info` has each request. No level tells of persons.',
    type: '`warn`, `error`, `info`, `debug` or `trace`',
    schema: choice('warn', 'error', 'info', 'debug', 'trace'),
    standard: 'warn',
    example: 'info',
  },
  DISK_KEEP_FREE_MB: {
    group: 'place',
    about:
      'So much stays free where `DATA_DIR` is: a document that could take of it is refused with 507, and an alarm is raised.',
    type: 'whole number from 0 on, megabytes',
    schema: whole(0),
    standard: '512',
    example: '2048',
  },
  SMTP_URL: {
    group: 'messages',
    about: 'The server that takes mails.',
    type: '`smtps://` or `smtp://` address, with user and password if it wants them',
    schema: mailServer,
    otherwise: 'needed in earnest',
    example: 'smtps://portal@mail.provider.example',
    secret: 8,
    real: always,
  },
  MAIL_FROM: {
    group: 'messages',
    about: 'The sender of mails.',
    type: 'e-mail address, or `Name <address>`',
    schema: about((value) => senderOf(value) !== undefined, 'is neither an e-mail address nor Name <address>'),
    otherwise: 'needed with `SMTP_URL`',
    example: 'portal@provider.example',
  },
  SMS_GATEWAY: {
    group: 'messages',
    about: 'What kind of gateway sends SMS, see [SMS gateway](sms-gateway.md).',
    type: '`generic`, `smsapi`, or in the demonstration `message-box`',
    schema: choice('generic', 'smsapi', 'message-box'),
    otherwise: '`generic`; `message-box` in the demonstration',
    example: 'smsapi',
    real: (value) => value !== 'message-box',
  },
  SMS_URL: {
    group: 'messages',
    about: 'Its address.',
    type: webAddress,
    schema: web,
    otherwise: 'needed for `generic`',
    example: 'https://sms.provider.example/send',
    real: always,
  },
  SMS_TOKEN: {
    group: 'messages',
    about: 'What the portal shows there.',
    type: 'text from 16 characters on',
    schema: text,
    otherwise: 'needed with a gateway',
    example: 'as the gateway gave it',
    secret: 16,
    real: always,
  },
  SMS_FROM: {
    group: 'messages',
    about: 'The name of the sender.',
    type: 'text',
    schema: text,
    otherwise: 'the gateway’s own',
    example: 'Provider',
    real: always,
  },
  SMS_SENDING: {
    group: 'messages',
    about: '`off` stops every SMS at once.',
    type: '`on` or `off`',
    schema: onOff,
    standard: 'on',
    example: 'off',
  },
  SMS_COUNTRIES: {
    group: 'messages',
    about: 'Countries to whose numbers SMS are sent.',
    type: 'two letters each, with spaces or commas between them',
    schema: listOf(isPhoneCountry, 'not a country’s two letters', (word) => word.toUpperCase()),
    standard: nearCountries,
    otherwise: 'the EEA, Switzerland, the United Kingdom, Ukraine',
    example: 'PL, DE',
  },
  SMS_PER_NUMBER: {
    group: 'messages',
    about: 'SMS in 24 hours to one number, for unknown devices; known devices have as many of their own.',
    type: 'whole number from 1 on',
    schema: whole(1),
    otherwise: `\`${limits.code.sendsPerRecipient.limit}\`; \`200\` in the demonstration`,
    example: '10',
  },
  SMS_PER_ADDRESS: {
    group: 'messages',
    about:
      'SMS in 24 hours asked for from one network address, for unknown devices and new numbers, whose code nobody has entered.',
    type: 'whole number from 1 on',
    schema: whole(1),
    otherwise: `\`${limits.code.sendsPerAddress.limit}\`; \`1000\` in the demonstration`,
    example: '30',
  },
  SMS_PER_RANGE: {
    group: 'messages',
    about:
      'SMS in 24 hours to the numbers that share the country’s code and three digits; a fifth of it more to those that nobody has confirmed.',
    type: 'whole number from 1 on',
    schema: whole(1),
    standard: String(limits.code.sendsPerRange),
    example: '2000',
  },
  BOT_CHECK: {
    group: 'visitors',
    about: 'Who tells persons from robots: the built-in check, or a hosted one.',
    type: '`altcha`, `turnstile`, `hcaptcha` or `recaptcha`',
    schema: choice('altcha', 'turnstile', 'hcaptcha', 'recaptcha'),
    standard: 'altcha',
    example: 'turnstile',
    real: (value) => value !== 'altcha',
  },
  BOT_CHECK_SITE_KEY: {
    group: 'visitors',
    about: 'The public key of the hosted check.',
    type: 'text',
    schema: text,
    otherwise: 'needed for a hosted check',
    example: '0x4AAAAAAA…',
    real: always,
  },
  BOT_CHECK_SECRET: {
    group: 'visitors',
    about: 'Its secret.',
    type: 'text from 16 characters on',
    schema: text,
    otherwise: 'needed for a hosted check',
    example: 'as the check gave it',
    secret: 16,
    real: always,
  },
  COUNTRY_LOOKUP_URL: {
    group: 'visitors',
    about: 'A service that tells the country of a network address, for the entry of phone numbers (PHO-2).',
    type: webAddress,
    schema: web,
    otherwise: 'nobody is asked',
    example: 'https://country.provider.example/?ip=',
    real: always,
  },
  SESSION_IDLE_SECONDS: {
    group: 'visitors',
    about: 'A session ends after so long without an act.',
    type: 'whole number from 180 to 604800',
    schema: whole(180, 604_800),
    standard: String(limits.session.idle),
    example: '600',
  },
  SESSION_ABSOLUTE_SECONDS: {
    group: 'visitors',
    about: 'A session ends after so long in any case.',
    type: 'whole number from 180 to 604800, not below the one before',
    schema: whole(180, 604_800),
    standard: String(limits.session.absolute),
    example: '14400',
  },
  RESET_DELAY_HOURS: {
    group: 'visitors',
    about:
      'After the provider has changed a customer’s e-mail address or phone number, so long no link to a new password is sent. The customer is notified of the change and has this time to call; who knows the password signs in at once. `0` for no delay.',
    type: 'whole number from 0 to 720',
    schema: whole(0, 720),
    standard: '24',
    example: '48',
  },
  REQUESTS_PER_SECOND: {
    group: 'visitors',
    about: `Requests of one network address to one node, files not counted; ${limits.requests.burst} seconds’ worth may come at once.`,
    type: 'whole number from 1 on',
    schema: whole(1),
    standard: String(limits.requests.perSecond),
    example: '300',
  },
  SEAL_USERS: {
    group: 'visitors',
    about: 'Users that one seal can have at a time, removed ones not counted.',
    type: 'whole number from 1 on',
    schema: whole(1),
    standard: String(limits.seal.users),
    example: '200',
  },
  BRAND_FILE: {
    group: 'look',
    about: 'Names, links, support hours, colours, mark and texts of your own, see below.',
    type: path,
    schema: text,
    otherwise: 'the demonstration’s; needed in earnest',
    example: '/etc/sygnet/brand.json',
  },
  SECURITY_CONTACT: {
    group: 'look',
    about: 'Where weaknesses are reported; `/.well-known/security.txt` (RFC 9116) is there with it.',
    type: '`mailto:`, `https://` or `tel:` addresses, with spaces or commas between them',
    schema: listOf(
      (word) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(word),
      'no address such as mailto:security@provider.example',
    ),
    standard: '',
    otherwise: 'none',
    example: 'mailto:security@provider.example',
  },
  SECURITY_POLICY_URL: {
    group: 'look',
    about: 'The page that says how weaknesses are reported and dealt with.',
    type: '`https://` address',
    schema: addressOf('https:'),
    otherwise: 'none',
    example: 'https://provider.example/security-policy',
  },
  FEATURES_OFF: {
    group: 'look',
    about: 'Features that are switched off, see below.',
    type: 'names of features, with spaces or commas between them',
    schema: featuresOff,
    standard: '',
    example: 'vouchers, software',
  },
  ASSETS_URL: {
    group: 'look',
    about: 'The path at which browsers fetch the built files.',
    type: 'path that begins and ends with `/`',
    // Our own origin only: the policy of pages lets in nobody else's scripts (R64).
    schema: about(
      (value) => /^\/(?:[\w-]+\/)+$/.test(value),
      'must be a path that begins and ends with /, such as /assets/',
    ),
    standard: '/assets/',
    example: '/portal/assets/',
  },
  SIGNATURE_ANCHORS_FILE: {
    group: 'documents',
    about:
      'The authorities whose signatures on documents are accepted. Without it and `SIGNATURE_DSS_URL` no signed document is taken.',
    type: `${path} in PEM`,
    schema: text,
    otherwise: 'the demonstration’s; nobody in earnest',
    example: '/etc/sygnet/anchors.pem',
    real: always,
  },
  SIGNATURE_DSS_URL: {
    group: 'documents',
    about: 'An [EU DSS](provider.md) that says whom to believe; while it does not answer, no signed document is taken.',
    type: webAddress,
    schema: web,
    otherwise: 'nobody is asked',
    example: 'https://dss.provider.example',
    real: always,
  },
  REVOCATION_FETCH: {
    group: 'documents',
    about:
      'Whether the portal asks the authorities of `SIGNATURE_ANCHORS_FILE` about certificates (OCSP, then CRL, at the addresses in them): for uploads that carry no answers, and for PAdES B-LT of what is signed in the portal.',
    type: '`on` or `off`',
    schema: onOff,
    standard: 'on',
    example: 'off',
  },
  REVOCATION_HOSTS: {
    group: 'documents',
    about: 'Hosts in your own network that certificates may name there; without them public addresses only are called.',
    type: 'hosts, with a port where it is not the usual one, with spaces or commas between them',
    schema: listOf(isHost, 'not a host such as ocsp.provider.example or 10.0.0.5:8080', hostOf),
    standard: '',
    otherwise: 'none',
    example: 'ocsp.provider.internal, 10.0.0.5:8080',
    real: always,
  },
  ARCHIVE_RENEWAL_DAYS: {
    group: 'documents',
    about:
      'So many days before the certificate of its archive timestamp ends, a signed agreement gets another one (PAdES B-LTA).',
    type: 'number',
    schema: whole(1, 3650),
    standard: '180',
    example: '365',
  },
  ARCHIVE_RENEW_STAMPED_BEFORE: {
    group: 'documents',
    about:
      'Archive timestamps from before this day are renewed now: set it when an algorithm weakens, to the day from which your timestamp authority uses a stronger one.',
    type: 'day, as `2031-01-01`',
    schema: about(
      (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
      'is not a day such as 2031-01-01',
    ),
    otherwise: 'none',
    example: '2031-01-01',
  },
  S3_URL: {
    group: 'documents',
    about: 'A bucket for documents, its name in the path.',
    type: webAddress,
    schema: web.check(z.refine((value) => /^\/./.test(pathIn(value)), 'has no name of a bucket in its path')),
    otherwise: 'they lie in `DATA_DIR`',
    example: 'https://s3.provider.example/portal',
    real: always,
  },
  S3_REGION: {
    group: 'documents',
    about: 'Its region.',
    type: 'text',
    schema: text,
    standard: 'us-east-1',
    example: 'eu-central-1',
  },
  S3_ACCESS_KEY_ID: {
    group: 'documents',
    about: 'Who the portal is there.',
    type: 'text',
    schema: text,
    otherwise: 'needed with `S3_URL`',
    example: 'sygnet-portal',
    real: always,
  },
  S3_SECRET_ACCESS_KEY: {
    group: 'documents',
    about: 'What the portal proves that with.',
    type: 'text from 16 characters on',
    schema: text,
    otherwise: 'needed with `S3_URL`',
    example: 'as the store gave it',
    secret: 16,
    real: always,
  },
  MALWARE_SCANNER: {
    group: 'documents',
    about: 'clamd that scans uploads; while it does not answer, no upload is taken.',
    type: 'path of its socket, or `host:port`',
    schema: text,
    otherwise: 'nothing is scanned',
    example: '/run/clamav/clamd.ctl',
    real: always,
  },
  CSC_URL: {
    group: 'documents',
    about:
      'The signing service that keeps the keys of cloud signatures, up to `/csc/v2`, see [provider](provider.md). Without it nothing is signed in the portal.',
    type: webAddress,
    schema: web,
    otherwise: 'the demonstration’s; none in earnest',
    example: 'https://sign.provider.example/csc/v2',
    real: always,
  },
  CSC_CLIENT_ID: {
    group: 'documents',
    about: 'What the signing service knows the portal by.',
    type: 'text',
    schema: text,
    otherwise: 'needed with `CSC_URL`',
    example: 'sygnet-portal',
    real: always,
  },
  CSC_CLIENT_SECRET: {
    group: 'documents',
    about: 'What the portal proves that with.',
    type: 'text from 16 characters on',
    schema: text,
    otherwise: 'needed with `CSC_URL`',
    example: 'as the service gave it',
    secret: 16,
    real: always,
  },
  CSC_TOKEN_URL: {
    group: 'documents',
    about: 'Where the portal gets its token.',
    type: webAddress,
    schema: web,
    otherwise: '`/oauth2/token` below `CSC_URL`',
    example: 'https://login.provider.example/token',
    real: always,
  },
  TSA_URL: {
    group: 'documents',
    about: 'The timestamp authority for what is signed in the portal.',
    type: webAddress,
    schema: web,
    otherwise: 'needed with `CSC_URL`',
    example: 'https://tsa.provider.example',
    real: always,
  },
  TSA_LOGIN: {
    group: 'documents',
    about: 'The portal’s login there.',
    type: 'text',
    schema: text,
    otherwise: 'none',
    example: 'sygnet-portal',
    real: always,
  },
  TSA_PASSWORD: {
    group: 'documents',
    about: 'Its password.',
    type: 'text from 8 characters on',
    schema: text,
    otherwise: 'needed with `TSA_LOGIN`',
    example: 'as the authority gave it',
    secret: 8,
    real: always,
  },
  WEBHOOK_HOSTS: {
    group: 'provider',
    about: 'Hosts to which [events](events.md) may be sent; webhooks are stated by the API.',
    type: 'hosts, with a port where it is not 443, with spaces or commas between them',
    schema: listOf(isHost, 'not a host such as events.provider.example or 10.0.0.5:8443', hostOf),
    standard: '',
    otherwise: 'none',
    example: 'events.provider.example, 10.0.0.5:8443',
    real: always,
  },
  TIMESTAMP_PASSWORD_URL: {
    group: 'provider',
    about:
      'Where new passwords of timestamp accounts go, see [provider](provider.md). Without it none is changed in the portal.',
    type: webAddress,
    schema: web,
    otherwise: 'the demonstration’s; none in earnest',
    example: 'https://tsa.provider.example/passwords',
    real: always,
  },
  TIMESTAMP_PASSWORD_TOKEN: {
    group: 'provider',
    about: 'What the portal shows there.',
    type: 'text from 16 characters on',
    schema: text,
    otherwise: 'needed with `TIMESTAMP_PASSWORD_URL`',
    example: 'as your server expects it',
    secret: 16,
    real: always,
  },
} as const satisfies Record<string, Key>

export type KeyName = keyof typeof configurationKeys
type Read<K extends KeyName> = z.output<(typeof configurationKeys)[K]['schema']>
export type Values = {
  [K in KeyName]: (typeof configurationKeys)[K] extends { standard: string } ? Read<K> : Read<K> | undefined
}

export const keyNames = Object.keys(configurationKeys) as KeyName[]
export const keyOf = (name: KeyName): Key => configurationKeys[name]
