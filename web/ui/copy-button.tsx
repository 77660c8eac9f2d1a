import { useState } from 'react'
import { useText } from '../app/locale.tsx'
import { Button, type ButtonVariant } from './button.tsx'

type Props = {
  text: string
  label: string
  /** Name of the copied value, for screen readers, where several buttons have one label. */
  about?: string
  variant?: ButtonVariant
  /** Reports that the browser does not allow it, or has no clipboard. */
  onRefused?: () => void
}

/** Copies a text and confirms it; the confirmation stays until the next copy. */
export function CopyButton({ text, label, about, variant = 'quiet', onRefused }: Props) {
  const t = useText()
  const [copied, setCopied] = useState(0)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied((times) => times + 1)
    } catch {
      setCopied(0)
      onRefused?.()
    }
  }
  return (
    <>
      <Button variant={variant} size="s" icon={copied ? 'check' : 'copy'} onClick={copy}>
        <span>
          {label}
          {about && <span className="unseen"> {about}</span>}
        </span>
      </Button>
      <span role="status" className="small soft">
        {copied > 0 && <span key={copied}>{t({ pl: 'Skopiowano', en: 'Copied' })}</span>}
      </span>
    </>
  )
}
