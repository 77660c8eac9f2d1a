import { isIP } from 'node:net'
import * as schemas from './key-schemas.ts'
import type { ConfigurationKey } from './key-schemas.ts'

const databaseKey = {
  type: '`postgres://` address',
  schema: schemas.urlWith('postgres:', 'postgresql:'),
  secret: 8,
  isReal: schemas.always,
} as const satisfies Partial<ConfigurationKey>

/** Checks whether an entry is an address or a network, but not all addresses: anyone could then forge their address (R67). */
function isNetwork(entry: string) {
  const [address = '', bits, ...more] = entry.split('/')
  const version = isIP(address)
  if (!version || more.length) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Configuration keys of the listeners, the database, the portal's own keys, and the reports about the portal itself. */
export const serverKeys = {
  PORT: {
    about: 'The port on which the portal listens.',
    type: '0 to 65535',
    schema: schemas.wholeNumber(0, 65_535),
    standard: '3000',
    example: '8080',
  },
  HOST: {
    about: 'The address on which it listens.',
    type: 'IP address',
    schema: schemas.ownAddress,
    standard: '127.0.0.1',
    example: '0.0.0.0',
    isReal: (value) => !schemas.isLoopback(value),
  },
  DEMONSTRATION: {
    about: 'Invented customers, and the embedded provider. `off` in production.',
    ...schemas.onOffKey,
    standard: 'on',
    example: 'off',
  },
  DEMONSTRATION_PUBLIC: {
    about:
      'Declares that anyone may reach the demonstration. Without it, a demonstration does not start with a public address, a database of its own, trusted proxies or real gateways.',
    ...schemas.onOffKey,
    standard: 'off',
    example: 'on',
  },
  PUBLIC_URL: {
    about: 'The origin that customers use. No other host is answered.',
    type: '`https://` origin, without a path',
    schema: schemas.webUrl,
    otherwise: 'required in production',
    example: 'https://portal.provider.example',
    isReal: (value) => !schemas.isLoopback(new URL(value).hostname),
  },
  TRUSTED_PROXIES: {
    about: 'The reverse proxies whose `X-Forwarded-For` is believed.',
    type: 'list of addresses and networks',
    schema: schemas.listOf(isNetwork, 'neither an address nor a network such as 10.0.0.0/8'),
    standard: '',
    example: '10.0.0.4, 10.1.0.0/16',
    isReal: schemas.always,
  },
  DATA_DIR: {
    about: 'Documents, the embedded database, and keys that were not given.',
    type: 'path of a folder',
    schema: schemas.text,
    otherwise: '`.data`',
    example: '/var/lib/sygnet',
  },
  DATABASE_URL: {
    about: 'A PostgreSQL from 15 on.',
    ...databaseKey,
    otherwise: 'the embedded one',
    example: 'postgres://sygnet@db.provider.example/sygnet?sslmode=verify-full',
  },
  DATABASE_OWNER_URL: {
    about: 'The same database with the login of the owner of the tables.',
    ...databaseKey,
    otherwise: '`DATABASE_URL`',
    example: 'postgres://sygnet_owner@db.provider.example/sygnet',
  },
  DATABASE_DIRECT_URL: {
    about: 'The same database and login as in `DATABASE_URL`, if that one is a [pooler](scale.md#a-pooler).',
    ...databaseKey,
    otherwise: 'none',
    example: 'postgres://sygnet@db.provider.example/sygnet',
  },
  DATABASE_CONNECTIONS: {
    about: 'Connections that one node opens.',
    type: '2 or more',
    schema: schemas.wholeNumber(2),
    standard: '10',
    example: '20',
  },
  MASTER_KEY: {
    about: 'The [master key](keys.md), with older ones after it while they are rotated.',
    type: '32 random bytes or more, in base64, from `openssl rand -base64 32`',
    schema: schemas.text,
    otherwise: 'made in `DATA_DIR`',
    secret: 0,
  },
  METRICS_PORT: {
    about: 'The port for [Prometheus](monitoring.md#metrics).',
    type: 'port',
    schema: schemas.wholeNumber(0, 65_535),
    otherwise: 'no metrics',
    example: '9464',
  },
  METRICS_HOST: {
    about: 'The address of `METRICS_PORT`.',
    ...schemas.ownAddressKey,
  },
  TRACES_URL: {
    about: 'The OpenTelemetry collector that receives [traces](monitoring.md#traces) (OTLP over HTTP).',
    ...schemas.serviceKey,
    otherwise: 'none',
    example: 'http://collector.provider.example:4318/v1/traces',
    isReal: (value) => !schemas.isLoopback(new URL(value).hostname),
  },
  TRACES_PERCENT: {
    about: 'The percentage of traces that it gets.',
    type: '0 to 100',
    schema: schemas.wholeNumber(0, 100),
    standard: '100',
    example: '5',
  },
  STOP_DELAY_SECONDS: {
    about: 'How long a stopping node still serves, while `/readyz` already says so.',
    type: '0 to 20',
    schema: schemas.wholeNumber(0, 20),
    standard: '0',
    example: '6',
  },
  LOG_LEVEL: {
    about: 'How much is logged; `info` has each request.',
    type: '`warn`, `error`, `info`, `debug` or `trace`',
    schema: schemas.choice('warn', 'error', 'info', 'debug', 'trace'),
    standard: 'warn',
    example: 'info',
  },
  DISK_KEEP_FREE_MB: {
    about: 'Space that stays free on the disk of `DATA_DIR`: a document that could use it is refused.',
    type: 'megabytes',
    schema: schemas.wholeNumber(0),
    standard: '512',
    example: '2048',
  },
} as const satisfies Record<string, schemas.ConfigurationKey>
