import { Suspense } from 'react'
import { onDemand } from '../on-demand.tsx'
import type { DialogProps } from './dialog-view.tsx'

const View = onDemand<DialogProps>(() => import('./dialog-view.tsx').then((file) => file.DialogView))

/** A modal dialog, open for as long as it is rendered. No page begins with one, so its code comes with the first. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <View {...props} />
    </Suspense>
  )
}
