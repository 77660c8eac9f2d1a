import type { Endpoint } from './endpoint.ts'
import type { PageName } from './pages.ts'

type Parts = { pages: readonly PageName[]; calls: readonly Endpoint['path'][]; needs?: readonly string[] }

/** What the operator can switch off (ERR-5): the pages of each feature, and how the paths of its calls begin. */
export const features = {
  registration: { pages: ['register'], calls: ['/api/registration'] },
  passkeys: {
    pages: [],
    calls: ['/api/passkeys', '/api/passkey-sign-in', '/api/sign-in/passkey', '/api/step-up/passkey'],
  },
  signatures: { pages: ['signatures'], calls: ['/api/signatures'] },
  seals: { pages: ['seals'], calls: ['/api/seals', '/api/seal-invitations'] },
  timestamps: { pages: ['timestamps'], calls: ['/api/timestamps'] },
  documents: { pages: ['documents'], calls: ['/api/documents'] },
  vouchers: { pages: ['myCases'], calls: ['/api/vouchers', '/api/voucher-cases'] },
  renewal: { pages: ['renewal'], calls: ['/api/renewals', '/api/signatures/:id/renewal'], needs: ['signatures'] },
  'phone-change': { pages: [], calls: ['/api/phone-change', '/api/my-data/:id/phone-change'] },
  'data-export': { pages: [], calls: ['/api/data-export'] },
  software: { pages: ['software'], calls: ['/api/software'] },
} as const satisfies Record<string, Parts>

export type Feature = keyof typeof features
export const featureNames = Object.keys(features) as Feature[]
export const isFeature = (name: string): name is Feature => Object.hasOwn(features, name)

/** The features that cannot be had without this one. */
export const neededBy = (feature: Feature): Feature[] =>
  featureNames.filter((other) => ((features[other] as Parts).needs ?? []).includes(feature))

/** What no portal can do without: signing in, the account, its history, and what pages are made of. */
const always = [
  '/api/sign-in',
  '/api/sign-out',
  '/api/session',
  '/api/sessions',
  '/api/step-up',
  '/api/password-reset',
  '/api/password-link',
  '/api/password',
  '/api/phone-confirmation',
  '/api/locale',
  '/api/activity',
  '/api/consents',
  '/api/reminders',
  '/api/my-data',
  '/api/country',
  '/api/bot-challenge',
  '/api/openapi.json',
  // The provider goes on telling of what its customers do not see now, so that it is there when they do.
  '/provider/v1',
]

const isWithin = (path: string, start: string) => path === start || path.startsWith(`${start}/`)

const starts: readonly (readonly [string, Feature | 'always'])[] = [
  ...always.map((start) => [start, 'always'] as const),
  ...featureNames.flatMap((name) => features[name].calls.map((start) => [start, name] as const)),
].toSorted(([a], [b]) => b.length - a.length)

/** The feature that a call belongs to, by the longest beginning of its path; undefined for one that stands in no list here. */
export const featureOf = ({ path }: Pick<Endpoint, 'path'>): Feature | 'always' | undefined =>
  starts.find(([start]) => isWithin(path, start))?.[1]

/** What a page is told of features that are off: their names, pages and the beginnings of their calls. */
export const offParts = (off: readonly Feature[]): string[] =>
  off.flatMap((name) => [name, ...features[name].pages, ...features[name].calls])
