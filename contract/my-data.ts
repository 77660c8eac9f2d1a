import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DocumentType, IdentifierType } from './enums.ts'
import { Uuid } from './fields.ts'

/** A number of which the server shows the end alone; the whole of it is asked for by `revealNumber`. */
const Masked = z.string()

/** What the portal knows of a customer (DAT-1). */
export const MyData = z.strictObject({
  /** Names the person in the calls that are about their data. */
  id: Uuid,
  login: z.string(),
  email: z.string(),
  phone: Masked,
  firstName: z.string(),
  secondName: z.nullable(z.string()),
  surname: z.string(),
  /** Null as long as the provider has told nothing of a document. */
  identification: z.nullable(
    z.strictObject({
      nationality: z.string(),
      identifierType: IdentifierType,
      issuingCountry: z.nullable(z.string()),
      identificationNumber: Masked,
      birthDate: z.iso.date(),
      birthPlace: z.string(),
      document: z.strictObject({
        type: DocumentType,
        number: Masked,
        validTo: z.nullable(z.iso.date()),
        issuedBy: z.string(),
      }),
    }),
  ),
})
export type MyData = z.infer<typeof MyData>

export const readMyData = endpoint({
  method: 'GET',
  path: '/api/my-data',
  summary: 'What is known of the customer, numbers masked',
  access: 'customer',
  reply: MyData,
})

export const revealableNumbers = ['phone', 'identification-number', 'document-number'] as const
const RevealableNumber = z.enum(revealableNumbers)
export type RevealableNumber = z.infer<typeof RevealableNumber>

export const revealNumber = endpoint({
  method: 'POST',
  path: '/api/my-data/:id/reveal',
  summary: 'One of the masked numbers in full; each time is recorded',
  access: 'customer',
  params: z.strictObject({ id: Uuid }),
  body: z.strictObject({ number: RevealableNumber }),
  reply: z.strictObject({ value: z.string() }),
  errors: ['not-found'],
  stepUp: 'reveal-data',
})
