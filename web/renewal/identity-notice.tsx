import type { Renewal } from '../../contract/renewal.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { useRenewalWatch } from './renewal-watch.tsx'

/** REN-6: how it stands with the new details of the identity document. */
export function IdentityNotice({ renewal: { uid, identityCheck } }: { renewal: Renewal }) {
  const t = useText()
  const waiting = identityCheck?.state === 'asked'
  const { late, again } = useRenewalWatch(uid, waiting)
  return (
    <div role="status">
      {waiting && (
        <Notice
          className="blk"
          title={t({ pl: 'Sprawdzamy nowe dane dokumentu', en: 'We are checking the new details of your document' })}
        >
          <p>
            {t({
              pl: 'Możesz zamknąć tę stronę: napiszemy e-mailem, gdy będzie można iść dalej.',
              en: 'You can close this page: we will write to you when you can go on.',
            })}
          </p>
          {late && (
            <p className="btns">
              <Button size="s" icon="refresh" onClick={again}>
                {t({ pl: 'Sprawdź ponownie', en: 'Check again' })}
              </Button>
            </p>
          )}
        </Notice>
      )}
      {identityCheck?.state === 'refused' && (
        <Notice
          kind="err"
          className="blk"
          title={t({
            pl: 'Nie mogliśmy potwierdzić danych dokumentu',
            en: 'We could not confirm the details of your document',
          })}
        >
          <p>
            {t({ pl: 'Wpisz je jeszcze raz albo zadzwoń: ', en: 'Enter them once more, or call ' })}
            <SupportLine />
          </p>
        </Notice>
      )}
      {identityCheck?.state === 'confirmed' && (
        <Notice
          kind="ok"
          className="blk"
          title={t({ pl: 'Nowe dane dokumentu są potwierdzone', en: 'The new details of your document are confirmed' })}
        />
      )}
    </div>
  )
}
