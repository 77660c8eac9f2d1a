import type { Renewal } from '../../contract/renewal.ts'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void }

export function IssuanceStep({ renewal }: Props) {
  return <h1>{renewal.state}</h1>
}
