import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { IconName } from '../art/icons.tsx'
import type { BadgeKind } from '../ui/badge.tsx'

type Step = { label: Text } & ({ to: string; href?: never } | { href: string; to?: never })

/** Renews a signature, `description`. */
type Renewing = { renew: string; description: ReactNode }

/** The order of ux 8.2; a document to download does not expire, and what is under way needs nothing of the customer. */
export const ranks = {
  expired: 0,
  toSign: 1,
  endsNow: 2,
  endsSoon: 3,
  fewLeft: 4,
  toPair: 5,
  toFetch: 6,
  underWay: 7,
} as const

/** One thing that needs the customer (HOM-3), as home shows it: large, second, or as a line of the list. */
export type HomeNotice = {
  id: string
  /** One of `ranks`; equal ones by their end, which is what the customer has to be in time for. */
  rank: number
  end: string
  badge: { kind: BadgeKind; icon: IconName; text: string }
  title: ReactNode
  /** Distinguishes several notices of one title. */
  whose?: string
  /** The end, and its consequence. */
  detail: ReactNode
  /** How much is left, from 0 to 1, where something ends; `label` says the same as text. */
  ring?: { left: number; value: string; word: string; label: string }
  /** There is nothing to do about it now; home does not count it, and shows it apart. */
  isUnderWay?: boolean
  family: 'signature' | 'seal' | 'timestamp' | 'document'
  /** What to do about it, and where to see more. */
  step: Step | Renewing
  more?: Step
}
