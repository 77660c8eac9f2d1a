import { useEffect, useRef, useState } from 'react'
import { failedWith, provide } from '../api.ts'
import { storeDrafts } from '../drafts.ts'
import { useText } from '../locale.tsx'
import { offlineText } from '../text/failure-on-demand.ts'
import { Button } from '../ui/button.tsx'
import { DialogView } from '../ui/dialog-view.tsx'

/** What a part calls when it is left. */
type Closable = { onClose?: () => void; onCancel?: () => void }

const reconnected = {
  pl: 'Połączenie wróciło. Odśwież stronę, aby otworzyć to okno. To, co na niej wpisano, zostanie, oprócz haseł.',
  en: 'The connection is back. Refresh the page to open this. What you’ve typed on it stays, except for passwords.',
}

/**
 * Says in the place of a dialog that it could not be loaded because the portal is not reached; the page and what was typed stay
 * (ERR-4). The dialog is closed then, so that the next press tries again; browsers that remember a failed module need the page to be
 * loaded again. A part that nothing closes is left to the screen around it.
 */
export function MissingPart() {
  const t = useText()
  const [text, setText] = useState<typeof reconnected>()
  const wasOffline = useRef(false)
  useEffect(
    () =>
      provide({
        partMissing(error, { onClose, onCancel }: Closable) {
          const isOffline = failedWith(error, 'offline')
          const close = onClose ?? onCancel
          if (!close || (!isOffline && !wasOffline.current)) return false
          wasOffline.current = true
          close()
          setText(isOffline ? offlineText : reconnected)
          return true
        },
      }),
    [],
  )
  const close = () => setText(undefined)
  return (
    text && (
      // Not on demand: it must open without a network.
      <DialogView
        title={t({ pl: 'Tego okna nie możemy teraz otworzyć', en: 'We can’t open this right now' })}
        width="s"
        initialFocus="title"
        onClose={close}
        footer={
          text === reconnected ? (
            <>
              <Button variant="quiet" onClick={close}>
                {t({ pl: 'Nie teraz', en: 'Not now' })}
              </Button>
              <Button
                variant="primary"
                onClick={() => {
                  storeDrafts()
                  location.reload()
                }}
              >
                {t({ pl: 'Odśwież stronę', en: 'Refresh page' })}
              </Button>
            </>
          ) : (
            <Button variant="primary" onClick={close}>
              {t({ pl: 'Wróć do strony', en: 'Back to the page' })}
            </Button>
          )
        }
      >
        <p>{t(text)}</p>
      </DialogView>
    )
  )
}
