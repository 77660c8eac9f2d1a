import { useState } from 'react'
import {
  putSealRecipient,
  readSealRecipient,
  removeSealRecipient,
  SealRecipientForm,
  type SealRecipient as Recipient,
} from '../../contract/seal-recipients.ts'
import type { Seal } from '../../contract/seals.ts'
import { call } from '../api.ts'
import { OfList } from '../list-name.tsx'
import { useLocale, useText } from '../locale.tsx'
import { invalidate, useRead } from '../reads.ts'
import { formatDateTime } from '../text/format.ts'
import { toast } from '../toast/toast.tsx'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Cancel, Submit } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { Region } from '../ui/region.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { SealName } from './seal-name.tsx'

/** SEA-19: a second address for the reminders of a seal, which has to be confirmed by its own link. */
export function SealRecipient({ seal }: { seal: Seal }) {
  const t = useText()
  const params = { id: seal.id }
  const current = useRead(readSealRecipient, { params })
  const [dialog, setDialog] = useState<'enter' | 'remove'>()
  const close = () => setDialog(undefined)
  return (
    <div className="seal-recipient">
      <h4>
        {t({ pl: 'Drugi adres do przypomnień', en: 'Second address for reminders' })}
        <OfList />
      </h4>
      <Region query={current} lines={1} label={t({ pl: 'Wczytujemy adres', en: 'Loading the address' })}>
        {({ recipient }) => (
          <>
            {recipient ? <Known recipient={recipient} /> : <Nobody />}
            <div className="btns">
              <Button size="s" aria-haspopup="dialog" onClick={() => setDialog('enter')}>
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
      {dialog === 'enter' && <EnterDialog seal={seal} onClose={close} />}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={t({ pl: 'Usunąć drugi adres?', en: 'Remove the second address?' })}
          description={<SealName seal={seal} />}
          label={t({ pl: 'Usuń adres', en: 'Remove address' })}
          icon="trash"
          onConfirm={async () => {
            await call(removeSealRecipient, { params })
            await invalidate(readSealRecipient)
            toast({ title: t({ pl: 'Adres usunięty', en: 'Address removed' }) })
          }}
          onClose={close}
        >
          <p>
            {t({
              pl: 'Na ten adres nie przyjdzie już żadne przypomnienie. Administratorzy pieczęci nadal będą je dostawać.',
              en: 'This address gets no more reminders. The seal’s administrators will still get them.',
            })}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

const waiting: StatusLook = {
  kind: 'warn',
  icon: 'clock',
  text: { pl: 'Czeka na potwierdzenie', en: 'To be confirmed' },
}
const confirmed: StatusLook = { kind: 'ok', icon: 'okc', text: { pl: 'Potwierdzony', en: 'Confirmed' } }

function Known({ recipient: { email, confirmedAt, expiresAt } }: { recipient: Recipient }) {
  const t = useText()
  const locale = useLocale()
  return (
    <p>
      <Verbatim>{email}</Verbatim> <LookBadge look={confirmedAt ? confirmed : waiting} />
      {expiresAt && (
        <span className="sub">
          {t({ pl: 'Link do potwierdzenia działa do ', en: 'The confirmation link works until ' })}
          <time dateTime={expiresAt}>{formatDateTime(locale, expiresAt)}</time>
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

function EnterDialog({ seal, onClose }: { seal: Seal; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  return (
    <FormDialog
      title={t({ pl: 'Drugi adres do przypomnień', en: 'Second address for reminders' })}
      description={<SealName seal={seal} />}
      schema={SealRecipientForm}
      initial={{ locale }}
      onSubmit={async (body) => {
        await call(putSealRecipient, { params: { id: seal.id }, body })
        onClose()
        await invalidate(readSealRecipient)
        toast({ title: t({ pl: 'Wysłaliśmy link do potwierdzenia', en: 'We’ve sent a confirmation link' }) })
      }}
      onClose={onClose}
      footer={
        <>
          <Cancel onClick={onClose} />
          <Submit>{t({ pl: 'Wyślij link', en: 'Send link' })}</Submit>
        </>
      }
    >
      <div className="stack stack--s">
        <Field
          name="email"
          type="email"
          label="E-mail"
          hint={t({
            pl: 'Wyślemy tam link. Przypomnienia zaczną przychodzić, gdy ktoś go potwierdzi.',
            en: 'We’ll send a link there. Reminders start once somebody has confirmed it.',
          })}
          autoComplete="off"
        />
        <RadioCards
          name="locale"
          label={t({ pl: 'Język wiadomości', en: 'Language of the messages' })}
          columns={2}
          options={[
            { value: 'pl', label: t({ pl: 'Polski', en: 'Polish' }) },
            { value: 'en', label: t({ pl: 'Angielski', en: 'English' }) },
          ]}
        />
      </div>
    </FormDialog>
  )
}
