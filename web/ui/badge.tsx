import type { ReactNode } from 'react'
import { Icon, type IconName } from '../art/icons.tsx'

export type BadgeKind = 'ok' | 'mute' | 'warn' | 'warn-strong' | 'info' | 'err'

/** A status: one word and one shape, colour only repeats them. */
export function Badge({ kind, icon, children }: { kind: BadgeKind; icon: IconName; children: ReactNode }) {
  return (
    <span className={`badge badge--${kind}`}>
      <Icon name={icon} size="s" />
      {children}
    </span>
  )
}
