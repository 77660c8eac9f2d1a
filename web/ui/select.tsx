import { Select as Radix } from 'radix-ui'
import { Icon } from '../art/icons.tsx'
import { useHydrated } from '../hydrated.ts'
import { useText } from '../locale.tsx'
import { FieldFrame, useField, type FieldProps } from './field.tsx'

type Option = { value: string; label: string }

type Props = FieldProps & {
  options: readonly Option[]
  /** What is chosen at first, where a form's own value comes before it; with `onChange`, what is chosen now. */
  value?: string
  placeholder?: string
  onChange?: (value: string) => void
}

/** A choice from five options on; fewer are radio cards (ux 5.2). Margin 10 px and 50 ms a step are Radix's own (UIX-2). */
export function Select({ name, label, hint, optional, options, value = '', placeholder, onChange }: Props) {
  const t = useText()
  const hydrated = useHydrated()
  const { id, error, describedBy, initial } = useField(name, !!hint)
  const words = placeholder ?? t({ pl: 'Wybierz', en: 'Choose' })
  const frame = { id, name, label, hint, optional: !!optional, error }

  // Radix writes style attributes, which the policy blocks in prerendered markup and allows from script (R64).
  if (!hydrated)
    return (
      <FieldFrame {...frame}>
        <button type="button" id={id} className="select" disabled>
          {words}
        </button>
      </FieldFrame>
    )

  return (
    <FieldFrame {...frame}>
      {/* Inside a form Radix keeps a native select of this name in step, whose events the form hears. */}
      <Radix.Root
        name={name}
        {...(onChange
          ? { value, onValueChange: onChange }
          : { defaultValue: typeof initial === 'string' ? initial : value })}
      >
        <Radix.Trigger
          id={id}
          className="select"
          data-name={name}
          data-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy}
        >
          <Radix.Value placeholder={words} />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className="options">
            <Radix.ScrollUpButton className="options__step options__step--up">
              <Icon name="down" size="s" />
            </Radix.ScrollUpButton>
            <Radix.Viewport>
              {options.map((option) => (
                <Radix.Item key={option.value} value={option.value} className="options__item">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  <Radix.ItemIndicator>
                    <Icon name="check" size="s" />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
            <Radix.ScrollDownButton className="options__step">
              <Icon name="down" size="s" />
            </Radix.ScrollDownButton>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </FieldFrame>
  )
}
