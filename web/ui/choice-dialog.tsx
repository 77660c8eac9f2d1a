import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { DialogProps } from './dialog-view.tsx'

type Props = Omit<DialogProps, 'width' | 'footer' | 'onClose'> & {
  cancel: string
  confirm: string
  onCancel: () => void
  onConfirm: () => void
}

/** A question before something harmless but unexpected happens; a danger has a ConfirmDialog. */
export const ChoiceDialog = ({ cancel, confirm, onCancel, onConfirm, ...dialog }: Props) => (
  <Dialog
    role="alertdialog"
    width="s"
    initialFocus="safe"
    {...dialog}
    onClose={onCancel}
    footer={
      <>
        <Button variant="quiet" data-safe onClick={onCancel}>
          {cancel}
        </Button>
        <Button variant="primary" onClick={onConfirm}>
          {confirm}
        </Button>
      </>
    }
  />
)
