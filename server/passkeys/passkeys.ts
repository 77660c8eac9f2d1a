import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/passkeys.ts'
import type { NewCredential } from '../../contract/passkeys.ts'
import { lockAccount } from '../platform/authentication/account-names.ts'
import {
  listPasskeyCredentials,
  drawChallenge,
  expectationsOf,
  relyingParty,
  takeChallenge,
  userHandleOf,
} from '../platform/authentication/passkey-challenges.ts'
import { operationIn, type LiveSession } from '../platform/authentication/session.ts'
import { type Tx, type Db, query } from '../platform/database/database.ts'
import { decryptPasskeyName, encryptPasskeyName } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { reasons, type ExportedList } from '../platform/exported-data.ts'
import { handler } from '../platform/http/http.ts'
import { renderMail, pageLink } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { ServerFeature, Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'

const exportedPasskeys: ExportedList = {
  table: 'passkeys',
  columns: 'id name transports added_at used_at',
  omitted: { 'credential_id public_key': reasons.secret, counter: reasons.internal },
  order: 'added_at id',
  title: { pl: 'Klucze dostępu', en: 'Passkeys' },
  name: 'name',
  rows: [
    [{ pl: 'Dodany', en: 'Added' }, 'addedAt'],
    [{ pl: 'Ostatnio użyty', en: 'Last used' }, 'usedAt'],
  ],
}

/** ES256, EdDSA and RS256, the preferred first: devices have them and Node can verify them (WebAuthn §5.8.5). */
const algorithms = [-7, -8, -257]

// The customer's passkeys. Without any the SMS code works as before, so that removing them locks no one out (AUT-8).

const registrationOperation = (session: LiveSession) => operationIn(session, 'register-passkey', session.accountId)

/**
 * Notifies the owner that a passkey was added or removed, so that a thief cannot do it unnoticed. The mail leaves out its name, which
 * the person who added it chose.
 */
function passkeyMail(settings: Settings, locale: Locale, news: 'added' | 'removed') {
  const { brand } = settings
  const text = {
    pl: {
      added: {
        subject: 'dodano klucz dostępu',
        what: 'Do Twojego konta dodano klucz dostępu. Od teraz może zastąpić kod SMS przy logowaniu i\u00a0przy ważnych czynnościach.',
      },
      removed: {
        subject: 'usunięto klucz dostępu',
        what: 'Z\u00a0Twojego konta usunięto klucz dostępu. Ten klucz już nie działa, a\u00a0kody SMS działają bez zmian.',
      },
      label: 'Zobacz swoje klucze',
      note: `Jeśli to nie Ty, zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      added: {
        subject: 'a passkey was added',
        what: 'A passkey was added to your account. You can now use it instead of a text-message code when you sign in and to confirm important actions.',
      },
      removed: {
        subject: 'a passkey was removed',
        what: 'A passkey was removed from your account. It no longer works. Text-message codes work as before.',
      },
      label: 'View your passkeys',
      note: `If this wasn’t you, call us right away: ${brand.phone}.`,
    },
  }[locale]
  const { subject, what } = text[news]
  const link = pageLink(settings, locale, 'security', text.label)
  return renderMail(locale, brand, { subject, paragraphs: [what], ...link, note: text.note })
}

const notify = (tx: Tx, { keys, settings }: Portal, { email, locale }: LiveSession, news: 'added' | 'removed') =>
  enqueue(tx, keys, { channel: 'mail', to: email, ...passkeyMail(settings, locale, news) })

type StoredPasskey = { id: string; name: string; transports: string[]; addedAt: Date; usedAt: Date | null }

/** Lists the passkeys of an account, the oldest first. */
async function listStoredPasskeys(db: Db, keys: Keys, accountId: string): Promise<StoredPasskey[]> {
  const rows = await query(db).all(sql<Omit<StoredPasskey, 'name'> & { name: Buffer }>`
    select id, name, transports, added_at, used_at from passkeys
    where account_id = ${accountId} order by added_at, id`)
  return rows.map((row) => ({ ...row, name: decryptPasskeyName(keys, row.id, row.name) }))
}

async function countPasskeys(db: Db, accountId: string): Promise<number> {
  const { n } = await query(db).one(sql<{ n: number }>`
    select count(*)::int as n from passkeys where account_id = ${accountId}`)
  return n
}

type NewPasskey = { name: string; credentialId: Buffer; publicKey: Buffer; counter: number; transports: string[] }

/** Stores a passkey unless the account is full, or the passkey is stored already. An account adds one at a time. */
async function addStoredPasskey(
  tx: Tx,
  keys: Keys,
  accountId: string,
  { name, credentialId, publicKey, counter, transports }: NewPasskey,
): Promise<{ id: string; addedAt: Date } | 'full' | 'known'> {
  await lockAccount(tx, accountId)
  if ((await countPasskeys(tx, accountId)) >= limits.passkeys.maxCount) return 'full'
  const id = crypto.randomUUID()
  const row = await query(tx).first(sql<{ addedAt: Date }>`
    insert into passkeys (id, account_id, name, credential_id, public_key, counter, transports)
    values (${id}, ${accountId}, ${encryptPasskeyName(keys, id, name)}, ${credentialId}, ${publicKey}, ${counter}, ${transports})
    on conflict (credential_id) do nothing returning added_at`)
  return row ? { id, addedAt: row.addedAt } : 'known'
}

/** Renames a passkey. `same`: it has this name already, as after a repeated call (HTT-5). */
async function renameStored(
  tx: Tx,
  keys: Keys,
  accountId: string,
  { id, name }: { id: string; name: string },
): Promise<'renamed' | 'same' | undefined> {
  const row = await query(tx).first(sql<{ name: Buffer }>`
    select name from passkeys where id = ${id} and account_id = ${accountId} for update`)
  if (!row) return undefined
  if (decryptPasskeyName(keys, id, row.name) === name) return 'same'
  await query(tx).run(sql`update passkeys set name = ${encryptPasskeyName(keys, id, name)} where id = ${id}`)
  return 'renamed'
}

const deletePasskey = (tx: Tx, accountId: string, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    delete from passkeys where id = ${id} and account_id = ${accountId}`)

const listPasskeys = handler(calls.listPasskeys, async ({ session }, { db, keys }) => ({
  items: (await listStoredPasskeys(db, keys, session.accountId)).map(({ transports: _, ...row }) => row),
}))

const startPasskey = handler(calls.startPasskey, async ({ session, fail }, { db, settings }) => {
  const { accountId, login, firstName, surname } = session
  if ((await countPasskeys(db, accountId)) >= limits.passkeys.maxCount) throw fail('passkeys-full')
  return {
    challenge: await drawChallenge(db, registrationOperation(session)),
    rp: { id: relyingParty(settings).id, name: settings.brand.product },
    user: { id: userHandleOf(accountId), name: login, displayName: `${firstName} ${surname}` },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    excludeCredentials: await listPasskeyCredentials(db, accountId),
    authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'required' as const },
    attestation: 'none' as const,
    timeout: limits.passkeys.challengeLife * 1000,
  }
})

const addPasskey = handler(
  calls.addPasskey,
  async ({ body: { name, credential }, session, fail, transaction }, portal) => {
    const { accountId } = session
    const challenge = await takeChallenge(portal.db, registrationOperation(session))
    const created = challenge && (await verifyCreated(portal.settings, challenge, credential))
    if (!created) throw fail('passkey-refused')
    return transaction(async (tx, audit) => {
      const stored = await addStoredPasskey(tx, portal.keys, accountId, {
        name,
        transports: credential.transports,
        ...created,
      })
      if (stored === 'full') throw fail('passkeys-full')
      if (stored === 'known') throw fail('passkey-known')
      const { id, addedAt } = stored
      await audit('passkey-added', { passkey: id })
      await notify(tx, portal, session, 'added')
      return { id, name, addedAt, usedAt: null }
    })
  },
)

const renamePasskey = handler(
  calls.renamePasskey,
  ({ params: { id }, body: { name }, session: { accountId }, orNotFound, transaction }, { keys }) =>
    transaction(async (tx, audit) => {
      const outcome = orNotFound(await renameStored(tx, keys, accountId, { id, name }))
      if (outcome === 'renamed') await audit('passkey-renamed', { passkey: id })
    }),
)

const removePasskey = handler(calls.removePasskey, ({ params: { id }, session, fail, transaction }, portal) =>
  transaction(async (tx, audit) => {
    const { accountId } = session
    if (!(await deletePasskey(tx, accountId, id))) throw fail('not-found')
    await audit('passkey-removed', { passkey: id })
    await notify(tx, portal, session, 'removed')
  }),
)

/** Verifies the passkey that a device has created for this challenge and site, after verifying its user (WebAuthn §7.1). */
async function verifyCreated(
  settings: Settings,
  challenge: string,
  { id, transports, ...response }: NewCredential,
): Promise<{ credentialId: Buffer; publicKey: Buffer; counter: number } | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    // None is asked for (WebAuthn §8.7). The library calls the addresses in the certificates of one (R263).
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    if (attestation.get('fmt') !== 'none' || attestation.get('attStmt').size !== 0) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      ...expectationsOf(settings, challenge),
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return undefined
    const { credential } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
    }
  } catch {
    // The library throws for anything that does not fit, and for bytes that it cannot read.
    return undefined
  }
}

export const passkeysFeature: ServerFeature = {
  calls: [listPasskeys, startPasskey, addPasskey, renamePasskey, removePasskey],
  stepUpObjects: {
    'add-passkey': (accountId, id) => sql`select where ${id}::uuid = ${accountId}::uuid`,
    'remove-passkey': (accountId, id) => sql`select from passkeys where id = ${id} and account_id = ${accountId}`,
  },
  historyObjects: {
    passkey: {
      details: ['passkey'],
      find: (accountId, idIn) => sql`
        select jsonb_build_object('id', id, 'encryptedName', encode(name, 'base64')) from passkeys
        where id = ${idIn('passkey')} and account_id = ${accountId}`,
      decryptName: decryptPasskeyName,
    },
  },
  exportData: [exportedPasskeys],
  erasure: { remove: (id) => [sql`delete from passkeys where account_id = ${id}`] },
}
