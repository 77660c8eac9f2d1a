import { useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import {
  changeTimestampPassword,
  TimestampPasswordForm,
  timestampPasswordRules,
  type TimestampAccount,
} from '../../contract/timestamps.ts'
import { useText } from '../app/locale.tsx'
import { OkEmblem } from '../art/success-mark.tsx'
import { call } from '../calls/api.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Cancel, Submit } from '../ui/form.tsx'
import { NewPasswordField, rulesOf } from '../ui/new-password-field.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { AccountName } from './timestamps-text.tsx'

const ruleText: Record<keyof typeof timestampPasswordRules, Text> = {
  length: { pl: 'co najmniej 8\u00a0znaków', en: 'at least 8\u00a0characters' },
  upper: { pl: 'wielka litera', en: 'upper-case letter' },
  digit: { pl: 'cyfra', en: 'digit' },
}

const rules = rulesOf(timestampPasswordRules, ruleText)

/** Asks for a new password, for which the call requires the SMS code, and reminds the customer to update programs (TSP-3). */
export function AccountPasswordDialog({ account, onClose }: { account: TimestampAccount; onClose: () => void }) {
  const t = useText()
  const { id, login } = account
  const [isDone, setIsDone] = useState(false)

  async function change(body: { newPassword: string; repeatPassword: string }) {
    await call(changeTimestampPassword, { params: { id }, body })
    setIsDone(true)
  }

  const title = isDone
    ? t({ pl: 'Hasło zostało zmienione', en: 'Password changed' })
    : t({ pl: 'Zmień hasło konta znaczników', en: 'Change timestamp account password' })
  return (
    <FormDialog
      schema={TimestampPasswordForm}
      onSubmit={change}
      failures={{ other: 'newPassword' }}
      title={title}
      description={<AccountName login={login} />}
      width="s"
      onClose={onClose}
      footer={
        isDone ? (
          <Button key="close" onClick={onClose}>
            {t({ pl: 'Zamknij', en: 'Close' })}
          </Button>
        ) : (
          <>
            <Cancel key="cancel" onClick={onClose} />
            <Submit busyText={t({ pl: 'Zmieniamy…', en: 'Changing…' })}>
              {t({ pl: 'Zmień hasło', en: 'Change password' })}
            </Submit>
          </>
        )
      }
    >
      {isDone ? <Done /> : <Fields login={login} />}
    </FormDialog>
  )
}

function Fields({ login }: { login: string }) {
  const t = useText()
  return (
    <div className="stack">
      {/* Without a name, so it is not sent; password managers read from it whose password this is. */}
      <input type="text" autoComplete="username" defaultValue={login} readOnly hidden />
      <NewPasswordField
        name="newPassword"
        rules={rules}
        label={t({ pl: 'Nowe hasło', en: 'New password' })}
        hint={t({
          pl: 'Nie każdy program przyjmie polskie litery.',
          en: 'Some software doesn’t accept letters with accents.',
        })}
      />
      <PasswordField
        name="repeatPassword"
        autoComplete="new-password"
        label={t({ pl: 'Powtórz nowe hasło', en: 'Repeat new password' })}
      />
      <Notice kind="warning">
        {t({
          pl: 'Nowe hasło działa od razu. Zaktualizuj hasło także w\u00a0swoich programach.',
          en: 'The new password works immediately. Update it in your software too.',
        })}
      </Notice>
    </div>
  )
}

function Done() {
  const t = useText()
  return (
    <div className="tsa__done">
      <OkEmblem />
      <p>
        {t({
          pl: 'Nowe hasło działa już na serwerze znaczników. Stare nie działa.',
          en: 'The new password already works on the timestamp server. The old one no longer does.',
        })}
      </p>
      <p>
        <strong>
          {t({ pl: 'Zaktualizuj hasło także w\u00a0swoich programach.', en: 'Update it in your software too.' })}
        </strong>{' '}
        {t({
          pl: 'Do tego czasu serwer będzie odrzucał ich żądania.',
          en: 'Until then, its requests will be rejected.',
        })}
      </p>
    </div>
  )
}
