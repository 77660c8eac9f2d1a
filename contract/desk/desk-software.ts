import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { ProviderId } from '../fields.ts'
import { SoftwareRelease } from '../software.ts'

const params = { release: ProviderId }

const ListedRelease = z.extend(SoftwareRelease, { release: z.string() })
export type ListedRelease = z.infer<typeof ListedRelease>

export const listReleasesAtDesk = endpoint('staff', 'GET /desk/api/operations/software', {
  summary: 'The programs that customers can download',
  description: 'By platform, the newest first.',
  reply: z.strictObject({ items: z.array(ListedRelease) }),
})

export const putReleaseAtDesk = endpoint('staff', 'PUT /desk/api/operations/software/:release', {
  summary: 'Publishes a program, or changes it',
  description: 'The file itself is where its address says. It needs a recent sign-in at the OpenID provider.',
  params,
  body: SoftwareRelease,
  errors: ['step-up-required'],
})

export const removeReleaseAtDesk = endpoint('staff', 'DELETE /desk/api/operations/software/:release', {
  summary: 'Withdraws a program',
  description: 'Customers do not see it from then on.',
  params,
})
