import { useState, type ReactNode } from 'react'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'

type Props = {
  title: string
  /** The button that does it: „Usuń klucz”. */
  label: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** What somebody, or another tab, has ended already is ended all the same. */
export function unlessGone(error: unknown) {
  if (!(error instanceof CallFailed && error.code === 'not-found')) throw error
}

/** Names what ends before it does (ux 5.1), and stays to say so when it could not. */
export function ConfirmDialog({ title, label, onConfirm, onClose, children }: Props) {
  const t = useText()
  const locale = useLocale()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function confirm() {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') setFailure(describeFailure(locale, error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      role="alertdialog"
      width="s"
      initialFocus="safe"
      title={title}
      onClose={onClose}
      closable={!busy}
      footer={
        <>
          <Button data-safe aria-disabled={busy} onClick={onClose}>
            {t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
          <Button variant="danger" busy={busy} onClick={() => void confirm()}>
            {label}
          </Button>
        </>
      }
    >
      <div className="stack stack--s">
        {children}
        <div role="alert">{failure && <Notice kind="err">{failure}</Notice>}</div>
      </div>
    </Dialog>
  )
}
