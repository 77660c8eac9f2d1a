import { limits } from '../../contract/limits.ts'
import { changeReminders, readReminders } from '../../contract/reminders.ts'
import { call } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { forget, useRead } from '../reads.ts'
import { Badge } from '../ui/badge.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { SettingSwitch } from './setting-switch.tsx'

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
    <section className="card" aria-labelledby="reminders-title">
      <h2 id="reminders-title" className="h-s">
        {t({ pl: 'Przypomnienia o\u00a0końcu certyfikatu', en: 'Reminders of a certificate’s end' })}
      </h2>
      <Region
        query={reminders}
        skeleton={<Skeleton lines={3} />}
        label={t({ pl: 'Wczytujemy przypomnienia', en: 'Loading your reminders' })}
      >
        {(read) => (
          <ul className="consent-list">
            <li>
              <div>
                <h3>{t({ pl: 'Wcześniejsze e-maile', en: 'Early e-mails' })}</h3>
                <p className="consent-list__state">
                  <SwitchBadge on={read.early} />
                  <span>{t({ pl: `${early} dni wcześniej`, en: `${early} days before` })}</span>
                </p>
              </div>
              <div className="btns">
                <EarlySwitch on={read.early} />
              </div>
            </li>
            <li>
              <div>
                <h3>{t({ pl: 'Dwa ostatnie e-maile', en: 'The last two e-mails' })}</h3>
                <p className="consent-list__state">
                  <SwitchBadge on />
                  <span>
                    {t({
                      pl: `${last} dzień wcześniej. Te wysyłamy zawsze.`,
                      en: `${last} day before. These are always sent.`,
                    })}
                  </span>
                </p>
              </div>
            </li>
          </ul>
        )}
      </Region>
    </section>
  )
}

function SwitchBadge({ on }: { on: boolean }) {
  const t = useText()
  return on ? (
    <Badge kind="ok" icon="okc">
      {t({ pl: 'Włączone', en: 'On' })}
    </Badge>
  ) : (
    <Badge kind="mute" icon="minusc">
      {t({ pl: 'Wyłączone', en: 'Off' })}
    </Badge>
  )
}

function EarlySwitch({ on }: { on: boolean }) {
  const t = useText()
  return (
    <SettingSwitch
      label={
        on
          ? t({ pl: 'Wyłącz wcześniejsze przypomnienia', en: 'Switch early reminders off' })
          : t({ pl: 'Włącz wcześniejsze przypomnienia', en: 'Switch early reminders on' })
      }
      done={
        on
          ? t({ pl: 'Wcześniejsze przypomnienia wyłączone', en: 'Early reminders switched off' })
          : t({ pl: 'Wcześniejsze przypomnienia włączone', en: 'Early reminders switched on' })
      }
      change={async () => {
        await call(changeReminders, { body: { early: !on } })
        await forget(readReminders)
      }}
    />
  )
}
