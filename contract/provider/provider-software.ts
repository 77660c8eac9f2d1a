import { endpoint } from '../endpoint.ts'
import { SoftwareRelease } from '../software.ts'

export const putSoftware = endpoint('provider', 'PUT /provider/v1/software/:release', {
  summary: 'Creates or updates a program that customers can download',
  description:
    'The program itself stays on your own server at `url`. Customers see the newest version of each platform first, with its size and SHA-256.',
  body: SoftwareRelease,
  reply: SoftwareRelease,
  impersonal: true,
})

export const removeSoftware = endpoint('provider', 'DELETE /provider/v1/software/:release', {
  summary: 'Removes a program from the list',
  description:
    'Customers no longer see the program. A program that does not exist is no failure, so the call can be repeated.',
})
