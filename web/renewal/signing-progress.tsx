import { pages } from '../../contract/pages.ts'
import { useText } from '../locale.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useRenewalWatch } from './renewal-watch.tsx'

/** The agreement is signed by code and its signature is being made; where that takes long, nobody has to wait for it. */
export function SigningProgress({ uid }: { uid: string }) {
  const t = useText()
  const { late, again } = useRenewalWatch(uid, true, 1)
  return (
    <Dialog
      width="s"
      initialFocus="title"
      closable={false}
      title={t({ pl: 'Podpisujemy umowę', en: 'Signing the agreement' })}
      footer={
        late && (
          <>
            <Button variant="quiet" icon="refresh" onClick={again}>
              {t({ pl: 'Sprawdź ponownie', en: 'Check again' })}
            </Button>
            <ButtonLink to={pages.home.path} variant="primary">
              {t({ pl: 'Przejdź do strony głównej', en: 'Go to the home page' })}
            </ButtonLink>
          </>
        )
      }
    >
      <div className="signing" aria-busy={!late} role="status">
        {!late && <span className="spin" aria-hidden="true" />}
        <p>
          {late
            ? t({
                pl: 'To trwa dłużej niż zwykle. Twoja zgoda jest zapisana, możesz zamknąć tę stronę. Napiszemy e-mailem, gdy umowa będzie podpisana.',
                en: 'This takes longer than usual. Your consent is recorded, and you can close this page. We will write to you when the agreement is signed.',
              })
            : t({
                pl: 'To trwa kilka sekund. Nie zamykaj tej strony.',
                en: 'This takes a few seconds. Do not close this page.',
              })}
        </p>
      </div>
    </Dialog>
  )
}
