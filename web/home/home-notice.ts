import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { IconName } from '../art/icons.tsx'
import type { BadgeKind } from '../ui/badge.tsx'

type Step = { label: Text } & ({ to: string; href?: never } | { href: string; to?: never })

/** Renews a signature, `description`. */
type Renewing = { renew: string; description: ReactNode }

/** Only the support can help. */
type Calling = { call: true }

/**
 * By what stops the customer from working soonest (HOM-3). What is `stopped` already comes after what will end within days: waiting
 * makes it no worse, and a certificate that ends can never be renewed again. A document to download does not expire, and what is
 * under way needs nothing of the customer.
 */
export const ranks = {
  endsToday: 0,
  toSign: 1,
  endsNow: 2,
  stopped: 3,
  endsSoon: 4,
  fewLeft: 5,
  toPair: 6,
  toFetch: 7,
  underWay: 8,
} as const

/** Of what ends in so many days. */
export function rankOfEnd(days: number) {
  if (days === 0) return ranks.endsToday
  return days <= limits.badge.strongDays ? ranks.endsNow : ranks.endsSoon
}

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
  step: Step | Renewing | Calling
  more?: Step
}
