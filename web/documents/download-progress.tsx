import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { SupportLine } from '../app/support-line.tsx'
import type { ApiError } from '../calls/api.ts'
import type { Progress } from '../calls/download.ts'
import { AnswerLink } from '../text/answer-link.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { failureText } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { FileRow } from '../ui/file-row.tsx'
import { Notice } from '../ui/notice.tsx'
import type { DownloadState } from './use-download.ts'

type StatusProps = {
  name: string
  state: DownloadState
  /** Unless the dialog's own button does it. */
  onRetry: (() => void) | undefined
}

/** Trying again does not help with these. */
const final: ReadonlySet<string> = new Set(['document-content-missing', 'state-passed', 'not-found'])

/** Returns the label for another attempt; undefined if none would help. */
export const retryText = ({ code }: ApiError): Text | undefined =>
  final.has(code)
    ? undefined
    : code === 'document-not-ready'
      ? { pl: 'Sprawdź ponownie', en: 'Check again' }
      : { pl: 'Spróbuj ponownie', en: 'Try again' }

type Props = {
  failure: ApiError
  /** Unless the dialog's own button does it. */
  onRetry: (() => void) | undefined
}

/** Shows why the download failed, and what to do (DOC-7). */
function DownloadFailure({ failure, onRetry }: Props) {
  const t = useText()
  const isWaiting = failure.code === 'document-not-ready'
  const retry = retryText(failure)
  return (
    <Notice
      kind={isWaiting ? 'info' : 'error'}
      role="alert"
      title={!isWaiting && t({ pl: 'Nie udało się pobrać dokumentu', en: 'We couldn’t download the document' })}
    >
      <p>
        {isWaiting ? (
          <>
            {t(failureText['document-not-ready'])} <AnswerLink to="document-not-ready" />
          </>
        ) : (
          explainFailure(t.locale, failure)
        )}
      </p>
      {failure.code === 'document-content-missing' && (
        <p>
          <SupportLine />
        </p>
      )}
      {onRetry && retry && (
        <Button size="s" icon="refresh" onClick={onRetry}>
          {t(retry)}
        </Button>
      )}
    </Notice>
  )
}

export function DownloadStatus({ name, state, onRetry }: StatusProps) {
  if (state.isBusy) return <DownloadProgress name={name} progress={state.progress} />
  return state.failure && <DownloadFailure failure={state.failure} onRetry={onRetry} />
}

/** Shows the progress of a download, announced only at its beginning, middle and end. */
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
      <p className="hint number">
        {total
          ? t({
              pl: `${percent}%, ${formatBytes(t.locale, received)} z\u00a0${formatBytes(t.locale, total)}`,
              en: `${percent}%, ${formatBytes(t.locale, received)} of ${formatBytes(t.locale, total)}`,
            })
          : t({ pl: 'Pobieramy…', en: 'Downloading…' })}
      </p>
      <p className="unseen" role="status">
        {t({ pl: `Pobrano ${milestone}%`, en: `${milestone}% downloaded` })}
      </p>
    </FileRow>
  )
}
