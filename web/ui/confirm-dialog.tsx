import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import type { FailureCode } from '../calls/api.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { useAction } from './action.ts'
import { Button } from './button.tsx'
import type { DialogProps } from './dialog-view.tsx'
import { Dialog } from './dialog.tsx'
import { FailureNotice } from './failure.tsx'

type Props = {
  title: string
  description?: ReactNode
  /** The button that confirms: „Usuń klucz”. */
  label: string
  busyText?: string
  icon?: 'trash'
  /** The other button where it is the recommended one; without it „Anuluj”. */
  recommended?: string
  /** Failures that say more here than their usual texts. */
  failures?: Partial<Record<FailureCode, Text>>
  onConfirm: () => unknown
  onClose: () => void
  children?: ReactNode
}

/** Names the consequence before it happens, and stays open to show why it failed. */
export function ConfirmDialog(props: Props) {
  const { label, busyText, icon, recommended, failures, onConfirm, onClose, children, ...dialog } = props
  const t = useText()
  const { run, isBusy, failure } = useAction(async () => {
    await onConfirm()
    onClose()
  })
  const cancel = (
    <Button key="cancel" data-safe variant={recommended ? 'primary' : 'quiet'} aria-disabled={isBusy} onClick={onClose}>
      {recommended ?? t({ pl: 'Anuluj', en: 'Cancel' })}
    </Button>
  )
  const confirm = (
    <Button
      key="confirm"
      variant="danger"
      {...(icon && { icon })}
      isBusy={isBusy}
      {...(busyText && { busyText })}
      onClick={run}
    >
      {label}
    </Button>
  )
  return (
    <Dialog
      isStacked
      role="alertdialog"
      width="s"
      initialFocus="safe"
      {...dialog}
      onClose={onClose}
      isClosable={!isBusy}
      footer={recommended ? [confirm, cancel] : [cancel, confirm]}
    >
      {children}
      <FailureNotice text={failure && explainFailure(t.locale, failure, failures?.[failure.code])} />
    </Dialog>
  )
}

type ChoiceDialogProps = Omit<DialogProps, 'width' | 'footer' | 'onClose'> & {
  cancel: string
  confirm: string
  onCancel: () => void
  onConfirm: () => void
}

/** Asks before something harmless but unexpected happens; for a dangerous action there is ConfirmDialog. */
export const ChoiceDialog = ({ cancel, confirm, onCancel, onConfirm, ...dialog }: ChoiceDialogProps) => (
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
