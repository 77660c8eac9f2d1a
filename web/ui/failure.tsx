import type { ReactNode, ComponentProps } from 'react'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { OfList } from '../lists/paged-list.tsx'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Why an action failed, in a box; nothing while it has not. */
export function FailureNotice({ text, className }: { text: ReactNode; className?: string }) {
  return (
    text && (
      <Notice kind="err" role="alert" className={className}>
        <p>{text}</p>
      </Notice>
    )
  )
}

/** The same in a line under its button, always there so that screen readers announce it. */
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

/** `check`: whether something is ready; otherwise repeats what failed. */
export function RetryButton({
  check,
  ...button
}: { check?: boolean } & Omit<ComponentProps<typeof Button>, 'children'>) {
  const t = useText()
  return (
    <Button icon="refresh" {...button}>
      <span>
        {check ? t({ pl: 'Sprawdź ponownie', en: 'Check again' }) : t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        <OfList />
      </span>
    </Button>
  )
}
