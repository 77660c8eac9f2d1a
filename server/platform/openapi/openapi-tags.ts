import type { Endpoint } from '../../../contract/endpoint.ts'
import type { ClientGroup } from '../../../contract/features.ts'

export type Tag = { name: string; description: string; paths: readonly string[] }

const group = (name: string, description: string, ...groups: (ClientGroup | 'client-key')[]): Tag => ({
  name,
  description,
  paths: groups.map((each) => `/provider/v1/${each}`),
})

/** The parts of the provider API, in the order in which an integrator meets them. */
export const providerTags: readonly Tag[] = [
  group('Client key', 'The key that makes a call.', 'client-key'),
  group(
    'Customers',
    'Accounts of the portal: create, import, find, block and erase them; for support programs with masked numbers.',
    'customers',
    'masked-customers',
  ),
  group('Signatures', 'Certificates of persons, with their agreements and signing apps.', 'signatures'),
  group('Seals', 'Certificates of organisations, with their agreements, users and signing apps.', 'seals'),
  group('Document cases', 'Documents that a customer signs and you countersign.', 'document-cases'),
  group(
    'Status requests',
    'Your tasks when a customer wants a certificate suspended, resumed or revoked.',
    'status-requests',
  ),
  group('Renewals', 'Your tasks while a customer renews a certificate.', 'renewals'),
  group(
    'Vouchers',
    'Voucher and renewal codes, and the cases that redeemed vouchers open.',
    'voucher-codes',
    'voucher-cases',
  ),
  group(
    'Timestamps',
    'Timestamp accounts, their packages and their usage.',
    'timestamp-accounts',
    'timestamp-packages',
    'timestamp-usage',
  ),
  group('Software', 'Programs that customers download.', 'software'),
  group('Events', 'What happened in the portal, in its order.', 'events'),
  group('Webhooks', 'Addresses of yours to which the portal sends events.', 'webhooks'),
  group('Audit trail', 'Who did what, for people and for a SIEM.', 'audit'),
]

/** Makes the tag of a feature. `paths`: the paths after `/api/`, separated by spaces. */
const feature = (name: string, description: string, paths: string): Tag => ({
  name,
  description,
  paths: paths.split(' ').map((path) => `/api/${path}`),
})

/** The parts of the API that the portal's own pages call. */
export const browserTags: readonly Tag[] = [
  feature('Sign-in', 'Password, second factor and session.', 'sign-in sign-out passkey-sign-in session step-up'),
  feature('Passwords', 'Links that set a password, and its change.', 'password password-link password-reset'),
  feature('Registration', 'A new account and its telephone number.', 'registration phone-confirmation'),
  feature(
    'Security',
    'Passkeys, sessions, history, consents and the copy of all data.',
    'passkeys sessions activity consents data-export',
  ),
  feature(
    'Personal data',
    'The customer’s data, language, reminders, calendar and telephone number.',
    'my-data locale reminders calendar phone-change',
  ),
  feature('Signatures', 'The customer’s signatures, their certificates and apps.', 'signatures'),
  feature('Seals', 'Seals, their users and apps.', 'seals seal-invitations seal-recipients'),
  feature('Status requests', 'Suspending, resuming and revoking a certificate.', 'certificates lost-phone'),
  feature('Renewals', 'Renewal of a certificate in the portal.', 'renewals signatures/:id/renewal'),
  feature('Documents', 'Documents to be signed.', 'documents'),
  feature('Signing', 'What a signing service asks of the customer.', 'signings'),
  feature('Signing files', 'Signatures of files that stay in the browser.', 'file-signers file-signings'),
  feature('Vouchers', 'Voucher codes and their cases.', 'vouchers voucher-cases'),
  feature('Timestamps', 'Timestamp accounts and packages.', 'timestamps'),
  feature('Software', 'Programs of the provider.', 'software'),
  feature(
    'Checking files',
    'What a browser needs to judge a signed file by itself.',
    'trusted-authorities revocation-data',
  ),
  feature('Portal', 'What every page can need.', 'bot-challenge country openapi.json openapi-browser.json'),
]

const isWithin = (path: string, start: string) => path === start || path.startsWith(`${start}/`)

/** Returns the tag of a call, by the longest tag path with which the path of the call begins. */
export function tagOf(tags: readonly Tag[], { path }: Pick<Endpoint, 'path'>): string {
  const [found] = tags
    .flatMap(({ name, paths }) => paths.filter((start) => isWithin(path, start)).map((start) => ({ name, start })))
    .toSorted((a, b) => b.start.length - a.start.length)
  if (!found) throw new Error(`${path} has no tag in openapi-tags.ts.`)
  return found.name
}
