import { Suspense } from 'react'
import { onDemand } from '../on-demand.tsx'
import type { WordingDialogProps } from './wording-dialog-view.tsx'

const View = onDemand<WordingDialogProps>(() =>
  import('./wording-dialog-view.tsx').then((file) => file.WordingDialogView),
)

/** What a consent is given to, word for word; its code and the wording come when it is opened. */
export function WordingDialog(props: WordingDialogProps) {
  return (
    <Suspense>
      <View {...props} />
    </Suspense>
  )
}
