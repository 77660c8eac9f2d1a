import { useState, type ReactNode } from 'react'
import { Icon } from '../art/icons.tsx'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { saveFile } from './save-file.ts'
import './save-button.css'

/** Downloads a file, and says in its own place when that fails; `load` throws CallFailed. */
export function SaveButton({ name, load, children }: { name: string; load: () => Promise<Blob>; children: ReactNode }) {
  const t = useText()
  const locale = useLocale()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function save() {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      saveFile(await load(), name)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') setFailure(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="save">
      <button type="button" className="link" aria-disabled={busy || undefined} onClick={() => void save()}>
        <Icon name="download" />
        <span>{busy ? t({ pl: 'Pobieramy…', en: 'Downloading…' }) : children}</span>
      </button>
      <p role="alert" className={failure ? 'error' : undefined}>
        {failure && (
          <>
            <Icon name="alert" />
            <span>{failure}</span>
          </>
        )}
      </p>
    </div>
  )
}
