import { useEffect, useId, useRef, useState, type ComponentProps } from 'react'
import { type Text, keysOf } from '../../contract/enums.ts'
import { passwordRules, type PasswordRule } from '../../contract/rules/password-rules.ts'
import { requireElement, useInputEvents } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { addFieldTexts, type NewPasswordTexts } from '../text/field-text.ts'
import type { FieldProps } from './field.tsx'
import { PasswordField } from './password-field.tsx'
import './new-password-field.css'

export const newPasswordTexts: NewPasswordTexts = {
  'password-rules': {
    pl: 'Twoje hasło nie spełnia kryteriów bezpieczeństwa',
    en: 'Your password doesn’t meet the security criteria',
  },
  'password-guessable': {
    pl: 'To hasło łatwo odgadnąć. Nie używaj znanych haseł, swoich danych ani nazwy portalu.',
    en: 'This password is easy to guess. Don’t use common passwords, your own details or the name of the portal.',
  },
  'passwords-differ': { pl: 'Hasła muszą być identyczne', en: 'The passwords must be identical' },
}
addFieldTexts(newPasswordTexts)

/** The rules for a new password with their texts, in the order of the checklist. */
type PasswordRules = readonly { name: string; holds: (password: string) => boolean; text: Text }[]

type Props = FieldProps & { rules?: PasswordRules } & ComponentProps<'input'>

/** Shows which rules a new password meets, while it is typed: those of PWD-4 unless others are given. */
export function NewPasswordField({ rules = portalRules, ...password }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const below = { id, content: <Checklist id={id} field={field} rules={rules} /> }
  return <PasswordField autoComplete="new-password" {...password} ref={field} below={below} />
}

const ruleText: Record<PasswordRule, Text> = {
  length: { pl: 'od 13 do 128\u00a0znaków', en: '13 to 128\u00a0characters' },
  upper: { pl: 'wielka litera', en: 'upper-case letter' },
  lower: { pl: 'mała litera', en: 'lower-case letter' },
  digit: { pl: 'cyfra', en: 'digit' },
  special: { pl: 'znak specjalny', en: 'special character' },
}
export const rulesOf = <R extends string>(
  rules: Record<R, (password: string) => boolean>,
  texts: Record<R, Text>,
): PasswordRules => keysOf(rules).map((name) => ({ name, holds: rules[name], text: texts[name] }))
const portalRules = rulesOf(passwordRules, ruleText)

type ChecklistProps = { id: string; field: React.RefObject<HTMLInputElement | null>; rules: PasswordRules }

/**
 * Shows the rules as guidance, not as errors: the list may react to every key, stays neutral, and is announced once typing pauses.
 */
function Checklist({ id, field, rules }: ChecklistProps) {
  const t = useText()
  const [password, setPassword] = useState('')
  const [spoken, setSpoken] = useState('')
  const met = rules.filter(({ holds }) => password && holds(password)).length

  useInputEvents(field, () => setPassword(requireElement(field).value))

  const summary = t({ pl: `${met} z\u00a0${rules.length} warunków`, en: `${met} of ${rules.length} rules met` })
  useEffect(() => {
    if (!password) return
    const pause = setTimeout(() => setSpoken(summary), 1000)
    return () => clearTimeout(pause)
  }, [password, summary])

  return (
    <>
      <ul className="password-rules" id={id}>
        {rules.map(({ name, holds, text }) => {
          const isMet = !!password && holds(password)
          return (
            <li key={name} className={isMet ? 'is-met' : undefined}>
              {isMet ? <Icon name="check-circle" /> : <span className="password-rules__open" />}
              <span>
                {t(text)}
                <span className="unseen">
                  {isMet ? t({ pl: ', spełnione', en: ', met' }) : t({ pl: ', brakuje', en: ', missing' })}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
      <p className="unseen" role="status">
        {spoken}
      </p>
    </>
  )
}
