import { lazy, Suspense } from 'react'
import type { DialogProps } from './dialog-view.tsx'

const loadView = () => import('./dialog-view.tsx').then((file) => ({ default: file.DialogView }))
const View = lazy(() => loadView().catch(loadView))

/** A modal dialog, open for as long as it is rendered. No page begins with one, so its code comes with the first. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <View {...props} />
    </Suspense>
  )
}
