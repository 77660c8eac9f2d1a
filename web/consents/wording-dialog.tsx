import { partOnDemand } from '../on-demand.tsx'
import type { WordingDialogProps } from './wording-dialog-view.tsx'

/** What a consent is given to, word for word; its code and the wording come when it is opened. */
export const WordingDialog = partOnDemand<WordingDialogProps>(() =>
  import('./wording-dialog-view.tsx').then((file) => file.WordingDialogView),
)
