import { random } from './random-draws.ts'
import type { KillPoint } from './kill-point.ts'
import { openProcess, type TestProcess } from './processes.ts'
import type { Act } from './renewal-model.ts'
import { newCustomer, startWalk, struckNode, type Customer } from './renewal-walk.ts'
import type { RenewalHouse } from './sample-renewals.ts'
import { openSigning } from './signing.ts'

type Point = KillPoint & { act: Act['name'] }

/** Every place of a renewal where something has just been kept, or is about to be (REN-10). */
export const renewalKillPoints: readonly Point[] = [
  { act: 'open', when: 'after', what: 'insert into renewals' },
  { act: 'open', when: 'before', what: 'commit' },
  { act: 'open', when: 'after', what: 'commit' },
  { act: 'save', when: 'after', what: 'update renewals' },
  { act: 'fix', when: 'after', what: 'update renewals' },
  { act: 'fix', when: 'after', what: 'update voucher_codes' },
  { act: 'fix', when: 'after', what: 'commit' },
  { act: 'judge', when: 'after', what: 'commit' },
  { act: 'confirm', when: 'after', what: 'update renewals' },
  { act: 'confirm', when: 'after', what: 'commit' },
  { act: 'agree', when: 'after', what: 'insert into document_keys' },
  { act: 'agree', when: 'after', what: 'rename' },
  { act: 'agree', when: 'after', what: 'update renewals' },
  { act: 'agree', when: 'after', what: 'commit' },
  { act: 'return', when: 'after', what: 'commit' },
  { act: 'return', when: 'before', what: 'remove' },
  { act: 'decline', when: 'before', what: 'commit' },
  { act: 'decline', when: 'after', what: 'commit' },
  { act: 'start', when: 'after', what: 'insert into codes' },
  { act: 'start', when: 'after', what: 'commit' },
  { act: 'sign', when: 'after', what: 'update codes set entries' },
  { act: 'sign', when: 'after', what: 'update renewals' },
  { act: 'sign', when: 'after', what: 'with added' },
  { act: 'sign', when: 'before', what: 'commit' },
  { act: 'sign', when: 'after', what: 'commit' },
  { act: 'deliver', when: 'after', what: 'update outbox set leased_until' },
  { act: 'deliver', when: 'after', what: 'insert into document_keys' },
  { act: 'deliver', when: 'before', what: 'rename' },
  { act: 'deliver', when: 'after', what: 'rename' },
  { act: 'deliver', when: 'after', what: 'update renewals' },
  { act: 'deliver', when: 'before', what: 'commit' },
  { act: 'deliver', when: 'after', what: 'commit' },
  { act: 'deliver', when: 'before', what: `update outbox set outcome = 'sent'` },
  { act: 'deliver', when: 'after', what: `update outbox set outcome = 'sent'` },
  { act: 'issue', when: 'after', what: 'update renewals' },
  { act: 'issue', when: 'before', what: 'commit' },
  { act: 'issue', when: 'after', what: 'commit' },
]

/**
 * Walks at random until an act is due at whose point a process is killed, and on to the end with the nodes that live: the
 * model is never left, and what was signed is signed once. `documents`: the folder that the house keeps them in.
 */
export async function openRenewalKilling(house: RenewalHouse, documents: string, seed: number) {
  const { portal, provider, keys } = house
  const draw = random(seed)
  const signing = await openSigning(provider.authority, keys)
  let customer: Customer | undefined
  let steps = 0

  async function customerNow(): Promise<Customer> {
    if (!customer || customer.renewals >= 20) customer = await newCustomer(house, draw)
    return customer
  }

  /** A walk that has come to where the act is due. */
  async function walkTo(act: Act['name'], process: TestProcess) {
    if (act === 'open') return startWalk(house, await customerNow(), draw, process)
    for (;;) {
      const walk = await startWalk(house, await customerNow(), draw)
      for (let here = 0; here < 60; here += 1) {
        if (walk.isReady(act) && draw(2)) {
          await walk.strike(act, process)
          return walk
        }
        steps += (await walk.step()).steps
      }
      await walk.end()
    }
  }

  return {
    /** Throws at the first difference; tells how the renewal ended. */
    async kill(point: Point): Promise<string> {
      const { service, tsa } = signing
      const process = await openProcess(portal, { documents, signing: { service, tsa }, kill: point })
      portal.nodes[struckNode] = { ...portal.nodes[0]!, origin: process.origin }
      try {
        const walk = await walkTo(point.act, process)
        for (let here = 0; here < 40 && !walk.isOver(); here += 1) steps += (await walk.step()).steps
        return await walk.end()
      } catch (error) {
        throw new Error(`${point.act}: ${point.when} ${point.what}`, { cause: error })
      } finally {
        portal.nodes.length = struckNode
        await process.kill()
      }
    },
    steps: () => steps,
    close: () => signing.close(),
  }
}
