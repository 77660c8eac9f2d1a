import { useRef, useState } from 'react'
import { useText } from '../locale.tsx'
import { Field } from '../ui/field.tsx'
import { correctedEmail } from './email-typo.ts'
import { elementOf } from '../element.ts'

/** The e-mail, with an offer to correct a domain that looks mistyped: an offer, never an error (ux 8.1). */
export function EmailField() {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const [offer, setOffer] = useState<string>()
  const field = () => elementOf(box).querySelector('input')

  function accept(email: string) {
    const input = field()
    if (!input) return
    input.value = email
    setOffer(undefined)
    // The form checks on native events of a named field (VAL-2).
    input.dispatchEvent(new Event('change', { bubbles: true }))
    input.focus()
  }

  return (
    <div ref={box} className="stack email-field">
      <Field
        name="email"
        type="email"
        label="E-mail"
        hint={t({ pl: 'Będzie Twoim loginem.', en: 'This will be your username.' })}
        autoComplete="email"
        onBlur={({ target }) => setOffer(correctedEmail(target.value))}
      />
      <div role="status">
        {offer && (
          <>
            {t({ pl: 'Czy chodziło o\u00a0', en: 'Did you mean ' })}
            <button type="button" className="link" onClick={() => accept(offer)}>
              @{offer.split('@')[1]}
            </button>
            ?
          </>
        )}
      </div>
    </div>
  )
}
