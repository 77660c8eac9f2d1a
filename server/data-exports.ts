import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { ExportFormat } from '../contract/data-export.ts'
import type { Locale } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { inLocale, pages } from '../contract/pages.ts'
import { record } from './audit.ts'
import type { Db, Tx } from './db.ts'
import { renderMail } from './mail-template.ts'
import { ownHistory, readOwnData, type OwnData } from './own-data.ts'
import { writeOwnDataPaper } from './own-data-paper.ts'
import { enqueue } from './outbox.ts'
import type { Portal, Settings } from './portal.ts'

/** A file of all own data that a customer has asked for (DAT-6, R87). */
export type DataExportOrder = { export: string }

/** Give it `data_exports e`. Being made for so long as it is tried, then offered for so long; nothing of it counts afterwards. */
const isLive = sql`coalesce(e.made_at, e.requested_at) > portal_now() - make_interval(secs => ${limits.dataExport.offered})`

export type LiveExport = {
  id: string
  locale: Locale
  requestedAt: Date
  madeAt: Date | null
  expiresAt: Date
  files: Record<ExportFormat, { key: string; bytes: number }>
}

/** The one that is being made or offered now. */
export async function liveExport(db: Db, accountId: string): Promise<LiveExport | undefined> {
  const { rows } = await sql<LiveExport>`
    select e.id, e.locale, e.requested_at as "requestedAt", e.made_at as "madeAt", e.made_at + make_interval(secs => ${limits.dataExport.offered}) as "expiresAt",
      json_build_object('json', json_build_object('key', e.json_file, 'bytes', e.json_bytes),
        'pdf', json_build_object('key', e.pdf_file, 'bytes', e.pdf_bytes)) as files
    from data_exports e where e.account_id = ${accountId} and ${isLive}`.execute(db)
  return rows[0]
}

/** Has one made; false while another of the account is being made or offered. */
export async function orderExport(tx: Tx, { keys }: Portal, accountId: string, locale: Locale): Promise<boolean> {
  // One of an account at a time, or two at once would both find none.
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  const id = crypto.randomUUID()
  const { rows } = await sql<{ dropAt: Date }>`
    insert into data_exports (id, account_id, locale)
    select ${id}, ${accountId}, ${locale} where not exists (select from data_exports e where e.account_id = ${accountId} and ${isLive})
    returning requested_at + make_interval(secs => ${limits.dataExport.offered}) as "dropAt"`.execute(tx)
  if (!rows[0]) return false
  await enqueue(tx, keys, { channel: 'data-export', export: id }, rows[0].dropAt)
  return true
}

/**
 * Makes both files. The outbox asks for it until it is done: whatever dies in between, the row names whole files, or none.
 * Each try writes files of its own, which the row knows before they are begun, so that all of them go with it.
 */
export async function makeDataExport(portal: Portal, order: DataExportOrder): Promise<void> {
  const { db, keys, ports, settings } = portal
  const files = { json: `exports/${crypto.randomUUID()}`, pdf: `exports/${crypto.randomUUID()}` }
  const { rows } = await sql<{ accountId: string; locale: Locale; now: Date; email: string }>`
    update data_exports e set files = files || ${Object.values(files)}::text[] from accounts a
    where e.id = ${order.export} and e.made_at is null and a.id = e.account_id
    returning e.account_id as "accountId", e.locale, portal_now() as now, a.email`.execute(db)
  if (!rows[0]) return
  const { accountId, locale, now, email } = rows[0]
  const data = await readOwnData(db, keys, accountId)
  const history = () => ownHistory(db, accountId, locale)
  const write = async (key: string, content: AsyncIterable<Uint8Array>) =>
    (await ports.documents.write(key, content, limits.dataExport.bytes)).bytes
  const json = await write(files.json, Readable.from(ownDataJson(data, now, history()), { objectMode: false }))
  const paper = await writeOwnDataPaper({ locale, brand: settings.brand, madeAt: now, data, history: history() })
  const pdf = await write(files.pdf, Readable.from([paper]))
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      update data_exports set made_at = portal_now(), json_file = ${files.json}, json_bytes = ${json}, pdf_file = ${files.pdf}, pdf_bytes = ${pdf}
      where id = ${order.export} and made_at is null`.execute(tx)
    if (!numAffectedRows) return
    await record(tx, { act: 'data-export-made', accountId, actor: 'system', details: { export: order.export } })
    await enqueue(tx, keys, { channel: 'mail', to: email, ...exportMail(settings, locale, 'ready') })
  })
}

/** One object; the history, which may be long, is never in memory as a whole. */
async function* ownDataJson(data: OwnData, madeAt: Date, history: AsyncIterable<readonly unknown[]>) {
  const head = JSON.stringify({ format: 'sygnet-own-data', version: 1, madeAt, ...data }, null, 2)
  yield Buffer.from(`${head.slice(0, head.lastIndexOf('\n}'))},\n  "history": [`)
  let first = true
  for await (const page of history) {
    yield Buffer.from(page.map((entry, i) => `${first && !i ? '' : ','}\n    ${JSON.stringify(entry)}`).join(''))
    first = false
  }
  yield Buffer.from('\n  ]\n}\n')
}

/** Says that it is there, or that it could not be made, and nothing of what is in it. */
function exportMail({ brand, publicUrl }: Settings, locale: Locale, news: 'ready' | 'failed') {
  const { product, phone } = brand
  const words = {
    pl: {
      ready: {
        subject: `${product}: Twoje dane są gotowe do pobrania`,
        what: 'Plik z\u00a0Twoimi danymi czeka w\u00a0portalu przez 24 godziny. Pobierzesz go po potwierdzeniu kodem z\u00a0SMS-a albo kluczem dostępu. Potem go usuniemy.',
      },
      failed: {
        subject: `${product}: nie udało się przygotować Twoich danych`,
        what: 'Nie udało nam się przygotować pliku z\u00a0Twoimi danymi. Przepraszamy. Zleć go jeszcze raz, a\u00a0jeśli to nie pomoże, zadzwoń do nas.',
      },
      label: 'Przejdź do swoich danych',
      note: `Jeśli to nie Ty, zmień hasło i\u00a0zadzwoń od razu: ${phone}.`,
    },
    en: {
      ready: {
        subject: `${product}: your data is ready to download`,
        what: 'The file with your data waits in the portal for 24 hours. You download it after confirming with a code from a text message or with a passkey. Then we remove it.',
      },
      failed: {
        subject: `${product}: your data could not be prepared`,
        what: 'We could not prepare the file with your data. We are sorry. Ask for it once more, and if that does not help, call us.',
      },
      label: 'Go to your data',
      note: `If it was not you, change your password and call us at once: ${phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: words[news].subject,
    paragraphs: [words[news].what],
    action: { label: words.label, url: publicUrl + inLocale(locale, pages.myData.path) },
    note: words.note,
  })
}

/** Removes what is offered no longer, and what was never finished, of which its customer is told: first every file that was begun, then the row. */
export async function endDataExports({ db, keys, ports, settings }: Portal): Promise<void> {
  const { rows } = await sql<{
    id: string
    accountId: string
    files: string[]
    made: boolean
    locale: Locale
    email: string
  }>`
    select e.id, e.account_id as "accountId", e.files, e.made_at is not null as made, e.locale, a.email
    from data_exports e join accounts a on a.id = e.account_id where not ${isLive} limit 1000`.execute(db)
  for (const { id, accountId, files, made, locale, email } of rows) {
    for (const file of files) await ports.documents.remove(file)
    await db.transaction().execute(async (tx) => {
      // Another node may have been quicker; a try that has begun meanwhile has added its files.
      const { numAffectedRows } = await sql`
        delete from data_exports where id = ${id} and files = ${files}::text[]`.execute(tx)
      if (!numAffectedRows) return
      await record(tx, { act: 'data-export-removed', accountId, actor: 'system', details: { export: id } })
      if (!made) await enqueue(tx, keys, { channel: 'mail', to: email, ...exportMail(settings, locale, 'failed') })
    })
  }
}
