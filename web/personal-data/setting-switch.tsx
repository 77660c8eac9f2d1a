import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { toast } from '../toast/toast.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'

/** Shows the button that changes a setting: `change` stores the setting, `done` is the text of the toast that follows. */
export function SettingSwitch({ label, done, change }: { label: Text; done: Text; change: () => Promise<void> }) {
  const t = useText()
  const { run, isBusy, failureText } = useAction(async () => {
    await change()
    toast({ title: t(done) })
  })
  return (
    <>
      <Button size="s" isBusy={isBusy} busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })} onClick={run}>
        {t(label)}
      </Button>
      <FailureNotice text={failureText} />
    </>
  )
}
