import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { IconName } from '../art/icons.tsx'
import type { BadgeKind } from '../ui/badge.tsx'

type Step = { label: Text } & ({ to: string; href?: never } | { href: string; to?: never })

/** Renews a signature, `description`. */
type Renewing = { renew: string; description: string }

/** The order of ux 8.2, but what programs need now comes right after what is over; a document to download comes last, because it does not expire. */
export const ranks = {
  expired: 0,
  noneLeft: 1,
  toSign: 2,
  endsNow: 3,
  access: 4,
  endsSoon: 5,
  fewLeft: 6,
  toPair: 7,
  toFetch: 8,
} as const

/** One thing that needs the customer (HOM-3), as home shows it: large, second, or as a line of the list. */
export type HomeNotice = {
  id: string
  /** One of `ranks`; equal ones by their end. */
  rank: number
  end: string
  badge: { kind: BadgeKind; icon: IconName; text: string }
  title: string
  /** Distinguishes several notices of one title. */
  whose?: string
  /** The end, and its consequence. */
  detail: ReactNode
  /** How much is left, from 0 to 1, where something ends; `label` says the same as text. */
  ring?: { left: number; value: string; word: string; label: string }
  family: 'signature' | 'seal' | 'timestamp' | 'document'
  /** What to do about it, and where to see more. */
  step: Step | Renewing
  more?: Step
}
