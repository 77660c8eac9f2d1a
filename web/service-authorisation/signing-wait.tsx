import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { Dialog } from '../ui/dialog.tsx'
import './signing-wait.css'

type Props = { title: string; description?: ReactNode; onShown: () => Promise<void> }

/** Shows that the signature is being completed, after the return from the signing service's page (SGN-13). */
export function SigningWait({ title, onShown, ...dialog }: Props) {
  const t = useText()
  const shown = useEffectEvent(onShown)
  useEffect(() => void shown(), [])
  return (
    <Dialog {...dialog} width="s" title={title} initialFocus="title" isClosable={false}>
      <Waiting isBusy>{t({ pl: 'To trwa kilka sekund.', en: 'This takes a few seconds.' })}</Waiting>
    </Dialog>
  )
}

/** Shows a text, with a spinner while `isBusy`. */
export const Waiting = ({ isBusy, children }: { isBusy: boolean; children: ReactNode }) => (
  <div className="signing" aria-busy={isBusy} role="status">
    {isBusy && <span className="spin" aria-hidden="true" />}
    <p>{children}</p>
  </div>
)
