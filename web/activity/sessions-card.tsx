import { useEffect, useRef, useState } from 'react'
import {
  listActivity,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type ActiveSession,
} from '../../contract/activity.ts'
import type { Locale } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { call, onFailure } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'
import { countryIn } from '../text/identifier-text.ts'
import { toast } from '../toast/toast.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Region } from '../ui/region.tsx'
import { DescribedCard } from '../ui/section-card.tsx'
import { useDeviceName } from './activity-table.tsx'

/** Shows where the customer is signed in, and how to end other sessions (AUT-9). */
export function SessionsCard() {
  const t = useText()
  const list = useRead(listSessions)
  const [ending, setEnding] = useState<ActiveSession | 'others'>()
  const heading = useRef<HTMLHeadingElement>(null)
  const ended = useRef(false)

  useEffect(() => {
    // The pressed button is removed with its session, possibly after it got the focus back (WCAG 2.4.3).
    if (ended.current && document.activeElement === document.body) heading.current?.focus()
    ended.current = false
  }, [list.data])

  async function end() {
    if (ending === 'others') await call(revokeOtherSessions)
    else if (ending)
      await call(revokeSession, { params: { id: ending.id } }).catch(onFailure(['not-found'], () => undefined))
    ended.current = true
    await invalidate(listSessions, listActivity)
    toast({ title: t(endText[ending === 'others' ? 'others' : 'one'].done) })
  }

  return (
    <DescribedCard
      id="sessions-title"
      title={t({ pl: 'Aktywne sesje', en: 'Active sessions' })}
      heading={heading}
      intro={t({
        pl: 'Na tych urządzeniach masz teraz otwarte konto. Nie rozpoznajesz któregoś? Zakończ jego sesję i\u00a0zmień hasło.',
        en: 'These are the devices you’re signed in on. Don’t recognise one? End its session and change your password.',
      })}
    >
      <Region query={list} lines={4} label={t({ pl: 'Wczytujemy sesje', en: 'Loading your sessions' })}>
        {({ items }) => (
          <>
            <ul className="security-rows">
              {items.map((session) => (
                <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
              ))}
            </ul>
            {items.length > 1 && (
              <p>
                <Button icon="sign-out" onClick={() => setEnding('others')}>
                  {t({ pl: 'Zakończ wszystkie inne sesje', en: 'End all other sessions' })}
                </Button>
              </p>
            )}
          </>
        )}
      </Region>
      {ending && <EndDialog ending={ending} onConfirm={end} onClose={() => setEnding(undefined)} />}
    </DescribedCard>
  )
}

const endText = {
  one: {
    title: { pl: 'Zakończyć tę sesję?', en: 'End this session?' },
    label: { pl: 'Zakończ sesję', en: 'End session' },
    result: {
      pl: 'To urządzenie wylogujemy od razu. W\u00a0przeglądarce, której teraz używasz, nic się nie zmieni.',
      en: 'That device will be signed out immediately. Nothing changes in the browser you’re using now.',
    },
    done: { pl: 'Sesja zakończona', en: 'Session ended' },
  },
  others: {
    title: { pl: 'Zakończyć wszystkie inne sesje?', en: 'End all other sessions?' },
    label: { pl: 'Zakończ sesje', en: 'End sessions' },
    result: {
      pl: 'Wszystkie inne urządzenia wylogujemy od razu. W\u00a0tej przeglądarce nic się nie zmieni.',
      en: 'All other devices will be signed out immediately. Nothing changes in this browser.',
    },
    done: { pl: 'Inne sesje zakończone', en: 'Other sessions ended' },
  },
}

type EndProps = { ending: ActiveSession | 'others'; onConfirm: () => Promise<void>; onClose: () => void }

function EndDialog({ ending, onConfirm, onClose }: EndProps) {
  const t = useText()
  const nameOf = useDeviceName()
  const { title, label, result } = endText[ending === 'others' ? 'others' : 'one']
  return (
    <ConfirmDialog title={t(title)} label={t(label)} onConfirm={onConfirm} onClose={onClose}>
      {ending !== 'others' && (
        <p>
          <b>{nameOf(ending.device)}</b>
          {ending.address && `, ${ending.address}`}, {sinceText(t.locale, ending)}
        </p>
      )}
      <p>{t(result)}</p>
    </ConfirmDialog>
  )
}

/** Returns the start of a session, as in `od 22.11.2026, 02:12`, which distinguishes several sessions of one device. */
const sinceText = (locale: Locale, { startedAt }: ActiveSession) =>
  ({ pl: 'od ', en: 'since ' })[locale] + formatDateTime(locale, startedAt, 'short')

function SessionRow({ session, onEnd }: { session: ActiveSession; onEnd: () => void }) {
  const t = useText()
  const { device, isOwn, country, address, startedAt, usedAt } = session
  const name = useDeviceName()(device)
  const started = formatDateTime(t.locale, startedAt, 'short')
  const used = formatDateTime(t.locale, usedAt, 'short')
  const end = t(endText.one.label)
  return (
    <li>
      <Icon name={device.system === 'android' || device.system === 'ios' ? 'mobile' : 'laptop'} />
      <div className="security-row">
        <div>
          <h3>
            {name}
            {isOwn && (
              <Badge kind="ok" icon="check-circle">
                {t({ pl: 'Ta przeglądarka', en: 'This browser' })}
              </Badge>
            )}
          </h3>
          <p className="small muted">
            {[country && countryIn(t.locale, country), address].filter(Boolean).join(', ') ||
              t({ pl: 'Nieznane miejsce', en: 'Unknown place' })}
          </p>
          <p className="small muted">
            {t({ pl: `Od ${started}`, en: `Since ${started}` })} ·{' '}
            {t({ pl: `ostatnio używana ${used}`, en: `last active ${used}` })}
          </p>
        </div>
        {!isOwn && (
          <div className="buttons">
            <Button
              variant="quiet"
              size="s"
              aria-label={`${end}: ${name}, ${sinceText(t.locale, session)}`}
              onClick={onEnd}
            >
              {end}
            </Button>
          </div>
        )}
      </div>
    </li>
  )
}
