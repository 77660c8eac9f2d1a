import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { Icon, type IconName } from '../art/icons.tsx'

/**
 * Kinds of badges, from the calmest to the most severe, each more prominent than the one before; only those for something that does not
 * work now are filled. `muted` is over, `ok` works, `info` is under way or new; `warning` waits or ends soon, `warning-strong` ends very soon;
 * `error` has failed; `error-strong` must not be used, or is refused, until the customer does something.
 */
export type BadgeKind = 'muted' | 'ok' | 'info' | 'warning' | 'warning-strong' | 'error' | 'error-strong'

/** Shows a status as a text and a shape; the colour only repeats them. */
export function Badge({ kind, icon, children }: { kind: BadgeKind; icon: IconName; children: ReactNode }) {
  return (
    <span className={`badge badge--${kind}`}>
      <Icon name={icon} size="s" />
      {children}
    </span>
  )
}

/** Look of a status: a text and a shape. */
export type StatusLook = { kind: BadgeKind; icon: IconName; text: Text }

export function LookBadge({ look: { kind, icon, text } }: { look: StatusLook }) {
  const t = useText()
  return (
    <Badge kind={kind} icon={icon}>
      {t(text)}
    </Badge>
  )
}
