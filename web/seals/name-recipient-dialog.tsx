import {
  nameSealRecipient,
  readSealRecipient,
  SealRecipientForm,
  removeSealRecipient,
} from '../../contract/seal-recipients.ts'
import type { Seal } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { call, newIdempotencyKey } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { toast } from '../toast/toast.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { languageText, RadioCards } from '../ui/radio-cards.tsx'
import { textOptions } from '../ui/select.tsx'
import { SealDescription } from './seal-name.tsx'

/** Asks for a second address for the reminders, and for its language (SEA-19). */
export function NameRecipientDialog({ seal, onClose }: { seal: Seal; onClose: () => void }) {
  const t = useText()
  return (
    <FormDialog
      title={t({ pl: 'Drugi adres do przypomnień', en: 'Second address for reminders' })}
      description={<SealDescription seal={seal} />}
      schema={SealRecipientForm}
      initial={{ locale: t.locale }}
      onSubmit={async (body) => {
        await call(nameSealRecipient, { params: { id: seal.id }, body, idempotencyKey: newIdempotencyKey() })
        onClose()
        await invalidate(readSealRecipient)
        toast({ title: t({ pl: 'Wysłaliśmy link do potwierdzenia', en: 'We’ve sent a confirmation link' }) })
      }}
      onClose={onClose}
      submit={t({ pl: 'Wyślij link', en: 'Send link' })}
    >
      <div className="stack stack--small">
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
          options={textOptions(t.locale, languageText)}
        />
      </div>
    </FormDialog>
  )
}

type Props = { seal: Seal; onClose: () => void; onRemoved: () => void }

/** Asks whether to remove the second address, which then gets no more reminders (SEA-19). */
export function RemoveRecipientDialog({ seal, onClose, onRemoved }: Props) {
  const t = useText()
  return (
    <ConfirmDialog
      title={t({ pl: 'Usunąć drugi adres?', en: 'Remove the second address?' })}
      description={<SealDescription seal={seal} />}
      label={t({ pl: 'Usuń adres', en: 'Remove address' })}
      icon="trash"
      onConfirm={async () => {
        await call(removeSealRecipient, { params: { id: seal.id } })
        onClose()
        await invalidate(readSealRecipient)
        onRemoved()
        toast({ title: t({ pl: 'Adres usunięty', en: 'Address removed' }) })
      }}
      onClose={onClose}
    >
      <p>
        {t({
          pl: 'Na ten adres nie przyjdzie już żadne przypomnienie. Administratorzy pieczęci nadal będą je dostawać.',
          en: 'This address gets no more reminders. The seal’s administrators will still get them.',
        })}
      </p>
    </ConfirmDialog>
  )
}
