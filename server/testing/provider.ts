import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { putAgreement, putSignature, type ProviderSignature } from '../../contract/provider-api.ts'
import type { SoftwareRelease } from '../../contract/software.ts'
import type { Authority } from '../../provider/authority.ts'
import type { PersonSubject } from '../../provider/subscriber.ts'
import type { TestPortal } from './portal-nodes.ts'
import { openBrowser, type Person } from './browser.ts'
import { openTestAuthority } from '../../provider/testing/test-authority.ts'

/** The provider as the portal meets it: an authority that issues, and its systems that call with the client key. */
export type TestProvider = Awaited<ReturnType<typeof openTestProvider>>

type Wish = {
  /** The provider's own id; a new one unless given. */
  signature?: string
  from?: Date
  to?: Date
  subject?: Partial<PersonSubject>
} & Partial<ProviderSignature>

const dayMs = 86_400_000

/** One key for all: what is in a certificate matters here, not who could sign with it. */
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

export const samplePdf = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')

export const sampleRelease: SoftwareRelease = {
  platform: 'windows',
  name: 'Signing app',
  purpose: { pl: 'Do podpisywania', en: 'For signing' },
  requirements: { pl: 'Windows 11', en: 'Windows 11' },
  version: '1.2.3',
  releasedAt: '2026-01-02T03:04:05.678Z',
  bytes: 1024,
  sha256: 'a'.repeat(64),
  url: 'https://downloads.example/app.exe',
}

export async function openTestProvider(
  portal: TestPortal,
  { baseUrl = 'http://pki.example', now = () => new Date() } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-test-authority-'))
  const authority = await openTestAuthority({ directory, baseUrl, now })
  const { call } = openBrowser(portal)

  /** What a PUT of a signature says, with a certificate of its own. */
  async function draw(
    customer: string,
    { signature: _, from, to, subject, ...over }: Wish = {},
  ): Promise<ProviderSignature> {
    const notBefore = from ?? new Date(Date.now() - 30 * dayMs)
    const notAfter = to ?? new Date(Date.now() + 335 * dayMs)
    const certificate = await issue(authority, { notBefore, notAfter }, subject)
    return {
      customer,
      product: 'app',
      identifierType: 'PNO',
      years: 1,
      certificate,
      chain: authority.chain.map(base64),
      status: 'good',
      agreementLanguage: 'pl',
      ...over,
    }
  }

  return {
    authority,
    draw,
    /** Everything that was issued, DER. */
    async *certificates() {
      const folder = join(directory, 'issued')
      for (const name of readdirSync(folder)) yield readFileSync(join(folder, name))
    },
    /** Puts a signature of a customer's and returns the id under which that customer sees it. */
    async give(person: Pick<Person, 'id'>, wish: Wish = {}) {
      const signature = wish.signature ?? `s-${crypto.randomUUID()}`
      const answer = await call(putSignature, { params: { signature }, body: await draw(person.id, wish) })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.problem))
      const row = await portal.db
        .selectFrom('signatures')
        .select('id')
        .where('provider_id', '=', signature)
        .executeTakeFirstOrThrow()
      return { id: row.id, providerId: signature }
    },
    putAgreement: (
      signature: string,
      pdf: Uint8Array<ArrayBuffer> = new Uint8Array(samplePdf),
      headers: Record<string, string> = {},
    ) =>
      fetch(portal.origin + putAgreement.path.replace(':signature', signature), {
        method: 'PUT',
        headers: { authorization: `Bearer ${portal.clientKey}`, 'content-type': 'application/pdf', ...headers },
        body: pdf,
      }),
    close: () => rmSync(directory, { recursive: true }),
  }
}

async function issue(
  authority: Authority,
  validity: { notBefore: Date; notAfter: Date },
  subject: Partial<PersonSubject> = {},
) {
  const order = { subject: { ...sampleSubject, ...subject }, publicKey, device: true, ...validity }
  return base64((await authority.issue(order)).certificate)
}

const sampleSubject: PersonSubject = {
  kind: 'person',
  givenName: 'Anna',
  surname: 'Nowak',
  serialNumber: 'PNOPL-44051401458',
  country: 'PL',
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
