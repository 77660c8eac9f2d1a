import type { Endpoint } from './endpoint.ts'

/** A part of an API. */
export type Tag = {
  name: string
  description: string
  /** The starts of the paths, after `/provider/v1/` or `/api/`. */
  calls: readonly string[]
}

/** Parts of the provider API, in the order in which an integrator meets them. */
export const providerTags = [
  { name: 'Client key', description: 'The key that makes a call.', calls: ['client-key'] },
  {
    name: 'Customers',
    description:
      'Accounts of the portal: create, import, find, block and erase them; for support programs with masked numbers.',
    calls: ['customers', 'masked-customers'],
  },
  {
    name: 'Signatures',
    description: 'Certificates of persons, with their agreements and signing apps.',
    calls: ['signatures'],
  },
  {
    name: 'Seals',
    description: 'Certificates of organisations, with their agreements, users and signing apps.',
    calls: ['seals'],
  },
  {
    name: 'Document cases',
    description: 'Documents that a customer signs and you countersign.',
    calls: ['document-cases'],
  },
  {
    name: 'Status requests',
    description: 'Your tasks when a customer wants a certificate suspended, resumed or revoked.',
    calls: ['status-requests'],
  },
  { name: 'Renewals', description: 'Your tasks while a customer renews a certificate.', calls: ['renewals'] },
  {
    name: 'Vouchers',
    description: 'Voucher and renewal codes, and the cases that redeemed vouchers open.',
    calls: ['voucher-codes', 'voucher-cases'],
  },
  {
    name: 'Timestamps',
    description: 'Timestamp accounts, their packages and their usage.',
    calls: ['timestamp-accounts', 'timestamp-packages', 'timestamp-usage'],
  },
  { name: 'Software', description: 'Programs that customers download.', calls: ['software'] },
  { name: 'Events', description: 'What happened in the portal, in its order.', calls: ['events'] },
  { name: 'Webhooks', description: 'Addresses of yours to which the portal sends events.', calls: ['webhooks'] },
  { name: 'Audit trail', description: 'Who did what, for people and for a SIEM.', calls: ['audit'] },
] as const satisfies readonly Tag[]

/** What a key's scopes name (R80): the first segments of the provider's calls, but for the question of a key about itself. */
export type ClientGroup = Exclude<(typeof providerTags)[number]['calls'][number], 'client-key'>
export const clientGroups: readonly ClientGroup[] = providerTags
  .flatMap(({ calls }): readonly (ClientGroup | 'client-key')[] => calls)
  .filter((group) => group !== 'client-key')
  .toSorted()

/** The parts of the API that the portal's own pages call. */
export const browserTags: readonly Tag[] = [
  {
    name: 'Sign-in',
    description: 'Password, second factor and session.',
    calls: ['sign-in', 'sign-out', 'passkey-sign-in', 'session', 'step-up'],
  },
  {
    name: 'Passwords',
    description: 'Links that set a password, and its change.',
    calls: ['password', 'password-link', 'password-reset'],
  },
  {
    name: 'Registration',
    description: 'A new account and its telephone number.',
    calls: ['registration', 'phone-confirmation'],
  },
  {
    name: 'Security',
    description: 'Passkeys, sessions, history, consents and the copy of all data.',
    calls: ['passkeys', 'sessions', 'activity', 'consents', 'data-export'],
  },
  {
    name: 'Personal data',
    description: 'The customer’s data, language, reminders, calendar and telephone number.',
    calls: ['my-data', 'locale', 'reminders', 'calendar', 'phone-change'],
  },
  { name: 'Signatures', description: 'The customer’s signatures, their certificates and apps.', calls: ['signatures'] },
  {
    name: 'Seals',
    description: 'Seals, their users and apps.',
    calls: ['seals', 'seal-invitations', 'seal-recipients'],
  },
  {
    name: 'Status requests',
    description: 'Suspending, resuming and revoking a certificate.',
    calls: ['certificates', 'lost-phone'],
  },
  {
    name: 'Renewals',
    description: 'Renewal of a certificate in the portal.',
    calls: ['renewals', 'signatures/:id/renewal'],
  },
  { name: 'Documents', description: 'Documents to be signed.', calls: ['documents'] },
  { name: 'Signing', description: 'What a signing service asks of the customer.', calls: ['signings'] },
  {
    name: 'Signing files',
    description: 'Signatures of files that stay in the browser.',
    calls: ['file-signers', 'file-signings'],
  },
  { name: 'Vouchers', description: 'Voucher codes and their cases.', calls: ['vouchers', 'voucher-cases'] },
  { name: 'Timestamps', description: 'Timestamp accounts and packages.', calls: ['timestamps'] },
  { name: 'Software', description: 'Programs of the provider.', calls: ['software'] },
  {
    name: 'Checking files',
    description: 'What a browser needs to judge a signed file by itself.',
    calls: ['trusted-authorities', 'revocation-data'],
  },
  {
    name: 'Portal',
    description: 'What every page can need.',
    calls: ['bot-challenge', 'country', 'openapi.json', 'openapi-browser.json'],
  },
]

/** Returns the tag of a call, by the longest start of its path. */
export function findTag(tags: readonly Tag[], { path }: Pick<Endpoint, 'path'>): string {
  const rest = `${path.replace(/^\/(?:provider\/v1|api)\//, '')}/`
  const [found] = tags
    .flatMap(({ name, calls }) =>
      calls.filter((start) => rest.startsWith(`${start}/`)).map((start) => ({ name, start })),
    )
    .toSorted((a, b) => b.start.length - a.start.length)
  if (!found) throw new Error(`${path} has no tag in contract/api-tags.ts.`)
  return found.name
}
