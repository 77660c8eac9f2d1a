import type { Person, TestBrowser } from '../browser.ts'
import type { TestPortal } from '../portal-nodes.ts'
import type { TestProvider } from '../provider.ts'
import { addCustomer, signInDirectly } from './ready-customers.ts'
import { insertStepUp } from './sample-seals.ts'

const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
export const inDays = (days: number) => new Date(today + days * dayMs)

export type Owner = { person: Person; browser: TestBrowser }

/** A signed-in customer for signatures of their own. */
export async function makeOwner(portal: TestPortal): Promise<Owner> {
  const person = await addCustomer(portal)
  return { person, browser: await signInDirectly(portal, person) }
}

/** A customer with a signature that has no app yet, who has confirmed that one is to be paired. */
export async function makeOwnerToPair(portal: TestPortal, provider: TestProvider) {
  const { person, browser } = await makeOwner(portal)
  const { id, providerId: signature } = await provider.give(person)
  await insertStepUp(portal, person, 'pair-app', id)
  return { person, browser, id, signature }
}
