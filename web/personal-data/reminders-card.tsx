import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { changeReminders, readReminders } from '../../contract/signatures.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { daysText } from '../text/period-text.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Region } from '../ui/region.tsx'
import { SectionCard } from '../ui/section-card.tsx'
import { SettingSwitch } from './setting-switch.tsx'

const { days, alwaysSent } = limits.reminders

/** Joins the parts to a list: `60, 30 i 14`; `60, 30 and 14`. */
const listed = (locale: Locale, parts: readonly (number | string)[]) =>
  new Intl.ListFormat({ pl: 'pl-PL', en: 'en-GB' }[locale], { type: 'conjunction' })
    .format(parts.map(String))
    .replace(' i ', ' i\u00a0')

/** Shows when we write before a certificate expires, and which of these mails can be switched off (SIG-5). */
export function RemindersCard() {
  const t = useText()
  const reminders = useRead(readReminders)
  const early = listed(t.locale, days.slice(0, -alwaysSent))
  const last = listed(
    t.locale,
    days.slice(-alwaysSent).map((count) => daysText(t.locale, count)),
  )
  return (
    <SectionCard
      id="reminders-title"
      title={t({ pl: 'Przypomnienia o\u00a0wygaśnięciu certyfikatu', en: 'Certificate expiry reminders' })}
    >
      <Region query={reminders} label={t({ pl: 'Wczytujemy przypomnienia', en: 'Loading your reminders' })}>
        {(read) => (
          <ul className="consent-list">
            <li>
              <div>
                <h3>{t({ pl: 'Wczesne przypomnienia', en: 'Early reminders' })}</h3>
                <p className="consent-list__state">
                  <LookBadge look={read.isEarly ? on : off} />
                  <span>
                    {t({ pl: `${early}\u00a0dni przed wygaśnięciem`, en: `${early}\u00a0days before expiry` })}
                  </span>
                </p>
              </div>
              <div className="buttons">
                <EarlySwitch isEarly={read.isEarly} />
              </div>
            </li>
            <li>
              <div>
                <h3>{t({ pl: 'Ostatnie przypomnienia', en: 'Final reminders' })}</h3>
                <p className="consent-list__state">
                  <LookBadge look={alwaysOn} />
                  <span>{t({ pl: `${last} przed wygaśnięciem`, en: `${last} before expiry` })}</span>
                </p>
                <p className="small muted">
                  {t({
                    pl: 'Gdy certyfikat jest ważny krótko, przypominamy dopiero w\u00a0drugiej połowie jego ważności. O\u00a0wygaśnięciu jednodniowego nie przypominamy wcale.',
                    en: 'For a short-lived certificate, reminders start in the second half of its validity. We send none for a certificate that’s valid for one day.',
                  })}
                </p>
              </div>
            </li>
          </ul>
        )}
      </Region>
    </SectionCard>
  )
}

const on: StatusLook = { kind: 'ok', icon: 'check-circle', text: { pl: 'Włączone', en: 'On' } }
const alwaysOn: StatusLook = { kind: 'ok', icon: 'check-circle', text: { pl: 'Zawsze włączone', en: 'Always on' } }
const off: StatusLook = { kind: 'muted', icon: 'minus-circle', text: { pl: 'Wyłączone', en: 'Off' } }

function EarlySwitch({ isEarly }: { isEarly: boolean }) {
  return (
    <SettingSwitch
      label={
        isEarly
          ? { pl: 'Wyłącz wczesne przypomnienia', en: 'Turn off early reminders' }
          : { pl: 'Włącz wczesne przypomnienia', en: 'Turn on early reminders' }
      }
      done={
        isEarly
          ? { pl: 'Wyłączono wczesne przypomnienia', en: 'Early reminders turned off' }
          : { pl: 'Włączono wczesne przypomnienia', en: 'Early reminders turned on' }
      }
      change={async () => {
        await call(changeReminders, { body: { isEarly: !isEarly } })
        await invalidate(readReminders)
      }}
    />
  )
}
