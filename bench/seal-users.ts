import { listSealUsers } from '../contract/seal-users.ts'
import { encryptInvitedPhone } from '../server/platform/encrypted-data/encrypted-fields.ts'
import { openTestPortal, type TestPortal } from '../server/testing/portal-nodes.ts'
import { makeCustomer, signInAs, type TestBrowser } from '../server/testing/browser.ts'
import { openTestProvider } from '../server/testing/provider.ts'
import { makeSeal } from '../server/testing/samples/sample-seals.ts'
import { atMost, type Figure, median } from './figures.ts'
import { withTestPostgres } from './testing/postgres.ts'

const many = 10_000
const rounds = 400
/** The same number of rows on both pages, or the rows would be measured. */
const size = '20'

/** A page of the users of a seal that has 10,000, compared with one that has hardly more than a page: the first, one in the middle, the last. */
export const measureSealUsers = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const portal = await openTestPortal({ postgres, settings: { sealUsers: many } })
    const provider = await openTestProvider(portal)
    try {
      const person = await makeCustomer(portal)
      const [few, full] = [await makeList(21), await makeList(many)]
      await portal.owner.query('vacuum analyze seal_users')
      const browser = await signInAs(portal, person)
      const cursors = await cursorsOf(browser, full)
      const figures: Figure[] = []
      for (const [what, cursor] of Object.entries(cursors))
        figures.push(await compare(what, browser, few, full, cursor))
      return figures

      async function makeList(users: number) {
        const seal = await makeSeal(portal, provider, [{ person, role: 'admin', status: 'active' }])
        await fill(portal, seal.id, users)
        return seal.id
      }
    } finally {
      await portal.close()
    }
  })

async function fill({ owner, portal }: TestPortal, seal: string, users: number) {
  const ids = Array.from({ length: users - 1 }, () => crypto.randomUUID())
  const phones = ids.map((id) => encryptInvitedPhone(portal.keys, id, '+48600100200'))
  await owner.query(
    `insert into seal_users (id, seal_id, provider_id, number, email, email_key, phone, first_name, surname, role, status, locale, expires_at)
     select id, $1, id, n + 1, 'user' || n || '@mail.example', 'user' || n || '@mail.example', phone, 'Żaneta', 'Kaźmierczak' || n % 997, 'user',
       case when n % 5 = 0 then 'pending' else 'active' end, 'pl', now() + interval '7 days'
     from unnest($2::uuid[], $3::bytea[]) with ordinality as given (id, phone, n)`,
    [seal, ids, phones],
  )
}

/** The cursors of the pages in the middle and at the end, as the portal gives them out. */
async function cursorsOf(browser: TestBrowser, id: string): Promise<Record<string, string | undefined>> {
  const cursors: string[] = []
  for (let cursor: string | undefined; ; cursors.push(cursor)) {
    const query = { size: '100' as const, ...(cursor ? { cursor } : {}) }
    const { body } = await browser.call(listSealUsers, { params: { id }, query })
    if (!body.next) break
    cursor = body.next
  }
  return {
    'first page': undefined,
    'page in the middle': cursors[Math.floor(cursors.length / 2)],
    'last pages': cursors.at(-1),
  }
}

/** Pages of the two lists alternate, so that other work on the machine slows both. */
async function compare(what: string, browser: TestBrowser, few: string, full: string, cursor: string | undefined) {
  const times: Record<'few' | 'full', number[]> = { few: [], full: [] }
  const read = async (id: string, at: string | undefined) => {
    const began = performance.now()
    const { status, body } = await browser.call(listSealUsers, {
      params: { id },
      query: { size, ...(at ? { cursor: at } : {}) },
    })
    if (status !== 200 || body.items.length !== Number(size))
      throw new Error(`${what}: ${status}, ${body.items?.length} rows`)
    return performance.now() - began
  }
  for (let round = -50; round < rounds; round++) {
    const [fewTime, fullTime] = [await read(few, undefined), await read(full, cursor)]
    if (round >= 0) {
      times.few.push(fewTime)
      times.full.push(fullTime)
    }
  }
  const [base, value] = [median(times.few), median(times.full)]
  return {
    what: `10,000 seal users ÷ 21: ${what} of ${size}`,
    value: value / base,
    limit: atMost(1.25),
    detail: `${value.toFixed(2)} and ${base.toFixed(2)} ms`,
  }
}
