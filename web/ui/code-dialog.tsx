import { lazy, Suspense } from 'react'
import type { CodeDialogProps } from './code-dialog-view.tsx'

const loadView = () => import('./code-dialog-view.tsx').then((file) => ({ default: file.CodeDialogView }))
const View = lazy(() => loadView().catch(loadView))

/** Asks for the code of a text message; used by sign-in and by step-up alike (AUT-2, AUT-7). Its code comes when it is needed. */
export function CodeDialog(props: CodeDialogProps) {
  return (
    <Suspense>
      <View {...props} />
    </Suspense>
  )
}

/** Loads the dialog while the message is still being sent; if that fails, it is met again when the dialog is shown. */
export const preloadCodeDialog = () => void loadView().catch(() => undefined)
