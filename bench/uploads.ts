import { writeFileSync } from 'node:fs'
import { listDocuments } from '../contract/documents.ts'
import { contract, fileOf } from '../pki/testing/pades-authorities.ts'
import type { TestPortal } from '../server/testing/portal-nodes.ts'
import { openProcess, reachedThrough } from '../server/testing/processes.ts'
import {
  downloadAndSign,
  giveDocument,
  stage,
  trustTestAuthorities,
} from '../server/testing/samples/sample-documents.ts'
import { makeCustomer, signInAs } from '../server/testing/test-customers.ts'
import { atMost, type Figure } from './figures.ts'
import { withTestPortal } from './measured-portal.ts'
import { residentMegabytes } from './measured-process.ts'
import { noise } from './signed-files.ts'

const atOnce = 20
const rounds = 5
const reads = 2000

/**
 * Measures R42: memory of a node's process while twenty files of ten megabytes are uploaded, checked and answered: how far it grows at its
 * peak in the worst round, and how much of it is not released after the last round. The node has served reads before, like every node in
 * use: V8 doubles the space for new objects under any first load.
 */
export const measureUploads = (): Promise<Figure[]> =>
  withTestPortal({}, async (portal) => {
    await trustTestAuthorities(portal)
    return measure(portal)
  })

async function measure(portal: TestPortal): Promise<Figure[]> {
  const image = noise(9_700_000)
  const pdf = fileOf([...contract, [`<</Type/XObject/Subtype/Image/Width 1/Height 1/Length ${image.length}>>`, image]])
  const person = await makeCustomer(portal)
  const node = await openProcess(portal, { documents: portal.documentsFolder })
  const browser = await signInAs(reachedThrough(portal, [node]), person)
  const { documentCase: id } = await giveDocument(portal, person.id, { pdf })
  const signed = await downloadAndSign(portal, browser, person.email, id)
  for (let i = 0; i < reads / atOnce; i++)
    await Promise.all(Array.from({ length: atOnce }, () => browser.call(listDocuments)))
  const growths: number[] = []
  const atFirst = residentMegabytes(node.pid)
  for (let round = 0; round < rounds; round++) {
    await portal.owner.query(`delete from rate_limits where name = 'document-uploads'`)
    const before = residentMegabytes(node.pid)
    resetPeak(node.pid)
    const answers = await Promise.all(Array.from({ length: atOnce }, () => stage(browser, id, signed)))
    growths.push(residentMegabytes(node.pid, 'VmHWM') - before)
    const bad = answers.find(({ body }) => body.report?.verdict !== 'accepted')
    if (bad) throw new Error(`an upload was answered with ${JSON.stringify(bad)}`)
  }
  const left = residentMegabytes(node.pid) - atFirst
  await node.close()
  const megabytes = (signed.length / 1_000_000).toFixed(1)
  return [
    {
      what: `resident size at its peak while ${atOnce} × ${megabytes} MB are uploaded`,
      value: Math.max(...growths),
      unit: 'MB more',
      limit: atMost(50),
      detail: `in ${rounds} rounds: ${growths.map((growth) => growth.toFixed(0)).join(' ')}`,
    },
    { what: `resident size after ${rounds} such rounds`, value: left, unit: 'MB more', limit: atMost(50) },
  ]
}

/** Resets the peak memory of a process; Linux counts it to the page (proc_pid_status(5)). */
const resetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')
