import type { Text } from '../../contract/enums.ts'
import type { ApiError } from '../calls/api.ts'
import { useText } from '../app/locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { failureText } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { SupportLine } from '../app/support-line.tsx'

/** Trying again does not help with these. */
const final: ReadonlySet<string> = new Set(['document-content-missing', 'state-passed', 'not-found'])

/** The name of another attempt; undefined where none helps. */
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

/** DOC-7: why the download failed, and what to do. */
export function DownloadFailure({ failure, onRetry }: Props) {
  const t = useText()
  const waiting = failure.code === 'document-not-ready'
  const retry = retryText(failure)
  return (
    <Notice
      kind={waiting ? 'info' : 'err'}
      role="alert"
      title={!waiting && t({ pl: 'Nie udało się pobrać dokumentu', en: 'We couldn’t download the document' })}
    >
      <p>
        {waiting ? (
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
