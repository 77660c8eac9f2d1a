import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { IconName } from '../art/icons.tsx'
import type { BadgeKind } from '../ui/badge.tsx'

type Step = { label: Text } & ({ to: string; href?: never } | { href: string; to?: never })

/** Renews a signature, `description`. */
type Renewing = { renew: string; description: string }

/** The order of ux 8.2; a document to fetch comes last, for nothing of it runs out. */
export const ranks = {
  over: 0,
  toSign: 1,
  endsNow: 2,
  access: 3,
  endsSoon: 4,
  noneLeft: 5,
  fewLeft: 6,
  toPair: 7,
  toFetch: 8,
} as const

/** One thing that needs the customer (HOM-3), as home shows it: large, beside, or as a line of the list. */
export type Matter = {
  id: string
  /** One of `ranks`; equal ones by their end. */
  rank: number
  end: string
  badge: { kind: BadgeKind; icon: IconName; words: string }
  title: string
  /** Which of several of one title it is. */
  whose?: string
  /** Until when, and what comes of it. */
  detail: ReactNode
  /** How much is left, from 0 to 1, where something runs out; `label` says the same in words. */
  ring?: { left: number; value: string; word: string; label: string }
  family: 'signature' | 'seal' | 'timestamp' | 'document'
  /** What to do about it, and where to see more. */
  step: Step | Renewing
  more?: Step
}
