import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { Icon, type IconName } from '../art/icons.tsx'
import { useText } from '../app/locale.tsx'

/**
 * From the calmest to the most severe, and each louder than the one before: only what does not work now is filled.
 * `mute` is over, `ok` works, `info` is under way or new; `warn` waits or ends soon, `warn-strong` ends very soon; `err` has failed;
 * `err-strong` must not be used, or is refused, until the customer does something.
 */
export type BadgeKind = 'mute' | 'ok' | 'info' | 'warn' | 'warn-strong' | 'err' | 'err-strong'

/** A status: a text and a shape; the colour only repeats them. */
export function Badge({ kind, icon, children }: { kind: BadgeKind; icon: IconName; children: ReactNode }) {
  return (
    <span className={`badge badge--${kind}`}>
      <Icon name={icon} size="s" />
      {children}
    </span>
  )
}

/** How a status looks: a text and a shape (ux 5.8). */
export type StatusLook = { kind: BadgeKind; icon: IconName; text: Text }

export function LookBadge({ look: { kind, icon, text } }: { look: StatusLook }) {
  const t = useText()
  return (
    <Badge kind={kind} icon={icon}>
      {t(text)}
    </Badge>
  )
}
