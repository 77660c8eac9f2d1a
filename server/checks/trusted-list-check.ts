import { limits } from '../../contract/limits.ts'
import { readTrustedList } from '../../pki/trusted-lists/trusted-list.ts'
import { TrustedListError } from '../../pki/trusted-lists/xml.ts'
import { serviceFault } from '../adapters/service-fault.ts'
import type { TrustedListsPort } from '../platform/ports.ts'
import { listProblem } from '../platform/operations/trusted-list-problem.ts'
import { failed, ok, warning, type Finding } from './check.ts'

/** Fetches the list of lists and verifies its signature; the lists of the countries are the job's, since some are large. */
export async function checkTrustedLists({ url, certificates, countries, fetch }: TrustedListsPort): Promise<Finding> {
  const answer = await fetch(url)
  if ('fault' in answer) return failed(serviceFault('the list of lists', answer.fault, 'TRUSTED_LISTS_URL'))
  const expected = { type: 'listOfLists', territory: 'EU', certificates, maxBytes: limits.trustedLists.bytes } as const
  try {
    const { pointers, sequenceNumber } = readTrustedList(answer.bytes, { ...expected, now: new Date() })
    const missing = countries.filter((country) => !pointers.some(({ territory }) => territory === country))
    return missing.length
      ? warning(`The list of lists names no list of ${missing.join(', ')}: check TRUSTED_LISTS_COUNTRIES.`)
      : ok(`The list of lists has the number ${sequenceNumber} and names ${pointers.length} countries.`)
  } catch (error) {
    if (!(error instanceof TrustedListError)) throw error
    return failed(listProblem('EU', error.code, error.message))
  }
}
