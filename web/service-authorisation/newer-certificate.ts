import type { Text } from '../../contract/enums.ts'

type Owned = { id: string; kind?: 'signature' | 'seal'; name: string; organisation: string | null }

/** Checks whether a list, with the newest certificates first, has a newer one of the same owner, as after a renewal (SGN-23). */
export function hasNewer(certificates: readonly Owned[], certificate: Owned): boolean {
  const ownerOf = ({ kind, name, organisation }: Owned) => JSON.stringify([kind, name, organisation])
  return certificates.find((each) => ownerOf(each) === ownerOf(certificate))?.id !== certificate.id
}

export const newerText: Text = { pl: 'Masz nowszy certyfikat.', en: 'You have a newer certificate.' }
