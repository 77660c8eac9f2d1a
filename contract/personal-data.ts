import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'
import { ShownIdentity, DocumentType } from './identification.ts'

export const MyData = component(
  'MyData',
  'What the portal knows of a customer. Numbers are complete; the page masks them until they are shown.',
  z.strictObject({
    id: described('The id of the customer in calls about their data.', Uuid),
    login: z.string(),
    email: z.string(),
    phone: z.string(),
    maskedPhone: described('The number as the page shows it first: `+48 ••• ••• 417`.', z.string()),
    firstName: z.string(),
    secondName: z.nullable(z.string()),
    surname: z.string(),
    now: described('The time of the portal, for what the page says of the validity of the document.', Instant),
    identification: described(
      'The identity of the customer; null until the provider has sent a document.',
      z.nullable(
        z.strictObject({
          ...ShownIdentity.shape,
          birthDate: z.iso.date(),
          birthPlace: z.string(),
          document: described(
            'The document by which the customer was identified.',
            z.strictObject({
              type: DocumentType,
              number: described('The number of the document.', z.string()),
              validTo: described(
                'The last day on which it is valid; null if it does not expire.',
                z.nullable(z.iso.date()),
              ),
              issuedBy: described('The authority that has issued it.', z.string()),
            }),
          ),
        }),
      ),
    ),
  }),
)
export type MyData = z.infer<typeof MyData>

export const readMyData = endpoint('customer', 'GET /api/my-data', {
  summary: 'Returns what the portal knows of the customer',
  description: 'Names, contact data and identification of the customer.',
  reply: MyData,
})
