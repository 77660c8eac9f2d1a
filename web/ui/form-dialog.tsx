import type * as z from 'zod/mini'
import { Dialog } from './dialog.tsx'
import type { DialogProps } from './dialog-view.tsx'
import { Form, type FormProps } from './form.tsx'

type Props<S extends z.ZodMiniType> = DialogProps & Pick<FormProps<S>, 'schema' | 'onSubmit' | 'failures' | 'initial'>

/** A dialog whose fields and footer are one form; a wrong field is focused. */
export function FormDialog<S extends z.ZodMiniType>({ schema, onSubmit, failures, initial, ...dialog }: Props<S>) {
  return (
    <Form {...{ schema, onSubmit, failures, initial }} className="bare" summary={false}>
      <Dialog {...dialog} />
    </Form>
  )
}
