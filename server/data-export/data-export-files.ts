import { Readable } from 'node:stream'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/database/database.ts'
import { camelCase } from '../platform/database/described-rows.ts'
import { describeRow, readExportedList, type ExportedSection } from '../platform/exported-data.ts'
import { renderMail, pageLink } from '../platform/messages/mail-template.ts'
import type { DataExportOrder } from '../platform/messages/message.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { writeDataExportPdf } from './data-export-pdf.ts'
import {
  finishExport,
  listExpiredExports,
  removeExport,
  startExport,
  readExportedHistory,
} from './data-export-store.ts'

/** Notifies the customer of an export by mail, in the transaction of the change (R92), unless exports are off (ERR-5). */
export async function notifyOfExport(
  tx: Tx,
  { keys, settings }: Pick<Portal, 'keys' | 'settings'>,
  { locale, email }: { locale: Locale; email: string },
  news: 'ready' | 'failed',
) {
  if (settings.featuresOff.includes('data-export')) return
  await enqueue(tx, keys, { channel: 'mail', to: email, ...exportMail(settings, locale, news) })
}

/** Says that the export is ready or could not be made, and nothing about its contents. */
function exportMail(settings: Settings, locale: Locale, news: 'ready' | 'failed') {
  const { brand } = settings
  const text = {
    pl: {
      ready: {
        subject: 'kopia Twoich danych jest gotowa',
        what: 'Kopia Twoich danych czeka w\u00a0portalu 24\u00a0godziny. Potem ją usuniemy.',
      },
      failed: {
        subject: 'nie udało się przygotować kopii danych',
        what: 'Nie udało się przygotować kopii Twoich danych. Spróbuj jeszcze raz, a\u00a0jeśli to nie pomoże, zadzwoń do nas.',
      },
      label: 'Przejdź do kopii danych',
      note: `Jeśli to nie Ty, zmień hasło i\u00a0zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      ready: {
        subject: 'the copy of your data is ready',
        what: 'The copy of your data will be in the portal for 24\u00a0hours. Then we’ll delete it.',
      },
      failed: {
        subject: 'we couldn’t prepare the copy of your data',
        what: 'We couldn’t prepare the copy of your data. Try again, and if that doesn’t help, call us.',
      },
      label: 'Go to the copy of your data',
      note: `If this wasn’t you, change your password and call us right away: ${brand.phone}.`,
    },
  }[locale]
  const { subject, what } = text[news]
  const link = pageLink(settings, locale, 'security', text.label)
  return renderMail(locale, brand, { subject, paragraphs: [what], ...link, note: text.note })
}

/**
 * Makes both files. The outbox repeats this until it succeeds: wherever an attempt ends, the row names complete files, or none.
 * Each attempt writes its own files, which are in the row before they are started, so that all of them are removed with it.
 */
export async function makeDataExport(portal: Portal, { export: id }: DataExportOrder): Promise<void> {
  const { db, ports, settings } = portal
  const names = { json: `exports/${crypto.randomUUID()}`, pdf: `exports/${crypto.randomUUID()}` }
  const started = await startExport(db, id, Object.values(names))
  if (!started) return
  const { accountId, locale, startedAt: madeAt } = started
  const data = await readExportedData(portal, accountId)
  const readHistory = () => readExportedHistory(portal, accountId, locale)
  const write = async (key: string, content: AsyncIterable<Uint8Array>) => ({
    key,
    bytes: (await ports.documents.write(key, content, limits.dataExport.bytes)).bytes,
  })
  const json = await write(
    names.json,
    Readable.from(writeDataExportJson(data.json, madeAt, readHistory()), { objectMode: false }),
  )
  const document = { locale, brand: settings.brand, madeAt, sections: data.sections, history: readHistory() }
  const pdf = await write(names.pdf, Readable.from([await writeDataExportPdf(document)]))
  await db.transaction().execute(async (tx) => {
    if (!(await finishExport(tx, id, { json, pdf }))) return
    await addAuditEntry(tx, { action: 'data-export-made', accountId, actor: 'system', details: { export: id } })
    await notifyOfExport(tx, portal, started, 'ready')
  })
}

/** Reads all data of a customer except the history, which is read page by page (DAT-6, R87). Each feature adds its lists. */
export async function readExportedData({ db, keys, features }: Portal, accountId: string) {
  const json: Record<string, unknown> = {}
  const sections: ExportedSection[] = []
  for (const list of features.flatMap(({ exportData = [] }) => exportData)) {
    const rows = await readExportedList({ db, keys, accountId }, list)
    json[list.key ?? camelCase(list.table)] = list.isSingle ? (rows[0] ?? null) : rows
    const things = rows.flatMap((row) => describeRow(list, row))
    if (sections.at(-1)?.title === list.title) sections.at(-1)!.things.push(...things)
    else if (things.length || !list.isRare) sections.push({ title: list.title, things })
  }
  return { json, sections }
}

/** Yields one JSON object in parts; memory never holds the whole history, which may be long. */
async function* writeDataExportJson(data: object, madeAt: Date, history: AsyncIterable<readonly unknown[]>) {
  const head = JSON.stringify({ format: 'sygnet-own-data', version: 1, madeAt, ...data }, null, 2)
  yield Buffer.from(`${head.slice(0, head.lastIndexOf('\n}'))},\n  "history": [`)
  let isFirst = true
  for await (const page of history) {
    yield Buffer.from(page.map((entry, i) => `${isFirst && !i ? '' : ','}\n    ${JSON.stringify(entry)}`).join(''))
    isFirst = false
  }
  yield Buffer.from('\n  ]\n}\n')
}

/** Removes expired exports, first their files and then the row; the customer is notified of one that was never finished. */
export async function endDataExports(portal: Portal): Promise<void> {
  const { db, ports } = portal
  for (const expired of await listExpiredExports(db)) {
    const { id, accountId, files, isMade } = expired
    for (const file of files) await ports.documents.remove(file)
    await db.transaction().execute(async (tx) => {
      if (!(await removeExport(tx, expired))) return
      await addAuditEntry(tx, { action: 'data-export-removed', accountId, actor: 'system', details: { export: id } })
      if (!isMade) await notifyOfExport(tx, portal, expired, 'failed')
    })
  }
}
