import type { ReactNode } from 'react'
import { useAction } from '../action.ts'
import { Icon } from '../art/icons.tsx'
import { useText } from '../locale.tsx'
import { FailureLine } from './failure.tsx'
import { saveFile } from './save-file.ts'
import './save-button.css'

/** Downloads a file, and shows below when that fails; `load` throws ApiError. */
export function SaveButton({ name, load, children }: { name: string; load: () => Promise<Blob>; children: ReactNode }) {
  const t = useText()
  const { run, busy, failureText } = useAction(async () => saveFile(await load(), name))

  return (
    <div className="save">
      <button type="button" className="link" aria-disabled={busy || undefined} onClick={run}>
        <Icon name="download" />
        <span>{busy ? t({ pl: 'Pobieramy…', en: 'Downloading…' }) : children}</span>
      </button>
      <FailureLine text={failureText} />
    </div>
  )
}
