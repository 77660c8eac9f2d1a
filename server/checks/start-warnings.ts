import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { trustOf } from '../adapters/choose-adapters.ts'
import { databaseAddresses, type Configuration } from '../platform/configuration/configuration.ts'
import { isLoopback } from '../platform/configuration/keys/key-schemas.ts'
import { databaseTime, type Db } from '../platform/database/database.ts'
import { ok, warning, type Finding } from './check.ts'

/** What a start reports of its configuration, by the checks that call no service but the database. */
export async function startWarnings(configuration: Configuration, db: Db): Promise<string[]> {
  const findings = [
    connectionFinding(configuration),
    await clockFinding(() => databaseTime(db)),
    mailFinding(configuration),
    anchorFinding(configuration),
  ]
  return findings.flatMap((finding) => (finding?.status === 'warning' ? finding.text : []))
}

/** Addresses of the database that lead over a network without TLS, or without a check of the certificate. */
export function connectionFinding(configuration: Configuration): Finding | undefined {
  const addresses = databaseAddresses(configuration).toReversed()
  const keysOf = (security: ReturnType<typeof securityOf>) =>
    addresses.flatMap(({ key, url }) => (securityOf(url) === security ? key : []))
  const sentences = [
    { keys: keysOf('none'), what: 'not encrypted' },
    { keys: keysOf('unverified'), what: 'encrypted, but to a server whose certificate or name is not checked' },
  ].flatMap(({ keys, what }) =>
    keys.length ? `Connections by ${keys.join(' and ')} are ${what}: use sslmode=verify-full.` : [],
  )
  return sentences.length ? warning(sentences.join(' ')) : undefined
}

/** What the driver makes of an address, its sslmode, and PGSSLMODE. */
function securityOf(url: string): 'local' | 'none' | 'unverified' | 'verified' {
  const { host, ssl }: { host: string; ssl: unknown } = new pg.Client({ connectionString: url })
  if (host.startsWith('/') || isLoopback(host)) return 'local'
  if (!ssl) return 'none'
  const { rejectUnauthorized, checkServerIdentity } = ssl as ConnectionOptions
  return rejectUnauthorized === false || checkServerIdentity ? 'unverified' : 'verified'
}

/** In seconds. Certificates, codes and signed requests to a bucket allow for no more than some minutes. */
const mostClockDifference = 60

export async function clockFinding(readTime: () => Promise<Date>): Promise<Finding> {
  const before = Date.now()
  const time = await readTime()
  const seconds = Math.round((before + Date.now() - 2 * time.getTime()) / 2000)
  if (Math.abs(seconds) <= mostClockDifference) return ok('The clocks of this machine and of the database agree.')
  return warning(
    `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the database’s: synchronise both by NTP.`,
  )
}

/** Mails that may be sent without TLS; on this machine nobody listens. */
export function mailFinding({ smtpUrl }: Configuration): Finding | undefined {
  if (!smtpUrl) return undefined
  const { protocol, hostname, searchParams } = new URL(smtpUrl)
  if (protocol !== 'smtp:' || searchParams.get('requireTLS') === 'true' || isLoopback(hostname)) return undefined
  return warning('TLS to the mail server is used only while it offers STARTTLS: add ?requireTLS=true to SMTP_URL.')
}

/** The authorities whose signatures are accepted; undefined for a demonstration, which trusts its own. */
export function anchorFinding(configuration: Configuration): Finding | undefined {
  const { demonstration, signatureAnchors, signatureDssUrl, trustedListsUrl } = configuration
  if (demonstration && !trustOf(configuration, undefined)) return undefined
  if (!signatureAnchors.length && trustedListsUrl) return ok('The trusted lists alone decide about trust.')
  if (!signatureAnchors.length)
    return signatureDssUrl
      ? ok('DSS decides about trust.')
      : warning('SIGNATURE_ANCHORS_FILE is not set: no signed document of a customer is accepted.')
  const expired = signatureAnchors.map((der) => readCertificate(der)).filter(({ notAfter }) => notAfter < new Date())
  return expired.length
    ? warning(
        `Certificates in SIGNATURE_ANCHORS_FILE have expired (${expired.length} of ${signatureAnchors.length}): replace them.`,
      )
    : ok('No certificate in SIGNATURE_ANCHORS_FILE has expired.')
}
