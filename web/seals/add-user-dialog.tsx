import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { SealUserForm } from '../../contract/seal-user-form.ts'
import { addSealUser, type SealUser } from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { call, newIdempotencyKey } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { Field } from '../ui/field.tsx'
import { valuesOf } from '../form-values.ts'
import { Cancel, Submit } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PhoneField } from '../phone/phone-field.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { sealText } from '../text/product-text.ts'
import { roleHint, roleText } from './seal-text.ts'
import { elementOf } from '../element.ts'

type Props = { seal: Seal; onAdded: (user: SealUser) => void; onClose: () => void }

/** SEA-3: who is invited, as what, and where the messages will go. */
export function AddUserDialog({ seal, onAdded, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const fields = useRef<HTMLDivElement>(null)
  const [to, setTo] = useState<Record<string, string | boolean | undefined>>({})

  const add = async (body: z.output<typeof SealUserForm>) =>
    onAdded(await call(addSealUser, { params: { id: seal.id }, body, idempotencyKey: newIdempotencyKey() }))

  function preview() {
    const form = elementOf(fields).closest('form')
    const { email, phone } = form ? valuesOf(form) : {}
    setTo({ email, phone })
  }

  return (
    <FormDialog
      title={t({ pl: 'Dodaj użytkownika pieczęci', en: 'Add a seal user' })}
      description={sealText(seal, locale)}
      schema={SealUserForm}
      initial={{ locale }}
      summary="in-dialog"
      onSubmit={add}
      failures={{ 'seal-user-exists': 'email' }}
      onClose={onClose}
      footer={
        <>
          <Cancel onClick={onClose} />
          <Submit>{t({ pl: 'Wyślij zaproszenie', en: 'Send invitation' })}</Submit>
        </>
      }
    >
      {/* Updated while typing, not when the field is left: at that moment the button is pressed, and it must not move. */}
      <div className="stack stack--s" ref={fields} onChange={preview} onPaste={preview} onBlur={preview}>
        <div className="names">
          <Field name="firstName" label={t({ pl: 'Imię', en: 'First name' })} autoComplete="off" />
          <Field name="surname" label={t({ pl: 'Nazwisko', en: 'Surname' })} autoComplete="off" />
        </div>
        <Field
          name="email"
          type="email"
          label="E-mail"
          hint={t({ pl: 'Na ten adres wyślemy zaproszenie.', en: 'We will send the invitation to this address.' })}
          autoComplete="off"
        />
        <PhoneField
          name="phone"
          label={t({ pl: 'Telefon komórkowy', en: 'Mobile phone' })}
          hint={t({
            pl: 'Kodem z\u00a0SMS-a ta osoba aktywuje dostęp.',
            en: 'This person activates the access with a code sent to it.',
          })}
        />
        <RadioCards
          name="role"
          label={t({ pl: 'Rola', en: 'Role' })}
          options={(['user', 'administrator'] as const).map((value) => ({
            value,
            label: t(roleText[value]),
            hint: t(roleHint[value]),
          }))}
        />
        <RadioCards
          name="locale"
          label={t({ pl: 'Język zaproszenia', en: 'Language of the invitation' })}
          columns={2}
          options={[
            { value: 'pl', label: t({ pl: 'Polski', en: 'Polish' }) },
            { value: 'en', label: t({ pl: 'Angielski', en: 'English' }) },
          ]}
        />
        <p className="hint">
          {t({
            pl: 'Do osoby, która ma już konto, piszemy w\u00a0języku jej konta.',
            en: 'We write to a person who has an account already in the language of that account.',
          })}
        </p>
        <p className="hint">
          {to.email &&
            to.phone &&
            t({
              pl: `Zaproszenie wyślemy na ${to.email}. SMS na ${to.phone} wyślemy, gdy ta osoba naciśnie „Aktywuj dostęp”.`,
              en: `We will send the invitation to ${to.email}, and a text message to ${to.phone} when this person presses “Activate access”.`,
            })}
        </p>
      </div>
    </FormDialog>
  )
}
