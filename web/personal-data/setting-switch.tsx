import { useState } from 'react'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast.tsx'

/** A setting that one press changes: `change` stores it, `done` is what a toast says then. A failure stands beside it. */
export function SettingSwitch({ label, done, change }: { label: string; done: string; change: () => Promise<void> }) {
  const t = useText()
  const locale = useLocale()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<CallFailed>()

  async function press() {
    setBusy(true)
    setFailed(undefined)
    try {
      await change()
      toast({ title: done })
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      setFailed(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button size="s" busy={busy} busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })} onClick={press}>
        {label}
      </Button>
      {failed && (
        <Notice kind="err" role="alert">
          {describeFailure(locale, failed)}
        </Notice>
      )}
    </>
  )
}
