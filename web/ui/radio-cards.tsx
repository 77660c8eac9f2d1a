import { FieldMessage, useField } from './field.tsx'
import './radio-cards.css'

type Option = { value: string; label: string; hint: string }

/** A choice of two to four with what each means (ux 5.2); the first is chosen unless the form says otherwise. */
export function RadioCards({ name, label, options }: { name: string; label: string; options: readonly Option[] }) {
  const { id, error, describedBy, initial } = useField(name, false)
  const chosen = typeof initial === 'string' ? initial : options[0]?.value
  return (
    <fieldset className="field" aria-describedby={describedBy}>
      <legend className="rcards__legend">{label}</legend>
      <div className="rcards">
        {options.map(({ value, label: words, hint }) => (
          <label key={value} className="rcard">
            <input type="radio" name={name} value={value} data-label={label} defaultChecked={value === chosen} />
            <b>{words}</b>
            <span>{hint}</span>
          </label>
        ))}
      </div>
      <FieldMessage id={id} error={error} />
    </fieldset>
  )
}
