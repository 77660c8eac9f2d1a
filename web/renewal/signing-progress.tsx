import { useNavigate } from 'react-router'
import { pages } from '../../contract/pages.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { failedWith, type ApiError } from '../api.ts'
import { invalidate, refetch } from '../reads.ts'
import { readRenewal, readSigningReadiness, type Renewal } from '../../contract/renewal.ts'
import { finishReturn } from '../signing/service-authorisation.tsx'
import { SigningWait, Waiting } from '../signing/signing-wait.tsx'
import type { SigningReturn } from '../signing/signing-return.ts'
import { useRenewalWatch } from './renewal-watch.tsx'

/** REN-12: the agreement is signed by code and its signature is being made. The customer can leave at any time and loses nothing. */
export function SigningProgress({ uid }: { uid: string }) {
  const t = useText()
  const navigate = useNavigate()
  const { late, slow, again } = useRenewalWatch(uid, true, 1)
  const leave = () => void navigate(pages.home.path)
  return (
    <Dialog
      width="s"
      initialFocus="title"
      title={t({ pl: 'Podpisujemy umowę', en: 'Signing the agreement' })}
      onClose={leave}
      footer={
        <>
          {late && <RetryButton check variant="quiet" onClick={again} />}
          <Button variant={slow ? 'primary' : 'secondary'} onClick={leave}>
            {t({ pl: 'Wyjdź z\u00a0tej strony', en: 'Leave this page' })}
          </Button>
        </>
      }
    >
      <Waiting busy={!late}>
        {slow
          ? t({
              pl: 'To trwa dłużej niż zwykle, bo usługa podpisu jeszcze nie odpowiedziała. Nie musisz czekać: zapisaliśmy Twoją zgodę i\u00a0podpiszemy umowę, gdy usługa znów zadziała. Wtedy napiszemy. Jeśli nie uda się to w\u00a0ciągu doby, trzeba będzie podpisać umowę jeszcze raz.',
              en: 'This is taking longer than usual, because the signing service hasn’t responded yet. You don’t need to wait: we’ve recorded your consent, and we’ll sign the agreement once the service works again. We’ll e-mail you then. If it doesn’t work within a day, you’ll have to sign again.',
            })
          : t({
              pl: 'To trwa kilka sekund. Nie musisz czekać: podpis jest już potwierdzony, a\u00a0o\u00a0wyniku napiszemy.',
              en: 'This takes a few seconds. You can leave now: we’ll finish signing and e-mail you.',
            })}
      </Waiting>
    </Dialog>
  )
}

type ReturnProps = {
  uid: string
  returned: SigningReturn
  /** The renewal as it is then, and why it was not signed. */
  onEnd: (renewal: Renewal | undefined, failure: ApiError | undefined) => void
}

/** SGN-13: the customer is back from the page of the signing service, and the agreement is signed. */
export function ReturnProgress({ uid, returned, onEnd }: ReturnProps) {
  const t = useText()
  async function finish() {
    let failure: ApiError | undefined
    await finishReturn(returned).catch((error: unknown) => {
      if (!failedWith(error)) throw error
      failure = error
    })
    const now = await refetch(readRenewal, { params: { uid } })
    await invalidate(readSigningReadiness)
    onEnd(now, now?.state === 'signing' ? failure : undefined)
  }
  return <SigningWait title={t({ pl: 'Podpisujemy umowę', en: 'Signing the agreement' })} onShown={finish} />
}
