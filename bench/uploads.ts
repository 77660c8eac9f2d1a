import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listDocuments } from '../contract/documents.ts'
import { contract, fileOf } from '../pki/testing/pades-authorities.ts'
import { documentsOnDisk } from '../server/ports/documents-disk.ts'
import { openTestPortal, type TestPortal } from '../server/testing/portal-nodes.ts'
import { makeCustomer, signInAs } from '../server/testing/browser.ts'
import {
  accessCode,
  believeTestAuthorities,
  downloadFile,
  giveDocument,
  signAs,
  stage,
} from '../server/testing/sample-documents.ts'
import { openProcess, reachedThrough } from '../server/testing/processes.ts'
import type { Figure } from './figures.ts'
import { noise } from './signed-files.ts'
import { withTestPostgres } from './testing/postgres.ts'

const atOnce = 20
const rounds = 5
const reads = 2000

/**
 * R42, of a node's process while twenty customers' files of ten megabytes are uploaded, checked and answered for: how far it
 * grows at its peak over what it held before, in the worst round; and how much more than before the first it holds after the
 * last, which is what does not come back. The node has been read from before, as any node at work: V8 doubles the space for new
 * objects under its first load, whatever that is.
 */
export const measureUploads = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-uploads-'))
    const portal = await openTestPortal({ postgres, ports: { documents: documentsOnDisk(folder) } })
    try {
      await believeTestAuthorities(portal)
      return await measure(portal, folder)
    } finally {
      await portal.close()
      rmSync(folder, { recursive: true })
    }
  })

async function measure(portal: TestPortal, folder: string): Promise<Figure[]> {
  const image = noise(9_700_000)
  const pdf = fileOf([...contract, [`<</Type/XObject/Subtype/Image/Width 1/Height 1/Length ${image.length}>>`, image]])
  const person = await makeCustomer(portal)
  const node = await openProcess(portal, { documents: folder })
  const browser = await signInAs(reachedThrough(portal, [node]), person)
  const { documentCase: id } = await giveDocument(portal, person.id, { pdf })
  const { file } = await downloadFile(browser, id)
  await portal.deliver()
  const signed = await signAs(file, accessCode(portal, person.email), 'locked')
  for (let i = 0; i < reads / atOnce; i++)
    await Promise.all(Array.from({ length: atOnce }, () => browser.call(listDocuments)))
  const growths: number[] = []
  const atFirst = resident(node.pid, 'VmRSS')
  for (let round = 0; round < rounds; round++) {
    await portal.owner.query(`delete from budgets where name = 'document-uploads'`)
    const before = resident(node.pid, 'VmRSS')
    forgetPeak(node.pid)
    const answers = await Promise.all(Array.from({ length: atOnce }, () => stage(browser, id, signed)))
    growths.push(resident(node.pid, 'VmHWM') - before)
    const bad = answers.find(({ body }) => body.report?.verdict !== 'accepted')
    if (bad) throw new Error(`an upload was answered with ${JSON.stringify(bad)}`)
  }
  const left = resident(node.pid, 'VmRSS') - atFirst
  await node.close()
  const megabytes = (signed.length / 1_000_000).toFixed(1)
  return [
    {
      what: `resident size at its peak while ${atOnce} × ${megabytes} MB are uploaded`,
      value: Math.max(...growths),
      unit: 'MB more',
      limit: { at: 'most', value: 50 },
      detail: `in ${rounds} rounds: ${growths.map((one) => one.toFixed(0)).join(' ')}`,
    },
    {
      what: `resident size after ${rounds} such rounds`,
      value: left,
      unit: 'MB more',
      limit: { at: 'most', value: 50 },
    },
  ]
}

/** Linux counts the most that a process has held, to the page, and can be told to begin anew (proc_pid_status(5)). */
function resident(pid: number, what: 'VmRSS' | 'VmHWM') {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(status.split(`${what}:`)[1]!.trim().split(' ')[0]) / 1000
}

const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')
