import type { ComponentProps } from 'react'
import { useText } from '../app/locale.tsx'
import { Button } from './button.tsx'
import { OfList } from './list-name.tsx'

/** Shows a button that repeats what failed, or with `check` one that checks whether something is ready. */
export function RetryButton({
  isCheck,
  ...button
}: { isCheck?: boolean } & Omit<ComponentProps<typeof Button>, 'children'>) {
  const t = useText()
  return (
    <Button icon="refresh" {...button}>
      <span>
        {isCheck ? t({ pl: 'Sprawdź ponownie', en: 'Check again' }) : t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        <OfList />
      </span>
    </Button>
  )
}
