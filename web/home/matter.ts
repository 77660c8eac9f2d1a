import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { IconName } from '../art/icons.tsx'
import type { BadgeKind } from '../ui/badge.tsx'

type Step = { label: Text } & ({ to: string; href?: never } | { href: string; to?: never })

/** Renews a signature, `description`. */
type Renewing = { renew: string; description: string }

/** One thing that needs the customer (HOM-3), as home shows it: large, beside, or as a line of the list. */
export type Matter = {
  id: string
  /** Where it stands in the order of ux 8.2; equal ones by their end. */
  rank: number
  end: string
  badge: { kind: BadgeKind; icon: IconName; words: string }
  title: string
  /** What happens, and until when. */
  detail: ReactNode
  /** The same in a line. */
  line: ReactNode
  /** How much is left, from 0 to 1, where something runs out; `label` says the same in words. */
  ring?: { left: number; value: string; word: string; label: string }
  family: 'signature' | 'seal' | 'timestamp' | 'document'
  /** What to do about it, and where to see more. */
  step: Step | Renewing
  more?: Step
}
