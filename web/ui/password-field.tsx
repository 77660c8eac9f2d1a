import { useState, type ComponentProps, type ReactNode } from 'react'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { FieldFrame, useField, type FieldProps } from './field.tsx'

type Props = FieldProps & {
  /** The content below the field, and the id of what describes it. */
  below?: { id: string; content: ReactNode }
} & ComponentProps<'input'>

/** Shows a password field with a button that reveals the password; paste and password managers always work. */
export function PasswordField({ name, label, hint, optional = false, aside, below, ...input }: Props) {
  const t = useText()
  const { id, error, wiring } = useField({ name, label, hint, optional }, below?.id)
  const [isShown, setIsShown] = useState(false)
  const isHydrated = useHydrated()
  return (
    <FieldFrame {...{ id, label, hint, optional, aside, error }}>
      <div className="input-group">
        <input
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="current-password"
          {...wiring}
          {...input}
          type={isShown ? 'text' : 'password'}
          className="input"
        />
        <button
          type="button"
          className="input-group__button"
          disabled={!isHydrated}
          aria-label={`${t({ pl: 'Pokaż', en: 'Show' })}: ${label}`}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon name={isShown ? 'eye-off' : 'eye'} />
        </button>
      </div>
      {below?.content}
    </FieldFrame>
  )
}
