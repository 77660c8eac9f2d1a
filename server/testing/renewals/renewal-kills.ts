import { random } from '../random-draws.ts'
import type { KillPoint } from '../faults/kill-point.ts'
import { openProcess, type TestProcess } from '../processes.ts'
import type { Action } from './renewal-model.ts'
import { newCustomer, startWalk, killedNode, type Customer } from './renewal-walk.ts'
import type { RenewalPortal } from '../samples/sample-renewals.ts'
import { openSigning } from '../signing.ts'

type Point = KillPoint & { action: Action['name'] }

/** Every point of a renewal just before or after something is stored (REN-10). */
export const renewalKillPoints: readonly Point[] = [
  { action: 'open', when: 'after', what: 'insert into renewals' },
  { action: 'open', when: 'before', what: 'commit' },
  { action: 'open', when: 'after', what: 'commit' },
  { action: 'save', when: 'after', what: 'update renewals' },
  { action: 'fix', when: 'after', what: 'update renewals' },
  { action: 'fix', when: 'after', what: 'update voucher_codes' },
  { action: 'fix', when: 'after', what: 'commit' },
  { action: 'judge', when: 'after', what: 'commit' },
  { action: 'confirm', when: 'after', what: 'update renewals' },
  { action: 'confirm', when: 'after', what: 'commit' },
  { action: 'agree', when: 'after', what: 'insert into document_keys' },
  { action: 'agree', when: 'after', what: 'rename' },
  { action: 'agree', when: 'after', what: 'update renewals' },
  { action: 'agree', when: 'after', what: 'commit' },
  { action: 'return', when: 'after', what: 'commit' },
  { action: 'return', when: 'before', what: 'remove' },
  { action: 'decline', when: 'before', what: 'commit' },
  { action: 'decline', when: 'after', what: 'commit' },
  { action: 'start', when: 'after', what: 'insert into codes' },
  { action: 'start', when: 'after', what: 'commit' },
  { action: 'sign', when: 'after', what: 'update codes set entries' },
  { action: 'sign', when: 'after', what: 'update renewals' },
  { action: 'sign', when: 'after', what: 'insert into outbox' },
  { action: 'sign', when: 'before', what: 'commit' },
  { action: 'sign', when: 'after', what: 'commit' },
  { action: 'deliver', when: 'after', what: 'update outbox set leased_until' },
  { action: 'deliver', when: 'after', what: 'insert into document_keys' },
  { action: 'deliver', when: 'before', what: 'rename' },
  { action: 'deliver', when: 'after', what: 'rename' },
  { action: 'deliver', when: 'after', what: 'update renewals' },
  { action: 'deliver', when: 'before', what: 'commit' },
  { action: 'deliver', when: 'after', what: 'commit' },
  { action: 'deliver', when: 'before', what: `update outbox set outcome = 'sent'` },
  { action: 'deliver', when: 'after', what: `update outbox set outcome = 'sent'` },
  { action: 'issue', when: 'after', what: 'update renewals' },
  { action: 'issue', when: 'before', what: 'commit' },
  { action: 'issue', when: 'after', what: 'commit' },
]

/**
 * Walks at random to an action during which a process is killed, and then to the end with the other nodes. The server must always
 * match the model, and an agreement is signed only once. `documents`: the folder of the documents.
 */
export async function openRenewalKillTest(renewalPortal: RenewalPortal, documents: string, seed: number) {
  const { portal, provider, keys } = renewalPortal
  const draw = random(seed)
  const signing = await openSigning(provider.authority, keys)
  let customer: Customer | undefined
  let steps = 0

  async function customerNow(): Promise<Customer> {
    if (!customer || customer.renewals >= 20) customer = await newCustomer(renewalPortal, draw)
    return customer
  }

  /** Walks until a process is killed during the action. */
  async function walkTo(action: Action['name'], process: TestProcess) {
    if (action === 'open') return startWalk(renewalPortal, await customerNow(), draw, process)
    for (;;) {
      const walk = await startWalk(renewalPortal, await customerNow(), draw)
      for (let i = 0; i < 60; i += 1) {
        if (walk.isReady(action) && draw(2)) {
          await walk.performKilled(action, process)
          return walk
        }
        steps += (await walk.step()).steps
      }
      await walk.end()
    }
  }

  return {
    /** Throws at the first difference; returns how the renewal ended. */
    async kill(point: Point): Promise<string> {
      const { service, tsa } = signing
      const process = await openProcess(portal, { documents, signing: { service, tsa }, kill: point })
      portal.nodes[killedNode] = { ...portal.nodes[0]!, origin: process.origin }
      try {
        const walk = await walkTo(point.action, process)
        for (let i = 0; i < 40 && !walk.isOver(); i += 1) steps += (await walk.step()).steps
        return await walk.end()
      } catch (error) {
        throw new Error(`${point.action}: ${point.when} ${point.what}`, { cause: error })
      } finally {
        portal.nodes.length = killedNode
        await process.kill()
      }
    },
    steps: () => steps,
    close: () => signing.close(),
  }
}
