import { useRef, useState } from 'react'
import { makeCalendarAddress, readCalendar, revokeCalendarAddress } from '../../contract/calendar.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { call } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { DateTimeText } from '../text/date-text.tsx'
import { toast } from '../toast/toast.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { SectionCard } from '../ui/section-card.tsx'
import { Code } from '../ui/verbatim.tsx'

const CalendarDialog = partOnDemand(() => import('./calendar-dialog.tsx').then((file) => file.CalendarDialog))

/** Creates, replaces and revokes the private address of the calendar, which is shown only when it is created (CAL-1). */
export function CalendarCard() {
  const t = useText()
  const calendar = useRead(readCalendar)
  const [address, setAddress] = useState<string>()
  const [dialog, setDialog] = useState<'replace' | 'revoke'>()
  const heading = useRef<HTMLHeadingElement>(null)
  // The pressed button may be gone, and the focus must not move to the top of the page (WCAG 2.4.3). A dialog gives it back when it closes.
  const settle = async (made: string | undefined) => {
    setDialog(undefined)
    setAddress(made)
    await invalidate(readCalendar)
    heading.current?.focus()
  }
  const make = async () => settle((await call(makeCalendarAddress)).address)
  const revoke = async () => {
    await call(revokeCalendarAddress)
    await settle(undefined)
    toast({ title: t({ pl: 'Unieważniono adres kalendarza', en: 'Calendar link turned off' }) })
  }
  return (
    <SectionCard
      id="calendar-title"
      heading={heading}
      title={t({ pl: 'Terminy w\u00a0Twoim kalendarzu', en: 'Expiry dates in your calendar' })}
      intro={t({
        pl: 'Wklej adres w\u00a0Kalendarzu Google, Outlooku lub Kalendarzu Apple. Zobaczysz tam, kiedy wygasa to, co masz w\u00a0portalu. Zmiany pojawią się same.',
        en: 'Paste the link into Google Calendar, Outlook or Apple Calendar to see when what you have in the portal expires. Changes appear automatically.',
      })}
    >
      <Region query={calendar} label={t({ pl: 'Wczytujemy kalendarz', en: 'Loading your calendar' })}>
        {({ since }) => (
          <div className="calendar">
            {address && since && <NewAddress address={address} />}
            {since ? (
              <Made since={since} onReplace={() => setDialog('replace')} onRevoke={() => setDialog('revoke')} />
            ) : (
              <Make make={make} />
            )}
          </div>
        )}
      </Region>
      {dialog && (
        <CalendarDialog
          kind={dialog}
          onConfirm={dialog === 'replace' ? make : revoke}
          onClose={() => setDialog(undefined)}
        />
      )}
    </SectionCard>
  )
}

function Make({ make }: { make: () => Promise<void> }) {
  const t = useText()
  const { run, isBusy, failureText } = useAction(make)
  return (
    <>
      <p className="buttons">
        <Button isBusy={isBusy} busyText={t({ pl: 'Tworzymy…', en: 'Creating…' })} onClick={run}>
          {t({ pl: 'Utwórz adres kalendarza', en: 'Create calendar link' })}
        </Button>
      </p>
      <FailureNotice text={failureText} />
    </>
  )
}

function NewAddress({ address }: { address: string }) {
  const t = useText()
  return (
    <Notice
      kind="warning"
      title={t({ pl: 'Skopiuj adres teraz: pokazujemy go tylko raz', en: 'Copy the link now: it’s shown only once' })}
    >
      <p>
        <Code className="wrap">{address}</Code>
      </p>
      <p className="buttons">
        <CopyButton
          text={address}
          label={t({ pl: 'Skopiuj adres', en: 'Copy link' })}
          variant="secondary"
          onRefused={() =>
            toast({
              title: t({
                pl: 'Przeglądarka nie pozwala kopiować. Zaznacz adres.',
                en: 'Your browser can’t copy. Select the link.',
              }),
              variant: 'destructive',
            })
          }
        />
      </p>
      <p className="small">
        {t({
          pl: 'Kto ma ten adres, widzi te terminy. Nie ma w\u00a0nich Twojego imienia i\u00a0nazwiska ani numerów.',
          en: 'Anyone with this link can see these dates. They contain neither your name nor any numbers.',
        })}
      </p>
    </Notice>
  )
}

function Made({ since, onReplace, onRevoke }: { since: string; onReplace: () => void; onRevoke: () => void }) {
  const t = useText()
  return (
    <>
      <p>
        {t({ pl: 'Adres utworzono', en: 'Link created' })} <DateTimeText at={since} />
      </p>
      <p className="buttons">
        <Button size="s" onClick={onReplace}>
          {t({ pl: 'Utwórz nowy adres', en: 'Create new link' })}
        </Button>
        <Button size="s" variant="quiet" onClick={onRevoke}>
          {t({ pl: 'Wyłącz adres', en: 'Turn off link' })}
        </Button>
      </p>
    </>
  )
}
