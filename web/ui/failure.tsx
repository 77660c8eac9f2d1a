import type { ReactNode } from 'react'
import { Icon } from '../art/icons.tsx'
import { Notice } from './notice.tsx'

/** Shows why an action failed, in a box; nothing if it has not failed. */
export function FailureNotice({ text, className }: { text: ReactNode; className?: string }) {
  return (
    text && (
      <Notice kind="error" role="alert" className={className}>
        <p>{text}</p>
      </Notice>
    )
  )
}

/** Shows why an action failed, in a line under its button; always rendered, so that screen readers announce it. */
export function FailureLine({ text, className }: { text: ReactNode; className?: string }) {
  return (
    <p role="alert" className={text ? 'error' : className}>
      {text && (
        <>
          <Icon name="alert" />
          <span>{text}</span>
        </>
      )}
    </p>
  )
}
