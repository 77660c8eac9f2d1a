import { partOnDemand } from '../app/on-demand.tsx'
import type { DialogProps } from './dialog-view.tsx'

/** A modal dialog, open for as long as it is rendered. No page begins with one, so its code comes with the first. */
export const Dialog = partOnDemand<DialogProps>(() => import('./dialog-view.tsx').then((file) => file.DialogView))
