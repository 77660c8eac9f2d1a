import type { Text } from '../../contract/enums.ts'
import type { StatusChange } from '../../contract/signatures-and-seals.ts'
import { useText } from '../locale.tsx'
import { SupportLine } from '../support-line.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import type { Reason } from './certificate-looks.ts'
import { offeredChanges } from './status-button.tsx'

type Props = {
  reason: Reason
  validFrom: string
  hasApp: boolean
  /** In the grammatical gender of the product. */
  advice: Record<Exclude<Reason, 'not-yet-valid'>, Text>
  /** What can be requested of its status. */
  changes: readonly StatusChange[]
}

/** What to do about a certificate that is not active; its badge says why. */
export function InactiveLine({ reason, validFrom, hasApp, advice, changes }: Props) {
  const t = useText()
  if (reason === 'not-yet-valid')
    return (
      <p className="cert__why">
        {t({ pl: 'Zacznie działać ', en: 'It becomes valid on ' })}
        <DateTimeText at={validFrom} />.
        {hasApp && t({ pl: ' Wtedy połączysz też aplikację.', en: ' You can connect it to the app then, too.' })}
      </p>
    )
  return (
    <p className="cert__why">
      {t(advice[reason])}
      {reason === 'suspended' && !offeredChanges(changes).includes('resume') && (
        <>
          {t({ pl: ' Aby cofnąć zawieszenie, zadzwoń do nas: ', en: ' To end the suspension, call us: ' })}
          <SupportLine />.
        </>
      )}
    </p>
  )
}
