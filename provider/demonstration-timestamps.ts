import type { TimestampPackage } from '../contract/timestamp-packages.ts'
import { hashTimestampPassword } from './timestamp-password.ts'
import type { TimestampStore } from './timestamp-store.ts'

/** The account that a visitor can try with curl; it holds a package of each kind. */
export const timestampLogin = { login: 'znaczniki', password: 'Znaczniki2026' } as const

const dayMs = 86_400_000

/** Opens the account once: what is spent, and a password that was changed, stay. */
export async function openTimestampAccount(store: TimestampStore, now: Date) {
  const { login, password } = timestampLogin
  if (store.accountByLogin(login)) return
  const id = 'demo-znaczniki'
  store.putAccount({ id, active: true, access: { login, passwordHash: await hashTimestampPassword(password) } })
  const held = { startsAt: now, endsAt: null, spent: 0 }
  const packages: TimestampPackage[] = [
    { ...held, id: 'monthly', kind: 'recurring', size: 100, refillDay: 31, countedFrom: now },
    { ...held, id: 'for a year', kind: 'one-time', size: 1000, endsAt: new Date(now.getTime() + 365 * dayMs) },
    { ...held, id: 'lasting', kind: 'one-time', size: 5000 },
  ]
  for (const one of packages) store.putPackage(id, one)
}
