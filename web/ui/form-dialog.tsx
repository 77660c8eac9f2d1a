import type * as z from 'zod/mini'
import type { DialogProps } from './dialog-view.tsx'
import { Dialog } from './dialog.tsx'
import { Cancel, Form, Submit, type FormProps } from './form.tsx'

type Props<S extends z.ZodMiniType> = DialogProps &
  Pick<FormProps<S>, 'schema' | 'onSubmit' | 'failures' | 'initial' | 'summary'> & {
    /** The button that sends the form; next to it is „Anuluj”, unless there is another footer. */
    submit?: string
    busyText?: string
  }

/** Shows a dialog whose fields and footer are one form; a wrong field is focused, unless there is a summary. */
export function FormDialog<S extends z.ZodMiniType>(props: Props<S>) {
  const { schema, onSubmit, failures, initial, summary = false, submit, busyText, ...dialog } = props
  const footer = (
    <>
      <Cancel onClick={dialog.onClose} />
      <Submit {...(busyText && { busyText })}>{submit}</Submit>
    </>
  )
  return (
    <Form {...{ schema, onSubmit, failures, initial, summary }} className="bare">
      <Dialog footer={footer} {...dialog} />
    </Form>
  )
}
