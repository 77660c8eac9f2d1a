import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DocumentType } from './enums.ts'
import { Instant, Uuid } from './fields.ts'
import { ShownIdentity } from './personal-data.ts'

/** What the portal knows of a customer (DAT-1). Numbers are complete: the page masks them until they are shown (DAT-7). */
export const MyData = z.strictObject({
  /** The id of the customer in calls about their data. */
  id: Uuid,
  login: z.string(),
  email: z.string(),
  phone: z.string(),
  /** `+48 ••• ••• 417` */
  maskedPhone: z.string(),
  firstName: z.string(),
  secondName: z.nullable(z.string()),
  surname: z.string(),
  /** By the database, for what the page says of the document's validity. */
  now: Instant,
  /** Null until the provider has sent a document. */
  identification: z.nullable(
    z.strictObject({
      ...ShownIdentity.shape,
      birthDate: z.iso.date(),
      birthPlace: z.string(),
      document: z.strictObject({
        type: DocumentType,
        number: z.string(),
        validTo: z.nullable(z.iso.date()),
        issuedBy: z.string(),
      }),
    }),
  ),
})
export type MyData = z.infer<typeof MyData>

export const readMyData = endpoint('customer', 'GET /api/my-data', {
  summary: 'What the portal knows of the customer',
  description: 'Names, contact data and identification of the customer.',
  reply: MyData,
})
