import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { IconName } from '../art/icons.tsx'
import type { BadgeKind } from '../ui/badge.tsx'

type NextStep = { label: Text } & ({ to: string; href?: never } | { href: string; to?: never })

/** Renews a signature, `description`. */
type Renewing = { renew: string; description: ReactNode }

/** Step with which only the support can help. */
type CallStep = { call: true }

/**
 * Ranks of notices, by how soon each stops the customer from working (HOM-3). Only something that ends within the last days comes before
 * anything already `stopped`: waiting makes the latter no worse, and a certificate that has ended can never be renewed again. A document to
 * download does not expire, and a process under way needs nothing of the customer.
 */
export const ranks = {
  endsToday: 0,
  lastDays: 1,
  stopped: 2,
  toSign: 3,
  endsNow: 4,
  endsSoon: 5,
  fewLeft: 6,
  toPair: 7,
  toFetch: 8,
  underWay: 9,
} as const

/** Returns the rank of something that ends in so many days, or has ended. */
export function rankOfEnd(days: number) {
  if (days === 0) return ranks.endsToday
  if (days < 0) return ranks.stopped
  if (days <= limits.home.lastDays) return ranks.lastDays
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
  /** Number of its object, if one customer may have several. */
  number?: string
  /** The end, and its consequence. */
  detail: ReactNode
  /** Remaining share, from 0 to 1, of something that ends; `label` says the same as text. */
  ring?: { left: number; value: string; word: string; label: string }
  /** Whether there is nothing to do about it now; home does not count it, and shows it apart. */
  isUnderWay?: boolean
  family: 'signature' | 'seal' | 'timestamp' | 'document'
  /** Action to take; `more` leads to the details. */
  step: NextStep | Renewing | CallStep
  more?: NextStep
}

/** Checks whether the notice is shown in red, because the product cannot be used now. */
export const isStopped = ({ badge }: HomeNotice) => badge.kind === 'error-strong'
