import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { type Tx, query } from '../platform/database/database.ts'
import { decryptPhone, encryptPhone, phoneIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { RegistrationRequest } from '../platform/messages/message.ts'

/** An account to which a link is mailed. */
export type LinkRecipient = { id: string; login: string; email: string; locale: Locale; passwordHash: string | null }

const recipientColumns = sql`id, login, email, locale, password_hash`

/** Finds the account that has this e-mail or login already. */
export const findNamesake = (tx: Tx, key: string): Promise<LinkRecipient | undefined> =>
  query(tx).first(sql<LinkRecipient>`
    select ${recipientColumns} from accounts where email_key = ${key} or login_key = ${key}`)

/** Finds an account without a password, unless it is blocked. */
export const findInvited = (tx: Tx, id: string): Promise<LinkRecipient | undefined> =>
  query(tx).first(sql<LinkRecipient>`
    select ${recipientColumns} from accounts
    where id = ${id} and password_hash is null and blocked_at is null`)

/**
 * Finds the account of an e-mail and locks it until the transaction ends; `delayedUntil` is set while no reset link may be sent. The lock
 * waits for a change by the provider that is under way: its delay counts, and no link goes to the address before that (R116).
 */
export const lockForReset = (
  tx: Tx,
  emailKey: string,
): Promise<(LinkRecipient & { delayedUntil: Date | null }) | undefined> =>
  query(tx).first(sql<LinkRecipient & { delayedUntil: Date | null }>`
    select ${recipientColumns}, case when resets_from > portal_now() then resets_from end as delayed_until
    from accounts where email_key = ${emailKey} for no key update`)

export type Registration = { id: string; email: string; phone: string; locale: Locale }

/** Stores an account that is not confirmed. False when it was stored before: the outbox may deliver a message twice. */
export const addRegistration = (
  tx: Tx,
  keys: Keys,
  { registration: id, email, phone, locale, firstName, secondName, surname }: RegistrationRequest,
  key: string,
): Promise<boolean> =>
  query(tx).changesOne(sql`
    insert into accounts (id, login, email, unconfirmed_key, phone, phone_index, phone_confirmed, first_name, second_name, surname, locale)
    values (${id}, ${email}, ${email}, ${key}, ${encryptPhone(keys, id, phone)}, ${phoneIndex(keys, phone)}, false, ${firstName}, ${secondName}, ${surname}, ${locale})
    on conflict (id) do nothing`)

/** Finds a registration that is not confirmed. */
export async function findRegistration(tx: Tx, keys: Keys, id: string): Promise<Registration | undefined> {
  const row = await query(tx).first(sql<Omit<Registration, 'phone'> & { phone: Buffer }>`
    select id, email, phone, locale from accounts where id = ${id} and unconfirmed_key is not null`)
  return row && { ...row, phone: decryptPhone(keys, id, row.phone) }
}

/** Gives a registration its names; false when it was confirmed before. */
export const setNames = (tx: Tx, id: string, names: { loginKey: string; emailKey: string }): Promise<boolean> =>
  query(tx).changesOne(sql`
    update accounts set login_key = ${names.loginKey}, email_key = ${names.emailKey}, unconfirmed_key = null
    where id = ${id} and unconfirmed_key is not null`)

/** Removes a registration that was not confirmed, and its link with it. */
export async function removeRegistration(tx: Tx, id: string): Promise<void> {
  await query(tx).run(sql`delete from accounts where id = ${id} and unconfirmed_key is not null`)
}
