import { useMemo, useState } from 'react'
import type { RequiredConsent } from '../../contract/consents.ts'
import type { Locale } from '../../contract/enums.ts'
import { setPassword, setPasswordFormWith } from '../../contract/password-link.ts'
import { call, onFailure, type ApiError } from '../api.ts'
import { ConsentFields, type Read } from '../consents/consent-fields.tsx'
import { hashWordings } from '../consents/wordings.ts'
import { useText } from '../locale.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { NewPasswordFields, PasswordOwner } from './new-password-fields.tsx'

type Props = {
  login: string
  token: string
  /** What is accepted with the password (REG-8). */
  required: readonly RequiredConsent[]
  onDone: () => void
  onLinkFailed: (failed: ApiError) => void
}

export function NewPasswordForm({ login, token, required, onDone, onLinkFailed }: Props) {
  const t = useText()
  const [read, setRead] = useState<Read>(new Set())
  const schema = useMemo(() => setPasswordFormWith(required), [required])

  async function set({ newPassword, repeatPassword }: { newPassword: string; repeatPassword: string }) {
    const password = { newPassword, repeatPassword }
    const accepted = required.length > 0 && { accepted: { locale: t.locale, ...(await hashesOf(required, t.locale)) } }
    await call(setPassword, { body: { token, password, ...accepted } }).then(
      onDone,
      onFailure(['link-unknown', 'link-expired', 'link-used'], onLinkFailed),
    )
  }

  return (
    <Form schema={schema} failures={{ 'password-used-before': 'newPassword' }} onSubmit={set}>
      <PasswordOwner login={login} />
      <NewPasswordFields repeatLabel={t({ pl: 'Powtórz hasło', en: 'Repeat password' })} />
      {required.length > 0 && (
        <ConsentFields kinds={required} read={read} onRead={(kind) => setRead(new Set([...read, kind]))} />
      )}
      <Submit block busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })}>
        {t({ pl: 'Ustaw hasło', en: 'Set password' })}
      </Submit>
    </Form>
  )
}

/** The wordings that the boxes have shown. */
async function hashesOf(kinds: readonly RequiredConsent[], locale: Locale) {
  const hashes = await hashWordings(locale)
  return Object.fromEntries(kinds.map((kind) => [kind, hashes[kind]]))
}
