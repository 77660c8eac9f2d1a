import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { SealUserForm } from '../../contract/seal-user-form.ts'
import { addSealUser, type SealUser } from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { requireElement } from '../app/element-refs.ts'
import { valuesOf } from '../app/form-values.ts'
import { useText } from '../app/locale.tsx'
import { call, newIdempotencyKey } from '../calls/api.ts'
import { PhoneField } from '../phone/phone-field.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { languageText, RadioCards } from '../ui/radio-cards.tsx'
import { textOptions } from '../ui/select.tsx'
import { SealDescription, roleHint, sealRoleText } from './seal-name.tsx'

type Props = { seal: Seal; onAdded: (user: SealUser) => void; onClose: () => void }

/** Asks who is invited and in which role, and shows where the messages will go (SEA-3). */
export function AddUserDialog({ seal, onAdded, onClose }: Props) {
  const t = useText()
  const fields = useRef<HTMLDivElement>(null)
  const [to, setTo] = useState<Record<string, string | boolean | undefined>>({})

  const add = async (body: z.output<typeof SealUserForm>) =>
    onAdded(await call(addSealUser, { params: { id: seal.id }, body, idempotencyKey: newIdempotencyKey() }))

  function preview() {
    const form = requireElement(fields).closest('form')
    const { email, phone } = form ? valuesOf(form) : {}
    setTo({ email, phone })
  }

  return (
    <FormDialog
      title={t({ pl: 'Dodaj użytkownika pieczęci', en: 'Add seal user' })}
      description={<SealDescription seal={seal} />}
      schema={SealUserForm}
      initial={{ locale: t.locale }}
      summary="in-dialog"
      onSubmit={add}
      failures={{ 'seal-user-exists': 'email' }}
      onClose={onClose}
      submit={t({ pl: 'Wyślij zaproszenie', en: 'Send invitation' })}
    >
      {/* Updated while typing, not when the field is left: at that moment the button is pressed, and it must not move. */}
      <div className="stack stack--small" ref={fields} onChange={preview} onPaste={preview} onBlur={preview}>
        <div className="add-user__names">
          <Field name="firstName" label={t({ pl: 'Imię', en: 'First name' })} autoComplete="off" />
          <Field name="surname" label={t({ pl: 'Nazwisko', en: 'Surname' })} autoComplete="off" />
        </div>
        <Field
          name="email"
          type="email"
          label="E-mail"
          hint={t({ pl: 'Na ten adres wyślemy zaproszenie.', en: 'We’ll send the invitation to this address.' })}
          autoComplete="off"
        />
        <PhoneField
          name="phone"
          label={t({ pl: 'Telefon komórkowy', en: 'Mobile phone' })}
          hint={t({
            pl: 'Ta osoba aktywuje dostęp kodem SMS.',
            en: 'This person will activate access with a text-message code.',
          })}
        />
        <RadioCards
          name="role"
          label={t({ pl: 'Rola', en: 'Role' })}
          options={(['user', 'admin'] as const).map((value) => ({
            value,
            label: t(sealRoleText[value]),
            hint: t(roleHint[value]),
          }))}
        />
        <RadioCards
          name="locale"
          label={t({ pl: 'Język zaproszenia', en: 'Invitation language' })}
          options={textOptions(t.locale, languageText)}
        />
        <p className="hint">
          {t({
            pl: 'Jeśli ta osoba ma już konto, napiszemy w\u00a0języku konta.',
            en: 'If this person already has an account, we’ll write in that account’s language.',
          })}
        </p>
        <p className="hint">
          {to.email &&
            to.phone &&
            t({
              pl: `Zaproszenie wyślemy na ${to.email}. SMS na ${to.phone} wyślemy, gdy ta osoba naciśnie „Aktywuj dostęp”.`,
              en: `We’ll send the invitation to ${to.email}, and a text message to ${to.phone} when this person presses “Activate access”.`,
            })}
        </p>
      </div>
    </FormDialog>
  )
}
