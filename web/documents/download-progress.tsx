import type { Progress } from '../calls/download.ts'
import { useText } from '../app/locale.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { FileRow } from '../ui/file-row.tsx'
import { DownloadFailure } from './download-failure.tsx'
import type { DownloadState } from './use-download.ts'

type StatusProps = {
  name: string
  state: DownloadState
  /** Unless the dialog's own button does it. */
  onRetry: (() => void) | undefined
}

export function DownloadStatus({ name, state, onRetry }: StatusProps) {
  if (state.busy) return <DownloadProgress name={name} progress={state.progress} />
  return state.failure && <DownloadFailure failure={state.failure} onRetry={onRetry} />
}

/** The progress of a download; announced at its beginning, its middle and its end only (ux 5.9). */
function DownloadProgress({ name, progress }: { name: string; progress: Progress | undefined }) {
  const t = useText()
  const { received = 0, total } = progress ?? {}
  const percent = total && Math.floor((received / total) * 100)
  const milestone = percent === undefined ? 0 : percent < 50 ? 0 : percent < 100 ? 50 : 100
  return (
    <FileRow name={name}>
      <progress
        className="meter"
        aria-label={t({ pl: `Pobieranie pliku ${name}`, en: `Downloading the file ${name}` })}
        max={total}
        value={total && received}
      />
      <p className="hint num">
        {total
          ? t({
              pl: `${percent}%, ${formatBytes(t.locale, received)} z\u00a0${formatBytes(t.locale, total)}`,
              en: `${percent}%, ${formatBytes(t.locale, received)} of ${formatBytes(t.locale, total)}`,
            })
          : t({ pl: 'Pobieramy…', en: 'Downloading…' })}
      </p>
      <p className="vh" role="status">
        {t({ pl: `Pobrano ${milestone}%`, en: `${milestone}% downloaded` })}
      </p>
    </FileRow>
  )
}
