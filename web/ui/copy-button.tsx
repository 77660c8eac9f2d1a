import { useState } from 'react'
import { useText } from '../locale.tsx'
import { Button, type ButtonVariant } from './button.tsx'

/** Copies a text that is shown next to it, and says whether it could; that stays until the next press. */
export function CopyButton({
  text,
  label,
  about,
  variant = 'quiet',
}: {
  text: string
  label: string
  /** What is copied, for screen readers, where several buttons have one label. */
  about?: string
  variant?: ButtonVariant
}) {
  const t = useText()
  const [{ copied, times }, setOutcome] = useState({ copied: false, times: 0 })
  const copy = async () => {
    let isCopied = true
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // A browser may not allow it, or have no clipboard.
      isCopied = false
    }
    setOutcome((last) => ({ copied: isCopied, times: last.times + 1 }))
  }
  return (
    <>
      <Button variant={variant} size="s" icon={copied ? 'check' : 'copy'} onClick={copy}>
        <span>
          {label}
          {about && <span className="vh"> {about}</span>}
        </span>
      </Button>
      <span role="status" className="small soft">
        {times > 0 && (
          <span key={times}>
            {copied
              ? t({ pl: 'Skopiowano', en: 'Copied' })
              : t({
                  pl: 'Przeglądarka nie pozwala kopiować. Zaznacz tekst.',
                  en: 'Your browser can’t copy. Select the text.',
                })}
          </span>
        )}
      </span>
    </>
  )
}
