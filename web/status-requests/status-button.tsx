import { useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import {
  statusAfter,
  type OpenStatusRequest,
  type StatusChange,
  isBeingStopped,
} from '../../contract/signatures-and-seals.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { SupportLine } from '../app/support-line.tsx'
import { Icon } from '../art/icons.tsx'
import type { Reason } from '../certificates/certificate-looks.ts'
import { DateTimeText } from '../text/date-text.tsx'
import type { StatusDialogProps } from './status-dialog.tsx'

const StatusDialog = partOnDemand(() => import('./status-dialog.tsx').then((file) => file.StatusDialog))

/** Returns what can be requested of a certificate’s status here: nothing while such requests are off. */
export const offeredChanges = (changes: readonly StatusChange[]): readonly StatusChange[] =>
  isOff('/api/certificates') ? [] : changes

type Props = Omit<StatusDialogProps, 'title' | 'onClose' | 'certificate'> & {
  certificate: { id: string; changes: readonly StatusChange[] }
  nameSuffix: ReactNode
}

/** Opens what its owner, or an Administrator of the seal, can request of the status of a certificate (STP-1). */
export function StatusButton({ nameSuffix, certificate, ...dialog }: Props) {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  const { id } = certificate
  const changes = offeredChanges(certificate.changes)
  if (!isOpen && !changes.length) return null
  const title = t(titleOf(changes))
  return (
    <>
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Icon name="minus-circle" />
        <span>
          {title}
          <span className="unseen">{nameSuffix}</span>
        </span>
      </button>
      {isOpen && (
        <StatusDialog {...dialog} certificate={{ id, changes }} title={title} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}

function titleOf(changes: readonly StatusChange[]): Text {
  if (changes.includes('suspend')) return { pl: 'Zawieś lub unieważnij', en: 'Suspend or revoke' }
  if (changes.includes('resume')) return { pl: 'Cofnij zawieszenie lub unieważnij', en: 'End the suspension or revoke' }
  return { pl: 'Unieważnij', en: 'Revoke' }
}

/** Shows that another status was requested, and by when the certificate has it. */
export function StatusRequestLine({ request }: { request: OpenStatusRequest | null }) {
  const t = useText()
  if (!request) return null
  return (
    <p className="certificate__why">
      {t(requested[statusAfter[request.change]])} <DateTimeText at={request.deadline} />.
      {isBeingStopped({ request }) && t(unusable())}
    </p>
  )
}

/** Says what the certificate is not used for meanwhile (STP-8), of what the portal offers (ERR-5). */
function unusable(): Text {
  const renews = !isOff('renewal')
  if (!isOff('signing') && !(isOff('documents') && isOff('file-signing')))
    return {
      pl: ` Już teraz nie podpiszesz tym certyfikatem w\u00a0portalu${renews ? ', nie odnowisz go ani nie połączysz' : ' ani nie połączysz go'} z\u00a0aplikacją.`,
      en: ` From now on, you can’t sign with this certificate here${renews ? ', renew it' : ''} or connect it to the app.`,
    }
  return {
    pl: ` Już teraz nie ${renews ? 'odnowisz tego certyfikatu ani nie połączysz go' : 'połączysz tego certyfikatu'} z\u00a0aplikacją.`,
    en: ` From now on, you can’t ${renews ? 'renew this certificate or connect it' : 'connect this certificate'} to the app.`,
  }
}

const requested: Record<'suspended' | 'good' | 'revoked', Text> = {
  suspended: { pl: 'Zlecono zawieszenie. Nastąpi najpóźniej', en: 'Suspension requested. It takes effect by' },
  good: {
    pl: 'Zlecono cofnięcie zawieszenia. Nastąpi najpóźniej',
    en: 'End of the suspension requested. It takes effect by',
  },
  revoked: { pl: 'Zlecono unieważnienie. Nastąpi najpóźniej', en: 'Revocation requested. It takes effect by' },
}

type InactiveLineProps = {
  reason: Reason
  validFrom: string
  hasApp: boolean
  /** Advice for each reason, in the grammatical gender of the product. */
  advice: Record<Exclude<Reason, 'not-yet-valid'>, Text>
  /** Changes of status that can be requested. */
  changes: readonly StatusChange[]
}

/** Shows what to do about a certificate that is not active; its badge says why. */
export function InactiveLine({ reason, validFrom, hasApp, advice, changes }: InactiveLineProps) {
  const t = useText()
  if (reason === 'not-yet-valid')
    return (
      <p className="certificate__why">
        {t({ pl: 'Zacznie działać ', en: 'It becomes valid on ' })}
        <DateTimeText at={validFrom} />.
        {hasApp && t({ pl: ' Wtedy połączysz też aplikację.', en: ' You can connect it to the app then, too.' })}
      </p>
    )
  return (
    <p className="certificate__why">
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
