import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { Icon, type IconName } from '../art/icons.tsx'
import { useText } from '../locale.tsx'

export type BadgeKind = 'ok' | 'mute' | 'warn' | 'warn-strong' | 'info' | 'err'

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
