import { useState, type ReactNode } from 'react'
import { revealNumber, type RevealableNumber } from '../../contract/my-data.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { IconButton } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'

type Props = {
  person: string
  number: RevealableNumber
  label: string
  /** „Pokaż cały numer PESEL”. */
  action: string
  masked: string
  /** Instead of the masked text as it stands. */
  children?: ReactNode
}

/** A row whose number stays covered until it is asked for, field by field and visit by visit (ux 3.6). */
export function HiddenNumber({ person, number, label, action, masked, children }: Props) {
  const t = useText()
  const locale = useLocale()
  const [value, setValue] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function toggle() {
    if (value !== undefined) return setValue(undefined)
    setBusy(true)
    try {
      setValue((await call(revealNumber, { params: { id: person }, body: { number } })).value)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') toast({ title: describeFailure(locale, error), variant: 'destructive' })
    } finally {
      setBusy(false)
    }
  }

  const last = masked.slice(masked.lastIndexOf('•') + 1).trim()
  return (
    <div>
      <dt>{label}</dt>
      <dd className={children ? 'num' : 'mono'} aria-live="polite">
        {value ?? children ?? (
          <>
            <span aria-hidden="true">{masked}</span>
            <span className="vh">
              {t({ pl: `kończy się na ${last.split('').join(' ')}`, en: `ends in ${last.split('').join(' ')}` })}
            </span>
          </>
        )}
      </dd>
      <dd>
        <IconButton
          icon="eye"
          size="s"
          label={action}
          aria-pressed={value !== undefined}
          aria-disabled={busy}
          onClick={() => void toggle()}
        />
      </dd>
    </div>
  )
}
