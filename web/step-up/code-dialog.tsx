import { partOnDemand } from '../app/on-demand.tsx'
import type { CodeDialogProps } from './code-dialog-view.tsx'

/** Asks for the code of a text message; used by sign-in and by step-up alike (AUT-2, AUT-7). Its code comes when it is needed. */
export const CodeDialog = partOnDemand<CodeDialogProps>(() =>
  import('./code-dialog-view.tsx').then((file) => file.CodeDialogView),
)
