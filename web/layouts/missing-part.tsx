import { useEffect, useState } from 'react'
import { failedWith, provide } from '../api.ts'
import { useText } from '../locale.tsx'
import { offlineText } from '../text/failure-on-demand.ts'
import { Button } from '../ui/button.tsx'
import { DialogView } from '../ui/dialog-view.tsx'

/** What a part calls when it is left. */
type Closable = { onClose?: () => void; onCancel?: () => void }

/**
 * Says in the place of a dialog that it could not be loaded because the portal is not reached; the page and what was typed stay
 * (ERR-4). It is closed then, so that the next press tries again; a part that nothing closes is loaded when the network is back.
 */
export function MissingPart() {
  const t = useText()
  const [isShown, setIsShown] = useState(false)
  useEffect(
    () =>
      provide({
        partMissing(error, { onClose, onCancel }: Closable, again) {
          if (!failedWith(error, 'offline')) return false
          const close = onClose ?? onCancel
          if (close) close()
          else addEventListener('online', again, { once: true })
          setIsShown(true)
          return true
        },
      }),
    [],
  )
  const close = () => setIsShown(false)
  return (
    isShown && (
      // Not on demand: it must open without a network.
      <DialogView
        title={t({ pl: 'Tego okna nie możemy teraz otworzyć', en: 'We can’t open this right now' })}
        width="s"
        initialFocus="title"
        onClose={close}
        footer={
          <Button variant="primary" onClick={close}>
            {t({ pl: 'Wróć do strony', en: 'Back to the page' })}
          </Button>
        }
      >
        <p>{t(offlineText)}</p>
      </DialogView>
    )
  )
}
