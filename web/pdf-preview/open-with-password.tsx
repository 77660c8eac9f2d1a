import { useEffect, useRef, type SubmitEvent } from 'react'
import { requireElement } from '../app/element-refs.ts'
import { valuesOf } from '../app/form-values.ts'
import { useText } from '../app/locale.tsx'
import { Button } from '../ui/button.tsx'
import { FileRow } from '../ui/file-row.tsx'
import { FormContext } from '../ui/form-state.ts'
import { PasswordField } from '../ui/password-field.tsx'

type Props = {
  file: File
  isWrong: boolean
  submitLabel: string
  onOpen: (password: string) => void
  onCancel: () => void
}

/**
 * Asks for the password of an encrypted file. The password stays in the browser and is not a password of the portal, so it is not stored.
 */
export function OpenWithPassword({ file, isWrong, submitLabel, onOpen, onCancel }: Props) {
  const t = useText()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [isWrong])
  const wrong = t({
    pl: 'Hasło się nie zgadza. Sprawdź je i\u00a0spróbuj ponownie.',
    en: 'Wrong password. Check it and try again.',
  })
  const errors = isWrong ? { filePassword: { text: wrong, answer: null } } : {}

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const { filePassword } = valuesOf(requireElement(form))
    if (typeof filePassword === 'string' && filePassword) onOpen(filePassword)
    else form.current?.querySelector('input')?.focus()
  }

  return (
    <form ref={form} className="card form" method="post" onSubmit={submit} noValidate>
      <FormContext value={{ errors, isSending: false, isWaiting: false, initial: {} }}>
        <h2 className="small-heading">{t({ pl: 'Ten plik jest zaszyfrowany', en: 'This file is encrypted' })}</h2>
        <FileRow name={file.name} />
        <PasswordField
          name="filePassword"
          label={t({ pl: 'Hasło do pliku', en: 'File password' })}
          hint={t({
            pl: 'Hasło zostaje w\u00a0przeglądarce, nigdzie go nie wysyłamy.',
            en: 'The password stays in your browser and isn’t sent anywhere.',
          })}
          autoComplete="off"
        />
        <p className="buttons">
          <Button type="submit" variant="primary" icon="lock">
            {submitLabel}
          </Button>
          <Button variant="quiet" onClick={onCancel}>
            {t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
        </p>
      </FormContext>
    </form>
  )
}
