import type * as z from 'zod/mini'
import { Dialog } from './dialog.tsx'
import type { DialogProps } from './dialog-view.tsx'
import { Form, type FormProps } from './form.tsx'

type Props<S extends z.ZodMiniType> = DialogProps &
  Pick<FormProps<S>, 'schema' | 'onSubmit' | 'failures' | 'initial' | 'summary'>

/** A dialog whose fields and footer are one form; a wrong field is focused, unless there is a summary. */
export function FormDialog<S extends z.ZodMiniType>(props: Props<S>) {
  const { schema, onSubmit, failures, initial, summary = false, ...dialog } = props
  return (
    <Form {...{ schema, onSubmit, failures, initial, summary }} className="bare">
      <Dialog {...dialog} />
    </Form>
  )
}
