import { limits } from '../../contract/limits.ts'
import { changeReminders, readReminders } from '../../contract/reminders.ts'
import { call } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { invalidate, useRead } from '../reads.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Region } from '../ui/region.tsx'
import { SettingSwitch } from './setting-switch.tsx'
import { SectionCard } from '../ui/section-card.tsx'

const { days, always } = limits.reminders

/** `60, 30 i 14`; `60, 30 and 14`. */
const listed = (locale: 'pl' | 'en', numbers: readonly number[]) =>
  new Intl.ListFormat({ pl: 'pl-PL', en: 'en-GB' }[locale], { type: 'conjunction' })
    .format(numbers.map(String))
    .replace(' i ', ' i\u00a0')

/** SIG-5: when we write before a certificate ends, and which of these mails can be switched off. */
export function RemindersCard() {
  const t = useText()
  const locale = useLocale()
  const reminders = useRead(readReminders)
  const [early, last] = [listed(locale, days.slice(0, -always)), listed(locale, days.slice(-always))]
  return (
    <SectionCard
      id="reminders-title"
      title={t({ pl: 'Przypomnienia o\u00a0końcu certyfikatu', en: 'Reminders of a certificate’s end' })}
    >
      <Region query={reminders} label={t({ pl: 'Wczytujemy przypomnienia', en: 'Loading your reminders' })}>
        {(read) => (
          <ul className="consent-list">
            <li>
              <div>
                <h3>{t({ pl: 'Wcześniejsze e-maile', en: 'Early e-mails' })}</h3>
                <p className="consent-list__state">
                  <LookBadge look={read.early ? on : off} />
                  <span>{t({ pl: `${early} dni wcześniej`, en: `${early} days before` })}</span>
                </p>
              </div>
              <div className="btns">
                <EarlySwitch early={read.early} />
              </div>
            </li>
            <li>
              <div>
                <h3>{t({ pl: 'Dwa ostatnie e-maile', en: 'The last two e-mails' })}</h3>
                <p className="consent-list__state">
                  <LookBadge look={on} />
                  <span>
                    {t({
                      pl: `${last} dzień wcześniej. Te wysyłamy zawsze; o\u00a0krótkim certyfikacie piszemy dopiero w\u00a0drugiej połowie jego ważności, a\u00a0o\u00a0jednodniowym wcale.`,
                      en: `${last} day before. These are always sent; for a short certificate only in the second half of its validity, and for a one-day certificate not at all.`,
                    })}
                  </span>
                </p>
              </div>
            </li>
          </ul>
        )}
      </Region>
    </SectionCard>
  )
}

const on: StatusLook = { kind: 'ok', icon: 'okc', text: { pl: 'Włączone', en: 'On' } }
const off: StatusLook = { kind: 'mute', icon: 'minusc', text: { pl: 'Wyłączone', en: 'Off' } }

function EarlySwitch({ early }: { early: boolean }) {
  return (
    <SettingSwitch
      label={
        early
          ? { pl: 'Wyłącz wcześniejsze przypomnienia', en: 'Switch early reminders off' }
          : { pl: 'Włącz wcześniejsze przypomnienia', en: 'Switch early reminders on' }
      }
      done={
        early
          ? { pl: 'Wcześniejsze przypomnienia wyłączone', en: 'Early reminders switched off' }
          : { pl: 'Wcześniejsze przypomnienia włączone', en: 'Early reminders switched on' }
      }
      change={async () => {
        await call(changeReminders, { body: { early: !early } })
        await invalidate(readReminders)
      }}
    />
  )
}
