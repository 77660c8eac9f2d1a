import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { addSealUser, SealUserForm, type SealUser } from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { call, newIdempotencyKey } from '../api.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { valuesOf } from '../ui/form-values.ts'
import { Form, Submit } from '../ui/form.tsx'
import { PhoneField } from '../ui/phone-field.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { roleHint, roleText } from './seal-text.ts'

type Props = { seal: Seal; onAdded: (user: SealUser) => void; onClose: () => void }

/** SEA-3: who is invited, as what, and where the messages will go. */
export function AddUserDialog({ seal, onAdded, onClose }: Props) {
  const t = useText()
  const fields = useRef<HTMLDivElement>(null)
  const [to, setTo] = useState<{ email?: string; phone?: string }>({})

  const add = async (body: z.output<typeof SealUserForm>) =>
    onAdded(await call(addSealUser, { params: { id: seal.id }, body, idempotencyKey: newIdempotencyKey() }))

  function preview() {
    const { email, phone } = valuesOf(fields.current!.closest('form')!) as Record<string, string | undefined>
    setTo({ ...(email && { email }), ...(phone && { phone }) })
  }

  return (
    <Dialog
      title={t({ pl: 'Dodaj użytkownika pieczęci', en: 'Add a seal user' })}
      description={seal.organisation.name}
      onClose={onClose}
    >
      <Form className="form" schema={SealUserForm} onSubmit={add} failures={{ 'seal-user-exists': 'email' }}>
        {/* While somebody types, not when they leave the field: that is when the button is pressed, and it must not move away. */}
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
            autoCapitalize="none"
            spellCheck={false}
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
          <p className="hint">
            {to.email &&
              to.phone &&
              t({
                pl: `Zaproszenie wyślemy na ${to.email}. SMS na ${to.phone} wyślemy, gdy ta osoba naciśnie „Aktywuj dostęp”.`,
                en: `We will send the invitation to ${to.email}, and a text message to ${to.phone} when this person presses “Activate access”.`,
              })}
          </p>
        </div>
        <div className="btns dialog__acts">
          <Button variant="quiet" onClick={onClose}>
            {t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
          <Submit>{t({ pl: 'Wyślij zaproszenie', en: 'Send invitation' })}</Submit>
        </div>
      </Form>
    </Dialog>
  )
}
