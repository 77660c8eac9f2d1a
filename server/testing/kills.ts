import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { confirmUpload } from '../../contract/documents.ts'
import { downloadUpload, finishDocumentCase, getDocumentCase } from '../../contract/provider-documents.ts'
import { removeOrphans } from '../document-files.ts'
import type { TestPortal } from './portal-nodes.ts'
import { openBrowser } from './browser.ts'
import { addCustomer, letIn } from './ready-customers.ts'
import {
  accessCode,
  believeTestAuthorities,
  continued,
  downloadFile,
  giveDocument,
  putSigned,
  sha256,
  signAs,
  stage,
} from './sample-documents.ts'
import type { KillPoint } from './kill-point.ts'
import { openProcess } from './processes.ts'

type Act = 'stage' | 'confirm' | 'countersign' | 'finish'

/** R53: every place between the bytes that come in and the answer that goes out where something has just been kept. */
export const killPoints: readonly (KillPoint & { act: Act })[] = [
  { act: 'stage', when: 'before', what: 'insert into document_files' },
  { act: 'stage', when: 'after', what: 'insert into document_files' },
  { act: 'stage', when: 'after', what: 'insert into document_keys' },
  { act: 'stage', when: 'before', what: 'append' },
  { act: 'stage', when: 'after', what: 'append' },
  { act: 'stage', when: 'before', what: 'sync' },
  { act: 'stage', when: 'before', what: 'rename' },
  { act: 'stage', when: 'after', what: 'rename' },
  { act: 'stage', when: 'after', what: 'update document_files set bytes' },
  { act: 'stage', when: 'before', what: 'update document_files set verdict' },
  { act: 'stage', when: 'after', what: 'update document_files set verdict' },
  { act: 'stage', when: 'before', what: 'commit' },
  { act: 'stage', when: 'after', what: 'commit' },
  { act: 'confirm', when: 'after', what: 'insert into idempotency' },
  { act: 'confirm', when: 'after', what: 'update document_cases set status' },
  { act: 'confirm', when: 'after', what: 'update document_cases set upload_file' },
  { act: 'confirm', when: 'before', what: 'commit' },
  { act: 'confirm', when: 'after', what: 'commit' },
  { act: 'countersign', when: 'after', what: 'rename' },
  { act: 'countersign', when: 'after', what: 'update document_cases set status' },
  { act: 'countersign', when: 'before', what: 'commit' },
  { act: 'countersign', when: 'after', what: 'commit' },
  { act: 'finish', when: 'before', what: 'commit' },
  { act: 'finish', when: 'after', what: 'commit' },
]

export const nameOfPoint = ({ act, when, what }: (typeof killPoints)[number]) => `${act}: ${when} ${what}`

/** A customer whose cases are worked on by processes that are killed; `folder` is where the portal keeps its documents. */
export async function openKilling(portal: TestPortal, folder: string) {
  await believeTestAuthorities(portal)
  const person = await addCustomer(portal)
  // The second node is whichever process is to be killed next.
  const both = { ...portal, nodes: [portal.nodes[0]!, portal.nodes[0]!] }
  const browser = await letIn(both, person)
  const struck = openBrowser(both, { node: 1 })
  struck.cookie = browser.cookie
  const provider = openBrowser(both)
  const count = async (text: string, ...values: unknown[]) =>
    (await portal.owner.query<{ count: number }>(text, values)).rows[0]!.count
  const recorded = (act: string, id: string) =>
    count(`select count(*)::int as count from audit where act = $1 and details->>'documentCase' = $2`, act, id)

  /** One process killed at one point, the same act repeated on another node, and what is wrong afterwards. */
  async function kill(point: (typeof killPoints)[number]): Promise<string[]> {
    const process = await openProcess(portal, { documents: folder, kill: point })
    both.nodes[1] = { ...portal.nodes[0]!, origin: process.origin }
    await portal.owner.query(`delete from budgets where name = 'document-uploads'`)
    const { documentCase: id, providerDocumentCase: name } = await giveDocument(portal, person.id)
    const { file } = await downloadFile(browser, id)
    await portal.deliver()
    const signed = await signAs(file, accessCode(portal, person.email), 'locked')
    const idempotencyKey = crypto.randomUUID()
    let version = 2
    const confirm = (node: number) =>
      browser.call(confirmUpload, { params: { id }, body: { sha256: sha256(signed), version }, idempotencyKey }, node)
    const acts: Record<Act, (node: number) => Promise<{ status: number; body: unknown }>> = {
      async stage(node) {
        const staged = await stage(node ? struck : browser, id, signed)
        ;({ version } = staged.body)
        return staged
      },
      confirm,
      countersign: (node) => putSigned(both, name, continued(signed), node),
      finish: (node) => provider.call(finishDocumentCase, { params: { case: name } }, node),
    }
    const order = Object.keys(acts) as Act[]
    for (const act of order.slice(0, order.indexOf(point.act))) await acts[act](0)

    const wrong: string[] = []
    const demand = (isGood: boolean, what: string) => void (isGood || wrong.push(`${nameOfPoint(point)}: ${what}`))
    const answered = await acts[point.act](1).then(
      ({ status }) => status,
      () => 'nothing',
    )
    demand(answered === 'nothing', `the process was not killed, and answered ${answered}`)
    await process.kill()

    const { rows } = await portal.owner.query<{ status: string; upload: string | null }>(
      'select status, upload_file as upload from document_cases where id = $1',
      [id],
    )
    const { status, upload } = rows[0]!
    demand((status === 'subscriber-downloaded') === (upload === null), `${status} with the upload ${upload}`)
    demand((await recorded('document-upload-confirmed', id)) === (upload ? 1 : 0), `${status}, but recorded otherwise`)
    // The customer's and the provider's programs try again, and go on.
    for (const act of order.slice(order.indexOf(point.act))) {
      const again = await acts[act](0)
      demand(again.status === 200, `${act} again: ${again.status} ${JSON.stringify(again.body)}`)
    }
    const fetched = await provider.raw('GET', downloadUpload.path.replace(':case', name), undefined, {
      authorization: `Bearer ${portal.clientKey}`,
    })
    demand(sha256(new Uint8Array(await fetched.arrayBuffer())) === sha256(signed), 'another file was kept')
    const { body } = await provider.call(getDocumentCase, { params: { case: name } })
    demand(body.status === 'finished' && body.version === 5, `ends as ${body.status} after ${body.version} moves`)
    for (const act of ['document-upload-confirmed', 'document-countersigned', 'document-finished'])
      demand((await recorded(act, id)) === 1, `${await recorded(act, id)} records of ${act}`)
    await portal.deliver()
    const told = portal.mails.filter(({ subject }) => subject.includes('mamy podpisany dokument')).length
    demand(told === 1, `${told} mails of the upload`)
    portal.mails.length = 0
    return wrong
  }

  /** Within the hour nothing is left of what was not confirmed: no file, no key, no row, no half of a file. */
  async function leftAfterAnHour(): Promise<string[]> {
    const incoming = join(folder, '.incoming')
    const longAgo = new Date(Date.now() - 3_000_000)
    for (const part of readdirSync(incoming)) utimesSync(join(incoming, part), longAgo, longAgo)
    await portal.clock.advance(3000)
    const { documents } = portal.portal.ports
    while (await removeOrphans(portal.db, documents));
    await documents.removeUnfinished()
    const { rows } = await portal.owner.query<{ id: string; named: boolean; key: boolean }>(`
      select f.id, f.id in (c.document_file, c.upload_file, c.signed_file) is true as named,
        exists (select from document_keys where document = 'documents/' || f.id) as key
      from document_files f join document_cases c on c.id = f.case_id`)
    const onDisk = new Set(readdirSync(join(folder, 'documents')))
    const keys = await count(`select count(*)::int as count from document_keys where document like 'documents/%'`)
    return [
      ...rows.filter(({ named }) => !named).map(({ id }) => `the row ${id} is nobody’s`),
      ...rows.filter(({ id, key }) => !key || !onDisk.has(id)).map(({ id }) => `the row ${id} has no file`),
      ...(onDisk.size === rows.length && keys === rows.length ? [] : [`${onDisk.size} files, ${keys} keys`]),
      ...readdirSync(incoming).map((part) => `half a file: ${part}`),
    ]
  }

  return { kill, leftAfterAnHour }
}
