import type { Renewal } from '../../contract/renewal.ts'
import { useText } from '../app/locale.tsx'
import { SupportLine } from '../app/support-line.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { updateDocumentText } from './identity-document-form.ts'
import { useRenewalWatch } from './renewal-watch.tsx'

type Props = { renewal: Renewal; onEnter?: () => void }

/** Shows the state of the new identity document details (REN-6). `onEnter` is for places where no other button enters them again. */
export function IdentityNotice({ renewal: { uid, state, identityCheck }, onEnter }: Props) {
  const t = useText()
  const isWaiting = identityCheck?.state === 'asked'
  const { isLate, again } = useRenewalWatch(uid, isWaiting)
  const notice =
    identityCheck &&
    {
      asked: (
        <Notice
          className="block"
          // The heading of the second step says so.
          title={
            state !== 'personal-data' &&
            t({ pl: 'Sprawdzamy nowe dane dokumentu', en: 'We’re checking your new document details' })
          }
        >
          <p>
            {t({
              pl: 'Możesz zamknąć tę stronę. Napiszemy, gdy będzie można przejść dalej.',
              en: 'You can close this page. We’ll e-mail you when you can continue.',
            })}
          </p>
          {isLate && (
            <p className="buttons">
              <RetryButton isCheck size="s" onClick={again} />
            </p>
          )}
        </Notice>
      ),
      refused: (
        <Notice
          kind="error"
          className="block"
          title={t({
            pl: 'Nie mogliśmy potwierdzić danych dokumentu',
            en: 'We couldn’t confirm your document details',
          })}
        >
          <p>
            {t({ pl: 'Zaktualizuj je albo zadzwoń: ', en: 'Update them, or call ' })}
            <SupportLine />
          </p>
          {onEnter && (
            <p className="buttons">
              <Button
                variant={state === 'personal-data' ? 'primary' : 'secondary'}
                size="s"
                icon="edit"
                aria-haspopup="dialog"
                onClick={onEnter}
              >
                {t(updateDocumentText)}
              </Button>
            </p>
          )}
        </Notice>
      ),
      confirmed: (
        <Notice
          kind="ok"
          className="block"
          title={t({ pl: 'Nowe dane dokumentu są potwierdzone', en: 'Your new document details are confirmed' })}
        />
      ),
    }[identityCheck.state]
  return <div role="status">{notice}</div>
}
