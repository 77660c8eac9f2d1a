import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { truncatedText, Email, line } from '../../contract/fields.ts'
import { limits } from '../../contract/limits.ts'
import { parsePhone } from '../../contract/rules/phone.ts'
import { useText } from '../app/locale.tsx'
import { ApiError } from '../calls/api.ts'
import { FailureNotice } from '../ui/failure.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { proposalFailure } from './proposal-text.ts'

const reason = line(deskLimits.reason)
/** A national number is Polish. */
const Phone = z.pipe(
  truncatedText(limits.phone.pastedLength, 'required'),
  z.transform((text: string, { issues }) => {
    const read = parsePhone(text, 'PL')
    if ('number' in read) return read.number
    issues.push({ code: 'custom', message: read.problem, input: text })
    return z.NEVER
  }),
)
const forms = {
  none: z.strictObject({ reason }),
  email: z.strictObject({ value: Email, reason }),
  phone: z.strictObject({ value: Phone, reason }),
}

type Props = {
  title: string
  description: ReactNode
  label: string
  /** The new value that is asked for, if there is one. */
  value?: 'email' | 'phone' | undefined
  onSubmit: (entered: { reason: string; value?: string }) => Promise<unknown>
  onClose: () => void
}

/** Asks for the reason of a change that two people make, and for its value. */
export function ReasonDialog({ title, description, label, value, onSubmit, onClose }: Props) {
  const t = useText()
  const [failure, setFailure] = useState<string>()
  async function submit(entered: { reason: string; value?: string }) {
    setFailure(undefined)
    try {
      await onSubmit(entered)
    } catch (error) {
      const text = proposalFailure(error)
      if (!text) throw error
      setFailure(t(text))
      // Its text is shown here.
      throw new ApiError('canceled')
    }
    onClose()
  }
  return (
    <FormDialog
      title={title}
      description={description}
      schema={forms[value ?? 'none']}
      onSubmit={submit}
      onClose={onClose}
      isStacked
      submit={label}
    >
      {value === 'email' && (
        <Field
          name="value"
          type="email"
          label={t({ pl: 'Nowy adres e-mail', en: 'New e-mail address' })}
          autoComplete="off"
        />
      )}
      {value === 'phone' && (
        <Field
          name="value"
          type="tel"
          label={t({ pl: 'Nowy numer telefonu', en: 'New phone number' })}
          autoComplete="off"
        />
      )}
      <Field
        name="reason"
        label={t({ pl: 'Powód', en: 'Reason' })}
        hint={t({
          pl: 'Zapiszemy go w\u00a0dzienniku z\u00a0Twoim nazwiskiem i\u00a0pokażemy drugiej osobie. Podaj numer zgłoszenia, bez danych klienta.',
          en: 'It goes to the audit trail with your name, and the other person sees it. Enter the ticket number, without customer data.',
        })}
        maxLength={deskLimits.reason}
        autoComplete="off"
      />
      <FailureNotice text={failure} />
    </FormDialog>
  )
}
