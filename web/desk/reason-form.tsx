import * as z from 'zod/mini'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { line } from '../../contract/fields.ts'
import { useText } from '../app/locale.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'

const Reason = z.strictObject({ reason: line(deskLimits.reason) })

type Props = {
  /** Label that says what the reason is for, such as „Powód odczytu pełnych danych”. */
  label: string
  /** The button that shows what is asked for. */
  submit: string
  onSubmit: (body: z.output<typeof Reason>) => Promise<unknown>
}

/** Asks for a reason, which is in the audit trail, before full data is shown (DSK-9). */
export function ReasonForm({ label, submit, onSubmit }: Props) {
  const t = useText()
  return (
    <Form className="desk-reason" schema={Reason} summary={false} failures={{ other: 'reason' }} onSubmit={onSubmit}>
      <Field
        name="reason"
        label={label}
        hint={t({
          pl: 'Zapiszemy go w\u00a0dzienniku z\u00a0Twoim nazwiskiem. Podaj numer zgłoszenia, bez danych klienta.',
          en: 'It goes to the audit trail with your name. Enter the ticket number, without customer data.',
        })}
        autoComplete="off"
        maxLength={deskLimits.reason}
      />
      <Submit variant="secondary" busyText={t({ pl: 'Odczytujemy…', en: 'Reading…' })}>
        {submit}
      </Submit>
    </Form>
  )
}
