import type { Text } from '../../contract/enums.ts'
import type { ServiceRequirement } from '../../contract/service-authorisation.ts'

type Means = { requirement: ServiceRequirement | null; asksElsewhere: boolean }

/**
 * Returns a text about what the signing service requires after the portal's code, so that the customer has the PIN or the device at hand
 * (SGN-10).
 */
export function afterCodeText({ requirement, asksElsewhere }: Means): Text | undefined {
  if (asksElsewhere) return elsewhere
  if (!requirement) return undefined
  const { kind, otp, pin } = requirement
  if (kind === 'redirect') return onPage
  if (otp === 'none') return pinOnly
  return pin ? pinAndCode : codeOnly
}

const elsewhere = {
  pl: 'Po kodzie SMS potwierdzisz podpis w\u00a0aplikacji usługi podpisu albo na urządzeniu do podpisywania.',
  en: 'After the text-message code, you’ll confirm the signature in the signing service’s app or on its device.',
}
const onPage = {
  pl: 'Po kodzie SMS potwierdzisz podpis na stronie usługi podpisu.',
  en: 'After the text-message code, you’ll confirm the signature on the signing service’s page.',
}
const pinOnly = {
  pl: 'Po kodzie SMS podasz PIN do usługi podpisu.',
  en: 'After the text-message code, you’ll enter your signing PIN.',
}
const pinAndCode = {
  pl: 'Po kodzie SMS podasz PIN i\u00a0kod usługi podpisu.',
  en: 'After the text-message code, you’ll enter your signing PIN and a code from the signing service.',
}
const codeOnly = {
  pl: 'Po kodzie SMS podasz kod od usługi podpisu.',
  en: 'After the text-message code, you’ll enter a code from the signing service.',
}
