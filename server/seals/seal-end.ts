import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { inLocale, pages } from '../../contract/pages.ts'
import { productPhrase } from '../../contract/product-text.ts'
import type { SealProduct, SealUserRole } from '../../contract/seals.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import type { CalendarEnd } from '../platform/messages/calendar-file.ts'
import { endReminderMail, remindOfEnds, reminderDueCondition, reachedStep } from '../platform/messages/end-reminders.ts'
import { momentIn } from '../platform/messages/mail-template.ts'
import type { Settings } from '../platform/settings.ts'

export type EndingSeal = { sealId: string; validTo: Date; organisation: string; role: SealUserRole }

/** Names the seal by its organisation, because somebody may use several. */
export function sealEnd(
  { publicUrl }: Settings,
  locale: Locale,
  { sealId, validTo, organisation, role }: EndingSeal,
): CalendarEnd {
  return {
    uid: `seal-${sealId}`,
    validTo,
    what: { pl: `pieczęć (${organisation})`, en: `seal (${organisation})` }[locale],
    description: advice[role][locale],
    url: publicUrl + inLocale(locale, pages.seals.path),
  }
}

type DueMail = Omit<EndingSeal, 'role'> & { locale: Locale; now: Date }

/** Reminds an Administrator, or somebody in their place, of the end. `sentence`: until when it is valid. */
export function sealEndMail(settings: Settings, due: DueMail, own: { sentence: string; note?: string }) {
  const { locale, now, organisation } = due
  const { sentence, ...note } = own
  const translate = (pl: string, en: string) => ({ pl, en })[locale]
  const end = sealEnd(settings, locale, { ...due, role: 'admin' })
  return endReminderMail(settings, {
    locale,
    now,
    subject: translate('pieczęć', 'a seal'),
    paragraphs: [sentence, translate(`Organizacja: ${organisation}`, `Organisation: ${organisation}`), end.description],
    label: translate('Zobacz pieczęć', 'View seal'),
    end,
    fileName: translate('koniec-pieczeci.ics', 'seal-end.ics'),
    ...note,
  })
}

const advice = {
  admin: {
    pl: 'Zamów nową pieczęć wcześniej, aby uniknąć przerwy: po tym terminie nie opatrzysz już dokumentu obecną pieczęcią.',
    en: 'Order a new seal before then to avoid a gap: afterwards you can’t seal documents with this one.',
  },
  user: {
    pl: 'Po tym terminie nie opatrzysz już dokumentu tą pieczęcią. Nową może zamówić jej administrator.',
    en: 'Afterwards you can’t seal documents with this seal. Its administrator can order a new one.',
  },
}

type DueSealReminder = {
  /** The membership of the Administrator. */
  id: string
  sealId: string
  step: number
  validTo: Date
  now: Date
  owner: string
  email: string
  locale: Locale
  product: SealProduct
  organisation: string
}

const dueRows = sql`
  from seals s
    join seal_users u on u.seal_id = s.id and u.status = 'active' and u.role = 'admin'
    join accounts a on a.id = u.account_id
    cross join ${reachedStep}
  where ${reminderDueCondition}
    and not exists (select from seal_reminders m where m.seal_user_id = u.id and m.step = reached.step and m.valid_to = s.valid_to)`

/** Yields the memberships of Administrators with a due reminder, nearest end first. */
async function* listDueSealReminders(db: Db): AsyncGenerator<string> {
  const rows = await query(db).all(sql<{ id: string }>`select u.id ${dueRows} order by s.valid_to limit 1000`)
  for (const { id } of rows) yield id
}

/** Claims a reminder. One statement decides which node sends it, so that it is sent once. */
const claimSealReminder = (tx: Tx, id: string): Promise<DueSealReminder | undefined> =>
  query(tx).first(sql<DueSealReminder>`
    with due as (
      select u.id, s.id as seal_id, reached.step, s.valid_to, portal_now() as now, a.id as owner, a.email, a.locale, s.product, s.organisation ${dueRows} and u.id = ${id}
    ), claimed as (
      insert into seal_reminders (seal_user_id, step, valid_to) select id, step, valid_to from due on conflict do nothing returning step
    )
    select due.* from due join claimed using (step)`)

/** Mails each active Administrator before the end of a seal, as holders before the end of a signature (SEA-11, SIG-5). */
export const remindOfSeals = remindOfEnds({
  feature: 'seals',
  listDue: listDueSealReminders,
  claim: claimSealReminder,
  mailOf: sealReminderMail,
  entryOf: ({ id, sealId, step }) => ({ action: 'seal-reminder-sent', details: { seal: sealId, user: id, step } }),
})

/** Names the seal by its product and organisation: an Administrator may have several. */
function sealReminderMail(settings: Settings, due: DueSealReminder) {
  const { locale, validTo, product } = due
  const moment = momentIn(locale, validTo)
  const sentence = {
    pl: `Pieczęć ${productPhrase[product].pl}, której jesteś administratorem, jest ważna do ${moment}.`,
    en: `The seal ${productPhrase[product].en} that you manage is valid until ${moment}.`,
  }[locale]
  return sealEndMail(settings, due, { sentence })
}
