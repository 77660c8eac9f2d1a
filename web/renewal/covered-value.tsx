import { useState, type ReactNode } from 'react'
import { useText } from '../locale.tsx'
import { IconButton } from '../ui/button.tsx'

/** Personal numbers are covered until they are asked for, each alone and until the page is left (ux.md §3.6). */
export function CoveredValue({ value, what, covered }: { value: string; what: string; covered?: ReactNode }) {
  const t = useText()
  const [shown, setShown] = useState(false)
  const open = Math.min(3, Math.floor(value.length / 3))
  return (
    <span className="covered">
      <span className="mono wrap">
        {shown
          ? value
          : (covered ?? (
              <>
                <span aria-hidden="true">{value.slice(0, open) + '•'.repeat(value.length - open)}</span>
                <span className="vh">{t({ pl: 'zakryte', en: 'covered' })}</span>
              </>
            ))}
      </span>
      <IconButton
        icon={shown ? 'eyeoff' : 'eye'}
        size="s"
        aria-pressed={shown}
        label={`${t({ pl: 'Pokaż', en: 'Show' })}: ${what}`}
        onClick={() => setShown(!shown)}
      />
    </span>
  )
}
