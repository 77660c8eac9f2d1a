import * as z from 'zod/mini'
import { Day } from '../day.ts'
import { component, described } from '../documented.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { Locale } from '../enums.ts'
import { Email, patternText, Instant, line, PhoneNumber, ProviderId, Uuid } from '../fields.ts'
import { Identification, IdentityDocument } from '../identification.ts'
import { limits } from '../limits.ts'
import { pageOf, pages } from '../list-pages.ts'

const Acceptance = component(
  'Acceptance',
  'When a customer has accepted a text outside the portal, such as in an agreement.',
  z.strictObject({
    version: described('The day from which the accepted text applies.', Day),
    at: described('When it was accepted; not in the future.', Instant),
  }),
)
const Acceptances = component(
  'Acceptances',
  'What a customer has accepted outside the portal, of the two that the portal requires.',
  z.strictObject({
    terms: described('The acceptance of the terms.', z.optional(Acceptance)),
    privacy: described('The acceptance of the privacy notice.', z.optional(Acceptance)),
  }),
)

export const ProviderCustomer = component(
  'Customer',
  'A customer, as you put them.',
  z.strictObject({
    login: described(
      'With it or with the e-mail address the customer signs in: 3 to 64 letters, digits, `.`, `_` and `-`; unique in the portal, whatever the case.',
      patternText(64, /^[A-Za-z0-9][A-Za-z0-9._-]{2,63}$/),
    ),
    email: Email,
    phone: PhoneNumber,
    firstName: line(limits.text.name),
    secondName: described('Null if the customer has none.', z.nullable(line(limits.text.name))),
    surname: line(limits.text.name),
    locale: described('The language of e-mails and text messages.', Locale),
    identification: described('If it is missing, the portal removes what it has stored.', z.optional(Identification)),
    acceptances: described(
      'Which terms and privacy notice the customer has accepted outside the portal; what is missing stays as it was reported. The first password asks for what the portal does not have.',
      z.optional(Acceptances),
    ),
  }),
)
export type ProviderCustomer = z.infer<typeof ProviderCustomer>

const CustomerState = component(
  'CustomerState',
  'A customer as the portal knows them.',
  z.extend(ProviderCustomer, {
    state: described(
      '`invited`: a link was sent, and no password is set yet; `blocked`: only a new password or `unblock` opens the account.',
      z.enum(['invited', 'active', 'blocked']),
    ),
    createdAt: Instant,
  }),
)

/** Search criteria; a search has exactly one of them. They are in the body, because addresses are logged. */
const searchableOfAll = {
  email: z.optional(Email),
  login: z.optional(line(64)),
  phone: z.optional(PhoneNumber),
  cursor: described('`next` of the previous page; without it, the list begins.', z.optional(line(512))),
}
const byOne = <Body extends { cursor?: string | undefined }>() =>
  z.refine<Body>(({ cursor: _, ...by }) => Object.values(by).filter((value) => value !== undefined).length === 1, {
    error: 'required',
    path: ['email'],
  })
const CustomerSearch = z
  .strictObject({
    ...searchableOfAll,
    identifier: described(
      'As in a certificate (ETSI EN 319 412-1 §5.1.3): `PNOPL-44051401458`, or `ECN-` and your own number.',
      z.optional(patternText(64, /^(?:(?:PNO|TIN|PAS|IDC)[A-Z]{2}|ECN)-[A-Z0-9-]{1,32}$/)),
    ),
  })
  .check(byOne())
/** A search without the identifier: with the birth date and the characters that a mask shows, few identifiers are left to be tried. */
const MaskedCustomerSearch = z.strictObject(searchableOfAll).check(byOne())

const FoundCustomer = component(
  'FoundCustomer',
  'An account that was found.',
  z.strictObject({
    customer: described(
      'Your id of the customer; null for somebody who registered in the portal and whom you have not put yet.',
      z.nullable(ProviderId),
    ),
    account: described('The portal’s id of the account.', Uuid),
    ...z.pick(CustomerState, {
      login: true,
      email: true,
      phone: true,
      firstName: true,
      secondName: true,
      surname: true,
      locale: true,
      state: true,
      createdAt: true,
    }).shape,
  }),
)

export const searchCustomers = endpoint('provider', 'POST /provider/v1/customers/search', {
  summary:
    'Finds customers by e-mail address, login, telephone number or identifier, by page; each search is in the audit trail',
  description:
    'Search by exactly one of `email`, `login`, `phone` and `identifier`, at most 600 times an hour with one key. `customer` is null for somebody who registered in the portal and whom you have not put yet. Every search is in the audit trail.',
  body: CustomerSearch,
  reply: pageOf(FoundCustomer),
  errors: ['cursor-refused', 'too-many-requests'],
})

/** A list for comparing your customers with the portal’s: its reader needs no name, address or number. */
export const listCustomers = endpoint('provider', 'GET /provider/v1/customers', {
  summary: 'Lists your customers by page: their ids and states, without personal data',
  description:
    'Pages of 100, by your ids. Pass `next` as `cursor` to get the next page; it is null on the last page. For the data of a customer, get the customer. Somebody who registered in the portal is in the list once you have put them.',
  ...pages(
    component(
      'ListedCustomer',
      'A customer in the list of all.',
      z.strictObject({
        customer: described('Your id of the customer.', ProviderId),
        ...z.pick(FoundCustomer, { account: true, state: true, createdAt: true }).shape,
      }),
    ),
  ),
})

const MaskedCustomer = component(
  'MaskedCustomer',
  'A customer with masked numbers: of each, only the last three characters are shown.',
  z.strictObject({
    ...CustomerState.shape,
    phone: described('Masked: `+48 ••• ••• 417`.', z.string()),
    identification: described(
      'Missing if the portal has none. There is no birth date, which gives away most of a PESEL.',
      z.optional(
        z.strictObject({
          ...z.pick(z.strictObject(Identification.shape), {
            nationality: true,
            identifierType: true,
            issuingCountry: true,
          }).shape,
          identificationNumber: described('Masked: `••••••••458`.', z.string()),
          document: described(
            'The identity document, with its number masked.',
            z.strictObject({ ...IdentityDocument.shape, number: described('Masked: `••••••000`.', z.string()) }),
          ),
        }),
      ),
    ),
  }),
)

/** Masked data for support programs: the scope `masked-customers:read` gives nobody's complete number. */
export const getMaskedCustomer = endpoint('provider', 'GET /provider/v1/masked-customers/:customer', {
  summary: 'Returns a customer as the portal knows them, with masked numbers',
  description:
    'For support programs. Phone, identification and document numbers show their last three characters only, and there is no birth date, because it gives away most of a PESEL.',
  ...readsOne(MaskedCustomer),
})

export const searchMaskedCustomers = endpoint('provider', 'POST /provider/v1/masked-customers/search', {
  summary: 'Finds customers by e-mail address, login or telephone number, with masked numbers',
  description:
    'Search by exactly one of `email`, `login` and `phone`; it counts towards the same limit of an hour as the search for customers. Not by identifier, which could be guessed in this way. Every search is in the audit trail.',
  body: MaskedCustomerSearch,
  reply: pageOf(
    component(
      'FoundMaskedCustomer',
      'An account that was found, with a masked telephone number.',
      z.extend(FoundCustomer, { phone: described('Masked: `+48 ••• ••• 417`.', z.string()) }),
    ),
  ),
  errors: ['cursor-refused', 'too-many-requests'],
})

/** A call about a customer, which returns them as the portal knows them then. */
const customerCall = { reply: CustomerState, errors: ['not-found'] } as const

export const putCustomer = endpoint('provider', 'PUT /provider/v1/customers/:customer', {
  summary: 'Creates or updates a customer; a new one is invited by e-mail',
  description:
    'Sets all data of a customer under your own id; without `identification` the stored one is removed, which is refused with `object-in-use` while the customer is under a legal hold (`reason` is `legal-hold`). `acceptances` that are missing stay as they were reported; one in the future is a wrong field (`date-range`). A new customer gets an e-mail with a link that sets the first password. If somebody has registered with this e-mail address and confirmed it, that account becomes the customer’s.',
  body: ProviderCustomer,
  reply: CustomerState,
  errors: ['invalid-input', 'login-taken', 'object-in-use'],
  impersonal: true,
})

export const getCustomer = endpoint('provider', 'GET /provider/v1/customers/:customer', {
  summary: 'Returns a customer as the portal knows them',
  description:
    'The customer’s data and the state of the account: `invited` until the first password is set, then `active` or `blocked`.',
  ...customerCall,
})

export const blockCustomer = endpoint('provider', 'POST /provider/v1/customers/:customer/block', {
  summary: 'Blocks the account and ends its sessions; a new password unblocks it', // AUT-4
  description:
    'Ends all sessions of the customer at once. The customer opens the account again by setting a new password; you do with `unblock`.',
  ...customerCall,
})

export const unblockCustomer = endpoint('provider', 'POST /provider/v1/customers/:customer/unblock', {
  summary: 'Unblocks an account for its current password and resets the count of wrong ones', // AUT-4
  description: 'The customer can sign in with the current password again, and wrong passwords are counted from zero.',
  ...customerCall,
})

export const inviteCustomer = endpoint('provider', 'POST /provider/v1/customers/:customer/invitation', {
  summary: 'Sends a new invitation to a customer who has not set a password yet, and voids the previous link',
  description:
    'The link of the previous invitation stops working. Refused with `already-active` if the customer has set a password.',
  ...customerCall,
  errors: ['not-found', 'already-active'],
})

export const eraseCustomer = endpoint('provider', 'DELETE /provider/v1/customers/:customer', {
  summary:
    'Erases an account whose services have all ended; evidence is removed after its retention time (GDPR article 17)',
  description:
    'Deletes the account and its personal data at once, and notifies the customer by a last e-mail. Evidence that has to be retained is deleted at `heldUntil`. Refused with `customer-in-use` while the customer has a service that has not ended (`reason` is `active-services`), or is under a legal hold (`legal-hold`).',
  reply: z.strictObject({
    heldUntil: described('When the evidence is removed as well; null if there is none.', z.nullable(Instant)),
  }),
  errors: ['not-found', 'customer-in-use'],
})
