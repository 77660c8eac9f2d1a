import { useRef, useState } from 'react'
import { readSealRecipient, type SealRecipient as Recipient } from '../../contract/seal-recipients.ts'
import type { Seal } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { useRead } from '../calls/reads.ts'
import { DateTimeText } from '../text/date-text.tsx'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { OfList } from '../ui/list-name.tsx'
import { Region } from '../ui/region.tsx'
import { Verbatim } from '../ui/verbatim.tsx'

const NameRecipientDialog = partOnDemand(() =>
  import('./name-recipient-dialog.tsx').then((file) => file.NameRecipientDialog),
)
const RemoveRecipientDialog = partOnDemand(() =>
  import('./name-recipient-dialog.tsx').then((file) => file.RemoveRecipientDialog),
)

/** Shows a second address for the reminders of a seal, which has to be confirmed by its own link (SEA-19). */
export function ReminderRecipient({ seal }: { seal: Seal }) {
  const t = useText()
  const current = useRead(readSealRecipient, { params: { id: seal.id } })
  const [dialog, setDialog] = useState<'name' | 'remove'>()
  const nameButton = useRef<HTMLButtonElement>(null)
  const close = () => setDialog(undefined)
  return (
    <div className="seal-recipient">
      <Region query={current} lines={1} label={t({ pl: 'Wczytujemy adres', en: 'Loading the address' })}>
        {({ recipient }) => (
          <>
            {recipient ? <Known recipient={recipient} /> : <Nobody />}
            <div className="buttons">
              <Button size="s" aria-haspopup="dialog" ref={nameButton} onClick={() => setDialog('name')}>
                {recipient
                  ? t({ pl: 'Zmień adres', en: 'Change address' })
                  : t({ pl: 'Podaj adres', en: 'Enter address' })}
                <OfList />
              </Button>
              {recipient && (
                <Button size="s" variant="quiet" aria-haspopup="dialog" onClick={() => setDialog('remove')}>
                  {t({ pl: 'Usuń adres', en: 'Remove address' })}
                  <OfList />
                </Button>
              )}
            </div>
          </>
        )}
      </Region>
      {dialog === 'name' && <NameRecipientDialog seal={seal} onClose={close} />}
      {dialog === 'remove' && (
        // The button that opened it is gone, and the focus must not move to the top of the page (WCAG 2.4.3).
        <RemoveRecipientDialog seal={seal} onClose={close} onRemoved={() => nameButton.current?.focus()} />
      )}
    </div>
  )
}

const waiting: StatusLook = {
  kind: 'warning',
  icon: 'clock',
  text: { pl: 'Czeka na potwierdzenie', en: 'To be confirmed' },
}
const confirmed: StatusLook = { kind: 'ok', icon: 'check-circle', text: { pl: 'Potwierdzony', en: 'Confirmed' } }

function Known({ recipient: { email, confirmedAt, expiresAt } }: { recipient: Recipient }) {
  const t = useText()
  return (
    <p>
      <Verbatim>{email}</Verbatim> <LookBadge look={confirmedAt ? confirmed : waiting} />
      {expiresAt && (
        <span className="subtext">
          {t({ pl: 'Link do potwierdzenia działa do ', en: 'The confirmation link works until ' })}
          <DateTimeText at={expiresAt} />
        </span>
      )}
    </p>
  )
}

function Nobody() {
  const t = useText()
  return (
    <p className="soft small">
      {t({
        pl: 'Przypomnienia o\u00a0końcu ważności dostają administratorzy. Możesz dodać jeden adres, na przykład sekretariatu.',
        en: 'Administrators get the reminders before the seal expires. You can add one address, such as your office’s.',
      })}
    </p>
  )
}
