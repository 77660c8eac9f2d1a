import type { ReactNode } from 'react'
import { useText } from '../app/locale.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Code } from '../ui/verbatim.tsx'

type Props = { title: string; secret: string; onClose: () => void; children?: ReactNode }

/** Shows a key or a secret, which is displayed only once (R253). */
export function SecretDialog({ title, secret, onClose, children }: Props) {
  const t = useText()
  return (
    <Dialog
      isStacked
      title={title}
      description={t({
        pl: 'Skopiuj teraz i\u00a0zapisz w\u00a0bezpiecznym miejscu. Nie pokażemy tego ponownie.',
        en: 'Copy this now, and keep it in a safe place. It’s not shown again.',
      })}
      initialFocus="title"
      isClosable={false}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t({ pl: 'Zapisane, zamknij', en: 'I’ve saved it, close' })}
        </Button>
      }
    >
      {children}
      <p className="desk-secret" data-secret>
        <Code>{secret}</Code>
      </p>
      <p className="buttons">
        <CopyButton text={secret} label={t({ pl: 'Kopiuj', en: 'Copy' })} variant="secondary" />
      </p>
    </Dialog>
  )
}
