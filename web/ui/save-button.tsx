import type { ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { useAction } from './action.ts'
import { Button } from './button.tsx'
import { FailureLine } from './failure.tsx'
import { saveFile } from './save-file.ts'
import './save-button.css'

type Props = {
  name: string
  load: () => Promise<Blob>
  /** A button at the foot of a dialog; a link elsewhere. */
  look?: 'link' | 'button'
  children: ReactNode
}

/** Downloads a file, and shows below when that fails; `load` throws ApiError. */
export function SaveButton({ name, load, look = 'link', children }: Props) {
  const t = useText()
  const { run, isBusy, failureText } = useAction(async () => saveFile(await load(), name))
  const busyText = t({ pl: 'Pobieramy…', en: 'Downloading…' })

  return (
    <div className="save-button">
      {look === 'button' ? (
        <Button icon="download" isBusy={isBusy} busyText={busyText} onClick={run}>
          {children}
        </Button>
      ) : (
        <button type="button" className="link" aria-disabled={isBusy || undefined} onClick={run}>
          <Icon name="download" />
          <span>{isBusy ? busyText : children}</span>
        </button>
      )}
      <FailureLine text={failureText} />
    </div>
  )
}
