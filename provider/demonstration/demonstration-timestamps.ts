import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { putTimestampAccount, putTimestampPackage } from '../../contract/provider/provider-timestamps.ts'
import { refillBefore, type TimestampPackage } from '../../contract/rules/timestamp-packages.ts'
import { dayMs, addDays, atWarsawClock, warsawDay } from '../../contract/rules/warsaw-time.ts'
import { derToPem, readCertificate } from '../../pki/asn1/certificate.ts'
import type { Authority } from '../authority/authority.ts'
import type { PortalClient } from '../portal-client.ts'
import { hashTimestampPassword } from '../timestamp-service/timestamp-password.ts'
import { timestampReports } from '../timestamp-service/timestamp-reports.ts'
import type { TimestampAccess, TimestampStore } from '../timestamp-service/timestamp-store.ts'
import { documentSigner } from './demonstration-people.ts'

/** The account that visitors can try with curl; the other accounts have the same password. */
export const timestampLogin = { login: 'znaczniki', password: 'Znaczniki2026' } as const

const historyDays = 60

/** A package with its validity relative to today, so that it stays current. */
type DemonstrationPackage = { id: string; startsIn: number; endsIn?: number; spent: number } & (
  | { kind: 'recurring'; size: number; refillDay: number }
  | { kind: 'one-time'; size: number }
  | { kind: 'unlimited' }
)

type DemonstrationAccount = {
  id: string
  customer: string
  login: string
  authentication: 'basic' | 'cms'
  inactive?: true
  /** Usage on an ordinary working day. */
  perDay: number
  packages: DemonstrationPackage[]
}

/** Every kind of account and package, and every state that the screens can show. */
const accounts: readonly DemonstrationAccount[] = [
  {
    id: 'demo-znaczniki',
    customer: 'demo-malgorzata',
    login: timestampLogin.login,
    authentication: 'basic',
    perDay: 310,
    packages: [
      { id: 'demo-monthly', kind: 'recurring', size: 20_000, refillDay: 1, startsIn: -700, spent: 7520 },
      { id: 'demo-reserve', kind: 'one-time', size: 5000, startsIn: -40, endsIn: 405, spent: 0 },
      { id: 'demo-past', kind: 'one-time', size: 1000, startsIn: -540, endsIn: -173, spent: 1000 },
    ],
  },
  {
    id: 'demo-archiwum',
    customer: 'demo-malgorzata',
    login: 'zrodlo-archiwum',
    authentication: 'cms',
    perDay: 24,
    packages: [{ id: 'demo-unlimited', kind: 'unlimited', startsIn: -300, spent: 1460 }],
  },
  {
    id: 'demo-faktury',
    customer: 'demo-kolekcja',
    login: 'biuro-faktury',
    authentication: 'basic',
    perDay: 9,
    packages: [{ id: 'demo-low', kind: 'one-time', size: 500, startsIn: -200, spent: 459 }],
  },
  {
    id: 'demo-kampania',
    customer: 'demo-kolekcja',
    login: 'biuro-kampania',
    authentication: 'basic',
    perDay: 40,
    packages: [
      { id: 'demo-ending', kind: 'one-time', size: 3000, startsIn: -353, endsIn: 12, spent: 1240 },
      { id: 'demo-later', kind: 'one-time', size: 2000, startsIn: 9, endsIn: 374, spent: 0 },
    ],
  },
  {
    id: 'demo-umowy',
    customer: 'demo-kolekcja',
    login: 'biuro-umowy',
    authentication: 'basic',
    perDay: 13,
    packages: [{ id: 'demo-empty', kind: 'one-time', size: 1000, startsIn: -90, endsIn: 275, spent: 1000 }],
  },
  {
    id: 'demo-dawne',
    customer: 'demo-kolekcja',
    login: 'biuro-dawne',
    authentication: 'basic',
    inactive: true,
    perDay: 0,
    packages: [{ id: 'demo-over', kind: 'one-time', size: 200, startsIn: -800, endsIn: -70, spent: 180 }],
  },
]

/** The certificate and key with which visitors can try signed requests. */
export const cmsSignerFile = 'timestamp-signer.pem'

type Services = { store: TimestampStore; authority: Authority; now: Date; signerPath: string }

/** Creates missing accounts; keeps usage and changed passwords; updates dates relative to today. */
export async function openTimestampAccounts({ store, authority, now, signerPath }: Services) {
  for (const { id, login, authentication, inactive, perDay, packages } of accounts) {
    if (!store.hasAccount(id)) {
      const access: TimestampAccess =
        authentication === 'basic'
          ? { login, passwordHash: await hashTimestampPassword(timestampLogin.password) }
          : { fingerprint: await issueSigner(authority, now, signerPath) }
      store.putAccount({ id, active: !inactive, access })
    }
    for (const content of packages) store.putPackage(id, packageOf(content, now))
    for (let past = historyDays - 1; past >= 0 && perDay; past--) {
      const day = warsawDay(new Date(now.getTime() - past * dayMs))
      store.putUsage({ account: id, day, spent: usageOn(day, perDay) })
    }
  }
}

/** Returns the package with dates relative to today, at a fixed time, so that filling twice on one day gives the same. */
function packageOf({ startsIn, endsIn, ...content }: DemonstrationPackage, now: Date): TimestampPackage {
  const at = (days: number) => atWarsawClock(`${addDays(warsawDay(now), days)}T12:00:00`)
  const validity = { startsAt: at(startsIn), endsAt: endsIn === undefined ? null : at(endsIn) }
  return content.kind === 'recurring'
    ? { ...content, ...validity, countedFrom: refillBefore(content.refillDay, now) }
    : { ...content, ...validity }
}

/** Returns the usage of a day: high on working days, low at weekends, different each week. */
function usageOn(day: string, perDay: number) {
  const date = new Date(day)
  const weekday = [0.06, 1, 1.12, 0.94, 1.05, 0.8, 0.15][date.getUTCDay()] ?? 1
  const swing = 0.75 + (((date.getTime() / dayMs) * 37) % 11) / 20
  return Math.round(perDay * weekday * swing)
}

async function issueSigner(authority: Authority, now: Date, path: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate } = await authority.issue({
    subject: documentSigner,
    publicKey,
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + 730 * dayMs),
    device: false,
  })
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' })
  writeFileSync(path, derToPem(certificate) + key, { mode: 0o600 })
  return readCertificate(certificate).fingerprint
}

type AccountServices = { portal: PortalClient; store: TimestampStore; serverUrl: string }

/** Sends accounts, packages and all usage to the portal with the provider API only. */
export async function fillTimestamps({ portal, store, serverUrl }: AccountServices) {
  for (const { id, customer, login, authentication, inactive, packages } of accounts) {
    const status = inactive ? ('inactive' as const) : ('active' as const)
    await portal.call(putTimestampAccount, {
      params: { account: id },
      body: { customer, login, authentication, serverUrl, status },
    })
    for (const content of store.packagesOf(id)) {
      if (!packages.some(({ id: known }) => known === content.id)) continue
      const recurring = content.kind === 'recurring' ? content : undefined
      await portal.call(putTimestampPackage, {
        params: { package: content.id },
        body: {
          account: id,
          kind: content.kind,
          status: 'active',
          size: content.kind === 'unlimited' ? null : content.size,
          refillDay: recurring?.refillDay ?? null,
          startsAt: content.startsAt.toISOString(),
          endsAt: content.endsAt?.toISOString() ?? null,
          spent: content.spent,
          countedFrom: recurring?.countedFrom.toISOString() ?? null,
        },
      })
    }
  }
  // A new or restored portal does not have the reports sent to an earlier one.
  store.markUnreported()
  await timestampReports({ store, portal }).sendAll()
}

/** The portal's own account for its own timestamps; its password is new at each start. */
export const portalTimestamps = 'portal'

export async function openPortalTimestamps(store: TimestampStore, password: string, now: Date) {
  const access = { login: portalTimestamps, passwordHash: await hashTimestampPassword(password) }
  store.putAccount({ id: portalTimestamps, active: true, access })
  store.putPackage(portalTimestamps, { id: portalTimestamps, kind: 'unlimited', startsAt: now, endsAt: null, spent: 0 })
}
