import { partOnDemand } from '../app/on-demand.tsx'
import type { IdentityDocumentProps } from './identity-document-dialog-view.tsx'

/** Asks for new details of the identity document. Its code comes when it is needed (REN-3, REN-6). */
export const IdentityDocumentDialog = partOnDemand<IdentityDocumentProps>(() =>
  import('./identity-document-dialog-view.tsx').then((file) => file.IdentityDocumentDialogView),
)
