import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Keys } from './keys.ts'
import { openCertificates, openIdentifier, openInvitedPhone } from './sealed-fields.ts'

type Agreement = { language: 'pl' | 'en'; bytes: number | null; sha256: string | null }

/** Of a paper the facts; the file itself is at hand where it belongs. */
const agreementOf = (row: {
  agreement_language: 'pl' | 'en'
  agreement_bytes: number | null
  agreement_sha256: string | null
}): Agreement => ({ language: row.agreement_language, bytes: row.agreement_bytes, sha256: row.agreement_sha256 })

/** The certificates stand in the file; the secret that an app is paired by does not. */
export async function ownSignatures(db: Db, keys: Keys, accountId: string) {
  const rows = await db
    .selectFrom('signatures as s')
    .leftJoin('pairings as p', 'p.signature_id', 's.id')
    .selectAll('s')
    .select('p.confirmed_at as pairedAt')
    .where('s.account_id', '=', accountId)
    .orderBy('s.valid_from')
    .orderBy('s.id')
    .execute()
  const reminders = await sql<{ account: string; step: number; validTo: Date; at: Date }>`
    select signature_id as account, step, valid_to as "validTo", at from signature_reminders
    where signature_id = any(${rows.map(({ id }) => id)}::uuid[]) order by at`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    providerId: row.provider_id,
    product: row.product,
    name: row.name,
    organisation: row.organisation,
    identifier: {
      type: row.identifier_type,
      country: row.identifier_country,
      value: openIdentifier(keys, row.id, row.identifier_value),
    },
    years: row.years,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    status: row.status,
    agreement: agreementOf(row),
    pairedAt: row.pairedAt,
    /** Days before the end. */
    reminders: of(row.id, reminders.rows),
    storedAt: row.created_at,
    /** Base64 of the DER of the certificate and of those above it. */
    ...openCertificates(keys, row.id, row.certificates),
  }))
}

/** Each seat of the customer in a seal, and each that waits for their e-mail; of the seal what its users see. */
export async function ownSeals(db: Db, keys: Keys, accountId: string) {
  const { rows } = await sql<{
    id: string
    providerId: string
    seal: string
    product: 'app' | 'card'
    name: string
    organisation: string
    organisationIdentifier: string
    validFrom: Date
    validTo: Date
    number: number
    role: 'administrator' | 'user'
    access: 'pending' | 'active' | 'deleted'
    firstName: string
    surname: string
    email: string
    phone: Buffer
    language: 'pl' | 'en'
    invitedAt: Date
    expiresAt: Date
    acquiredAt: Date | null
    deletedAt: Date | null
    pairedAt: Date | null
  }>`
    select u.id, u.provider_id as "providerId", s.id as seal, s.product, s.name, s.organisation, s.organisation_identifier as "organisationIdentifier",
      s.valid_from as "validFrom", s.valid_to as "validTo", u.number, u.role, u.status as access, u.first_name as "firstName", u.surname,
      u.email, u.phone, u.locale as language, u.invited_at as "invitedAt", u.expires_at as "expiresAt", u.acquired_at as "acquiredAt", u.deleted_at as "deletedAt", p.confirmed_at as "pairedAt"
    from seal_users u join seals s on s.id = u.seal_id left join seal_pairings p on p.seal_user_id = u.id
    where u.account_id = ${accountId}
      or (u.status = 'pending' and u.email_key = (select email_key from accounts where id = ${accountId}))
    order by u.invited_at, u.id`.execute(db)
  return rows.map((row) => ({ ...row, phone: openInvitedPhone(keys, row.id, row.phone) }))
}

/** With every package and the usage of each day; the passwords are the timestamp server's. */
export async function ownTimestamps(db: Db, accountId: string) {
  const accounts = await db
    .selectFrom('timestamp_accounts')
    .select(['id', 'provider_id as providerId', 'login', 'authentication', 'server_url as serverUrl', 'active'])
    .select('created_at as storedAt')
    .where('account_id', '=', accountId)
    .orderBy('login')
    .execute()
  const ids = accounts.map(({ id }) => id)
  const packages = await sql<{ account: string; id: string } & Package>`
    select timestamp_account_id as account, id, provider_id as "providerId", kind, active, size, refill_day as "refillDay", starts_at as "startsAt",
      ends_at as "endsAt", spent, counted_from as "countedFrom", created_at as "storedAt"
    from timestamp_packages where timestamp_account_id = any(${ids}::uuid[]) order by starts_at, id`.execute(db)
  const usage = await sql<{ account: string; day: string; spent: number }>`
    select timestamp_account_id as account, day::text, spent from timestamp_usage
    where timestamp_account_id = any(${ids}::uuid[]) order by day`.execute(db)
  const notices = await sql<{ account: string; package: string; notice: string; about: Date; at: Date }>`
    select p.timestamp_account_id as account, n.package_id as package, n.notice, n.about, n.at from timestamp_notices n join timestamp_packages p on p.id = n.package_id
    where p.timestamp_account_id = any(${ids}::uuid[]) order by n.at`.execute(db)
  return accounts.map((account) => ({
    ...account,
    packages: of(account.id, packages.rows),
    usage: of(account.id, usage.rows),
    notices: of(account.id, notices.rows),
  }))
}

type Package = {
  kind: 'recurring' | 'one-time' | 'unlimited'
  active: boolean
  size: number | null
  refillDay: number | null
  startsAt: Date
  endsAt: Date | null
  spent: number
  providerId: string
  countedFrom: Date | null
  storedAt: Date
}

const of = <Row extends { account: string }>(id: string, rows: readonly Row[]) =>
  rows.filter(({ account }) => account === id).map(({ account: _, ...row }) => row)
