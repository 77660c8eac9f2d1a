import { partOnDemand } from '../app/on-demand.tsx'
import type { WordingDialogProps } from './wording-dialog-view.tsx'

/** The full wording of a consent; its code and the wording are loaded when it is opened. */
export const WordingDialog = partOnDemand<WordingDialogProps>(() =>
  import('./wording-dialog-view.tsx').then((file) => file.WordingDialogView),
)
