import { useState } from 'react'
import { register, type RegistrationForm } from '../../contract/registration.ts'
import { useLocale } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { usePage } from '../app/page-title.ts'
import { useBotCheck } from '../bot-check/use-bot-check.tsx'
import { call } from '../calls/api.ts'
import type { Read } from '../consents/consent-fields.tsx'
import { hashWordings } from '../consents/wordings.ts'
import { RegistrationFields } from './registration-fields.tsx'
import './register.css'

const RegistrationSent = partOnDemand(() => import('./registration-sent.tsx').then((file) => file.RegistrationSent))

/** Shows the form, then what happens next, which is the same whether or not the e-mail address is known (REG-1…REG-5). */
export function RegisterScreen() {
  const locale = useLocale()
  const { prove, statusText, statusArea } = useBotCheck('registration')
  const [entered, setEntered] = useState<RegistrationForm>()
  const [registration, setRegistration] = useState<string>()
  const [isSent, setIsSent] = useState(false)
  const [read, setRead] = useState<Read>(new Set())
  usePage({
    title: isSent
      ? { pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' }
      : { pl: 'Załóż konto', en: 'Create an account' },
  })

  async function send(values: RegistrationForm) {
    void RegistrationSent.preload()
    const wordings = await hashWordings(locale)
    const botProof = await prove()
    const replaces = registration && { replaces: registration }
    const made = await call(register, { body: { ...values, locale, botProof, wordings, ...replaces } })
    setRegistration(made.registration)
    setEntered(values)
    setIsSent(true)
  }

  if (isSent && entered)
    return (
      <RegistrationSent
        email={entered.email}
        onResend={() => send(entered)}
        onCorrect={() => setIsSent(false)}
        busyText={statusText}
      >
        {statusArea}
      </RegistrationSent>
    )
  return (
    <RegistrationFields
      entered={entered}
      read={read}
      onRead={(kind) => setRead(new Set([...read, kind]))}
      onSubmit={send}
      busyText={statusText}
    >
      {statusArea}
    </RegistrationFields>
  )
}
