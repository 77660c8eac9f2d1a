import type { Endpoint } from './endpoint.ts'
import { keysOf } from './enums.ts'
import type { PageName } from './pages.ts'

type Parts = { pages: readonly PageName[]; calls: readonly Endpoint['path'][]; needs?: readonly string[] }

/** Features that the operator can switch off (ERR-5): the pages of each feature, and the prefixes of its calls' paths. */
export const features = {
  registration: { pages: ['register'], calls: ['/api/registration'] },
  passkeys: {
    pages: [],
    calls: ['/api/passkeys', '/api/passkey-sign-in', '/api/sign-in/passkey', '/api/step-up/passkey'],
  },
  signatures: { pages: ['signatures'], calls: ['/api/signatures'] },
  seals: {
    pages: ['seals', 'reminderRecipient'],
    calls: ['/api/seals', '/api/seal-invitations', '/api/seal-recipients'],
  },
  timestamps: { pages: ['timestamps'], calls: ['/api/timestamps'] },
  calendar: { pages: [], calls: ['/api/calendar'] },
  documents: { pages: ['documents'], calls: ['/api/documents'] },
  // What a signing service signs: agreements of renewals, documents and files.
  signing: { pages: [], calls: ['/api/signings'] },
  vouchers: { pages: ['myCases'], calls: ['/api/vouchers', '/api/voucher-cases'] },
  renewal: {
    pages: ['renewal'],
    calls: ['/api/renewals', '/api/signatures/:id/renewal'],
    needs: ['signatures', 'signing'],
  },
  'phone-change': { pages: [], calls: ['/api/phone-change', '/api/my-data/:id/phone-change'] },
  'data-export': { pages: [], calls: ['/api/data-export'] },
  'status-requests': { pages: ['lostPhone'], calls: ['/api/certificates', '/api/lost-phone'] },
  software: { pages: ['software'], calls: ['/api/software'] },
  'file-check': { pages: ['check'], calls: ['/api/trusted-authorities', '/api/revocation-data'] },
  'file-signing': {
    pages: ['sign'],
    calls: ['/api/file-signers', '/api/file-signings'],
    needs: ['file-check', 'signing'],
  },
  // The service worker and what pages keep (OFF-1, OFF-2).
  offline: { pages: [], calls: [] },
} as const satisfies Record<string, Parts>

export type Feature = keyof typeof features
export const featureNames = keysOf(features)
export const isFeature = (name: string): name is Feature => Object.hasOwn(features, name)

export const neededBy = (feature: Feature): Feature[] => {
  const parts: Record<Feature, Parts> = features
  return featureNames.filter((name) => parts[name].needs?.includes(feature))
}

/** Calls that cannot be switched off: signing in, the account, its history, and what every page needs. */
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
  '/api/openapi-browser.json',
  // The provider keeps sending data for features that are off, so that it is there when they are on again.
  '/provider/v1',
]

const isWithin = (path: string, start: string) => path === start || path.startsWith(`${start}/`)

const starts: readonly (readonly [string, Feature | 'always'])[] = [
  ...always.map((start) => [start, 'always'] as const),
  ...featureNames.flatMap((name) => features[name].calls.map((start) => [start, name] as const)),
].toSorted(([a], [b]) => b.length - a.length)

/** Returns the feature of a call, by the longest prefix of its path; undefined for a call that is not in a list here. */
export const findFeature = ({ path }: Pick<Endpoint, 'path'>): Feature | 'always' | undefined =>
  starts.find(([start]) => isWithin(path, start))?.[1]

/** Returns what a page needs to know about features that are off: their names, pages and the prefixes of their calls. */
export const offParts = (off: readonly Feature[]): string[] =>
  off.flatMap((name) => [name, ...features[name].pages, ...features[name].calls])
