import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { confirmUpload } from '../../../contract/documents.ts'
import { downloadUpload, finishDocumentCase, getDocumentCase } from '../../../contract/provider/provider-documents.ts'
import { removeOrphans } from '../../documents/document-files.ts'
import { openBrowser } from '../browser.ts'
import { countRows } from '../database-state.ts'
import type { TestPortal } from '../portal-nodes.ts'
import { openProcess } from '../processes.ts'
import { addCustomer, signInDirectly } from '../samples/ready-customers.ts'
import {
  continued,
  downloadAndSign,
  giveDocument,
  putSigned,
  sha256,
  stage,
  trustTestAuthorities,
} from '../samples/sample-documents.ts'
import type { KillPoint } from './kill-point.ts'

type Action = 'stage' | 'confirm' | 'countersign' | 'finish'

/** The points between a request and its answer just before or after something is stored (R53). */
export const killPoints: readonly (KillPoint & { action: Action })[] = [
  { action: 'stage', when: 'before', what: 'insert into document_files' },
  { action: 'stage', when: 'after', what: 'insert into document_files' },
  { action: 'stage', when: 'after', what: 'insert into document_keys' },
  { action: 'stage', when: 'before', what: 'append' },
  { action: 'stage', when: 'after', what: 'append' },
  { action: 'stage', when: 'before', what: 'sync' },
  { action: 'stage', when: 'before', what: 'rename' },
  { action: 'stage', when: 'after', what: 'rename' },
  { action: 'stage', when: 'after', what: 'update document_files set bytes' },
  { action: 'stage', when: 'before', what: 'update document_files set verdict' },
  { action: 'stage', when: 'after', what: 'update document_files set verdict' },
  { action: 'stage', when: 'before', what: 'commit' },
  { action: 'stage', when: 'after', what: 'commit' },
  { action: 'confirm', when: 'after', what: 'insert into idempotency' },
  { action: 'confirm', when: 'after', what: 'update document_cases set status' },
  { action: 'confirm', when: 'after', what: 'update document_cases set upload_file' },
  { action: 'confirm', when: 'before', what: 'commit' },
  { action: 'confirm', when: 'after', what: 'commit' },
  { action: 'countersign', when: 'after', what: 'rename' },
  { action: 'countersign', when: 'after', what: 'update document_cases set status' },
  { action: 'countersign', when: 'before', what: 'commit' },
  { action: 'countersign', when: 'after', what: 'commit' },
  { action: 'finish', when: 'before', what: 'commit' },
  { action: 'finish', when: 'after', what: 'commit' },
]

export const nameOfPoint = ({ action, when, what }: (typeof killPoints)[number]) => `${action}: ${when} ${what}`

/** Prepares a customer whose cases are handled by processes that are killed; `folder` is where the portal stores its documents. */
export async function openKillTest(portal: TestPortal, folder: string) {
  await trustTestAuthorities(portal)
  const person = await addCustomer(portal)
  // The second node is the process to be killed next.
  const both = { ...portal, nodes: [portal.nodes[0]!, portal.nodes[0]!] }
  const browser = await signInDirectly(both, person)
  const killed = openBrowser(both, { node: 1 })
  killed.cookie = browser.cookie
  const provider = openBrowser(both)
  const auditEntries = (name: string, id: string) =>
    countRows(portal, `audit where act = $1 and details->>'documentCase' = $2`, name, id)

  /** Kills a process at a point, repeats the action on another node, and returns the errors found afterwards. */
  async function kill(point: (typeof killPoints)[number]): Promise<string[]> {
    const process = await openProcess(portal, { documents: folder, kill: point })
    both.nodes[1] = { ...portal.nodes[0]!, origin: process.origin }
    await portal.owner.query(`delete from rate_limits where name = 'document-uploads'`)
    const { documentCase: id, providerDocumentCase: name } = await giveDocument(portal, person.id)
    const signed = await downloadAndSign(portal, browser, person.email, id)
    const idempotencyKey = crypto.randomUUID()
    let version = 2
    const confirm = (node: number) =>
      browser.call(confirmUpload, { params: { id }, body: { sha256: sha256(signed), version }, idempotencyKey }, node)
    const actions: Record<Action, (node: number) => Promise<{ status: number; body: unknown }>> = {
      async stage(node) {
        const staged = await stage(node ? killed : browser, id, signed)
        ;({ version } = staged.body)
        return staged
      },
      confirm,
      countersign: (node) => putSigned(both, name, continued(signed), node),
      finish: (node) => provider.call(finishDocumentCase, { params: { case: name } }, node),
    }
    const order = Object.keys(actions) as Action[]
    for (const action of order.slice(0, order.indexOf(point.action))) await actions[action](0)

    const errors: string[] = []
    const check = (isRight: boolean, error: string) => void (isRight || errors.push(`${nameOfPoint(point)}: ${error}`))
    const answered = await actions[point.action](1).then(
      ({ status }) => status,
      () => 'nothing',
    )
    check(answered === 'nothing', `the process was not killed, and answered ${answered}`)
    await process.kill()

    const { rows } = await portal.owner.query<{ status: string; upload: string | null }>(
      'select status, upload_file as upload from document_cases where id = $1',
      [id],
    )
    const { status, upload } = rows[0]!
    check((status === 'subscriber-downloaded') === (upload === null), `${status} with the upload ${upload}`)
    check(
      (await auditEntries('document-upload-confirmed', id)) === (upload ? 1 : 0),
      `${status}, but the audit trail differs`,
    )
    // The programs of the customer and of the provider retry and continue.
    for (const action of order.slice(order.indexOf(point.action))) {
      const again = await actions[action](0)
      check(again.status === 200, `${action} again: ${again.status} ${JSON.stringify(again.body)}`)
    }
    const fetched = await provider.raw('GET', downloadUpload.path.replace(':case', name), undefined, {
      authorization: `Bearer ${portal.clientKey}`,
    })
    check(sha256(new Uint8Array(await fetched.arrayBuffer())) === sha256(signed), 'another file was kept')
    const { body } = await provider.call(getDocumentCase, { params: { case: name } })
    check(body.status === 'finished' && body.version === 5, `ends as ${body.status} after ${body.version} moves`)
    for (const entry of ['document-upload-confirmed', 'document-countersigned', 'document-finished'])
      check((await auditEntries(entry, id)) === 1, `${await auditEntries(entry, id)} audit entries ${entry}`)
    await portal.deliver()
    const mails = portal.mails.filter(({ subject }) => subject.includes('mamy podpisany dokument')).length
    check(mails === 1, `${mails} mails of the upload`)
    portal.mails.length = 0
    return errors
  }

  return { kill, findOrphansAfterAnHour: () => findOrphansAfterAnHour(portal, folder) }
}

/**
 * Advances the clock and returns what remains of unconfirmed uploads: within an hour, the file, key and row of each and any partial file
 * must be removed.
 */
async function findOrphansAfterAnHour(portal: TestPortal, folder: string): Promise<string[]> {
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
  const keys = await countRows(portal, `document_keys where document like 'documents/%'`)
  return [
    ...rows.filter(({ named }) => !named).map(({ id }) => `the row ${id} belongs to no case`),
    ...rows.filter(({ id, key }) => !key || !onDisk.has(id)).map(({ id }) => `the row ${id} has no file`),
    ...(onDisk.size === rows.length && keys === rows.length ? [] : [`${onDisk.size} files, ${keys} keys`]),
    ...readdirSync(incoming).map((part) => `half a file: ${part}`),
  ]
}
