import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OpenApi } from '../server/platform/openapi/openapi.ts'
import { openPortal } from '../server/testing/open-portal.ts'
import { samplePerson } from '../server/testing/portal-nodes.ts'
import { neutralDocument, writeApiClient } from './api-client.ts'
import { makeProject, run } from '../tools/testing/projects.ts'

const root = join(import.meta.dirname, '..')
const portal = await openPortal()

/** What an integrator writes; the compiler checks it against the generated types. */
const program = `
import { client, type Customer, type CustomerState, type FieldProblem } from './sygnet.ts'

client.configure({ serverUrl: process.env['SYGNET_URL']!, auth: { bearer: process.env['SYGNET_KEY']! } })
const person = JSON.parse(process.argv[2]!) as Customer

const created = await client.putCustomersCustomer({ path: { customer: 'c-9001' }, body: person })
// An answer has the type that its schema names.
const stateOf = ({ state }: CustomerState) => state
const taken = await client.putCustomersCustomer({ path: { customer: 'c-9002' }, body: { ...person, email: 'other@mail.example' } })
const wrong = await client.putCustomersCustomer({ path: { customer: 'c-9003' }, body: { ...person, email: 'nobody' } })

const account = { customer: 'c-9001', authentication: 'basic', serverUrl: 'https://tsa.provider.example/tsa', status: 'active' } as const
for (let i = 0; i < 101; i++)
  await client.putTimestampAccountsAccount({ path: { account: 'tsa-' + i }, body: { ...account, login: 'tsa-' + i } })
const pages: number[] = []
let cursor: string | null = null
do {
  const page: Awaited<ReturnType<typeof client.getTimestampAccounts>> = await client.getTimestampAccounts({
    query: { customer: 'c-9001', ...(cursor ? { cursor } : {}) },
  })
  if (page.error) throw new Error(page.error.code)
  pages.push(page.data.items.length)
  cursor = page.data.next
} while (cursor)

// Only codes that the operation has compile.
const code = taken.error?.code === 'login-taken' ? taken.error.code : undefined
// @ts-expect-error -- it has not this one
const impossible = taken.error?.code === 'last-admin'

const problems: FieldProblem[] = wrong.error?.fields?.map(({ problem }) => problem) ?? []

console.log(JSON.stringify({
  created: created.data && stateOf(created.data),
  taken: [taken.response?.status, code, impossible],
  wrong: [wrong.response?.status, wrong.error?.code, wrong.error?.fields?.[0]?.name, problems],
  pages,
}))
`

test('API-5 OPS-14 the client of a release is made of the document that a portal serves', async () => {
  const callsOf = ({ paths, webhooks, components, tags }: OpenApi) => ({ paths, webhooks, components, tags })
  const served = (await (await fetch(`${portal.origin}/api/openapi.json`)).json()) as OpenApi
  expect(callsOf(JSON.parse(JSON.stringify(await neutralDocument())) as OpenApi)).toEqual(callsOf(served))
})

test('API-5 the generated client compiles, creates a customer, reads pages, has typed problems', async () => {
  const directory = makeProject({ 'package.json': { type: 'module' }, 'program.ts': program })
  await writeApiClient(join(directory, 'sygnet.ts'))
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'esnext', '--module', 'nodenext']
  const types = ['--allowImportingTsExtensions', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, ...options, ...types, 'program.ts'], { cwd: directory })
  expect(compiled).toMatchObject({ exitCode: 0, stdout: '' })

  const ran = await run(process.execPath, ['program.ts', JSON.stringify(samplePerson())], {
    cwd: directory,
    env: { PATH: process.env['PATH'], SYGNET_URL: portal.origin, SYGNET_KEY: portal.clientKey },
  })
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toEqual({
    created: 'invited',
    taken: [422, 'login-taken', false],
    wrong: [400, 'invalid-input', 'email', ['email-format']],
    pages: [100, 1],
  })
})
