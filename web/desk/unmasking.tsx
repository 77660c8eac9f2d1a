import { useState, type FormEvent } from 'react'
import { unmaskDeskCustomer, type DeskCustomer } from '../../contract/desk/desk-customers.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { deskLimits } from '../../contract/desk/desk-bounds.ts'
import { useAction } from '../action.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'

type Whole = Reply<typeof unmaskDeskCustomer>
type Props = { id: string; masked: DeskCustomer; session: DeskSession }

/** DSK-9: masked data, and whole ones after a reason, for as long as this customer is on the page. */
export function Unmasking({ id, masked, session }: Props) {
  const t = useText()
  const [whole, setWhole] = useState<Whole>()
  const { name, login, email, phone, identificationNumber } = whole ?? masked
  return (
    <>
      <DescriptionList>
        <Row name={t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' })} translate="no">
          {name}
        </Row>
        <Row name={t({ pl: 'Login', en: 'Username' })} translate="no">
          {login}
        </Row>
        <Row name={t({ pl: 'E-mail', en: 'E-mail' })} translate="no">
          {email}
        </Row>
        <Row name={t({ pl: 'Telefon', en: 'Phone' })} translate="no">
          {phone}
        </Row>
        <Row name={t({ pl: 'Numer identyfikacyjny', en: 'Identification number' })} translate="no">
          {identificationNumber ?? '–'}
        </Row>
      </DescriptionList>
      {whole ? (
        <Button onClick={() => setWhole(undefined)}>{t({ pl: 'Ukryj dane', en: 'Hide the data' })}</Button>
      ) : (
        mayCall(unmaskDeskCustomer, session.roles) && <Reason id={id} onWhole={setWhole} />
      )}
    </>
  )
}

/** Whole data are shown for a reason, which is in the audit trail. */
function Reason({ id, onWhole }: { id: string; onWhole: (whole: Whole) => void }) {
  const t = useText()
  const [reason, setReason] = useState('')
  const { run, busy, failureText } = useAction(async () =>
    onWhole(await call(unmaskDeskCustomer, { params: { id }, body: { reason } })),
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (reason.trim()) void run()
  }
  return (
    <form className="desk-reason" onSubmit={submit}>
      <div className="field">
        <label htmlFor="reason">{t({ pl: 'Powód odczytu pełnych danych', en: 'Reason to see the whole data' })}</label>
        <p className="hint" id="reason-hint">
          {t({
            pl: 'Zapiszemy go w\u00a0dzienniku z\u00a0Twoim nazwiskiem. Podaj numer zgłoszenia, bez danych klienta.',
            en: 'It goes to the audit trail with your name. Give the number of the ticket, and no data of the customer.',
          })}
        </p>
        <input
          id="reason"
          className="input"
          autoComplete="off"
          maxLength={deskLimits.reason}
          required
          aria-describedby="reason-hint"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      {failureText && (
        <Notice kind="err" role="alert">
          {failureText}
        </Notice>
      )}
      <Button type="submit" busy={busy} busyText={t({ pl: 'Odczytujemy…', en: 'Reading…' })}>
        {t({ pl: 'Pokaż dane', en: 'Show the data' })}
      </Button>
    </form>
  )
}
