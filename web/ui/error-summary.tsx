import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { Icon } from '../art/icons.tsx'
import { useText } from '../app/locale.tsx'
import { setTitlePrefix } from '../app/page-title.ts'
import { plural } from '../text/format.ts'
import { controlNamed } from './form-values.ts'
import { elementOf } from '../app/element-refs.ts'

export type SummaryLine = { name?: string; text: string; answer?: ReactNode }

/** The errors above the form; it takes the focus when it appears, and its lines link to the fields (ux 5.2). */
export function ErrorSummary({ lines, form }: { lines: SummaryLine[]; form: RefObject<HTMLFormElement | null> }) {
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    // A form that asks for the password again has focused that field, and the alert is announced nevertheless.
    if (!form.current?.contains(document.activeElement) || document.activeElement?.matches('[type=submit]'))
      heading.current?.focus()
    setTitlePrefix('error', t({ pl: 'Błąd: ', en: 'Error: ' }))
    return () => setTitlePrefix('error', undefined)
  }, [lines, form, t])

  const fields = lines.filter(({ name }) => name).length
  return (
    <div className="esum" role="alert">
      <h2 ref={heading} tabIndex={-1}>
        <Icon name="alert" />
        {fields ? t(fieldsToCorrect(fields)) : lines[0]?.text}
      </h2>
      {lines[0]?.answer}
      {fields > 0 && (
        <ul>
          {lines.map(({ name, text }) => (
            <li key={name ?? ''}>
              {name ? (
                <button
                  type="button"
                  className="esum__link"
                  onClick={() => controlNamed(elementOf(form), name)?.focus()}
                >
                  {text}
                </button>
              ) : (
                text
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const fieldsToCorrect = (count: number) => ({
  pl: `Popraw ${count}\u00a0${plural('pl', count, { one: 'pole', few: 'pola', many: 'pól', other: 'pola' })}`,
  en: `Correct ${count} ${plural('en', count, { one: 'field', other: 'fields' })}`,
})
