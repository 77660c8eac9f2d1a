import { useId, useState } from 'react'
import type { CodeSent } from '../../contract/one-time-code.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { finishSealActivation, resendSealActivation, startSealActivation } from '../../contract/seal-users.ts'
import { listSeals, summariseSeals, type SealInvitation } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { Medallion } from '../art/medallion.tsx'
import { call, hasFailedWith, onFailure } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { CodeDialog } from '../step-up/code-dialog.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import { toast } from '../toast/toast.tsx'
import { useAction } from '../ui/action.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { FailureLine } from '../ui/failure.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { sealRoleText } from './seal-name.tsx'

type Props = { invitation: SealInvitation; isForemost: boolean; onActivated: (seal: string) => void }

/** Shows access that the customer has yet to activate; the button sends the code to the invited number (SEA-4). */
export function SealInvitationCard({ isForemost, ...props }: Props) {
  const t = useText()
  const heading = useId()
  const { organisation, role, phone, expiresAt } = props.invitation
  const { sent, run, isBusy, failureText, enter, resend, cancel } = useActivation(props)
  return (
    <section className="card seal-invitation" aria-labelledby={heading}>
      <Medallion family="seal" size={64} />
      <div>
        <p>
          <Badge kind="warning" icon="hourglass">
            {t({ pl: 'Oczekuje na aktywację', en: 'Awaiting activation' })}
          </Badge>
        </p>
        <h3 id={heading}>
          <Verbatim>{organisation}</Verbatim> {t({ pl: 'udostępnia Ci pieczęć', en: 'is sharing a seal with you' })}
        </h3>
        <p className="soft">
          {t({ pl: 'Rola: ', en: 'Role: ' })}
          {t(sealRoleText[role]).toLowerCase()}.{' '}
          {t({ pl: 'Kod SMS wyślemy na numer ', en: 'We’ll send a text-message code to ' })}
          <MaskedPhone number={phone} />
          {t({ pl: '. Zaproszenie jest ważne do ', en: '. The invitation is valid until ' })}
          <DateTimeText at={expiresAt} />.
        </p>
      </div>
      <Button variant={isForemost ? 'primary' : 'secondary'} isBusy={isBusy} aria-haspopup="dialog" onClick={run}>
        <span>
          {t({ pl: 'Aktywuj dostęp', en: 'Activate access' })}
          <Verbatim className="unseen"> ({organisation})</Verbatim>
        </span>
      </Button>
      <FailureLine text={failureText} className="unseen" />
      {sent && (
        <CodeDialog
          title={t({ pl: 'Aktywuj dostęp do pieczęci', en: 'Activate access to the seal' })}
          description={<Verbatim>{organisation}</Verbatim>}
          sent={sent}
          submitLabel={t({ pl: 'Aktywuj dostęp', en: 'Activate access' })}
          submitsItself
          onSubmit={enter}
          onResend={resend}
          onClose={cancel}
        />
      )}
    </section>
  )
}

/** Holds the code that was sent for the activation. */
function useActivation({ invitation: { id, organisation }, onActivated }: Omit<Props, 'isForemost'>) {
  const t = useText()
  const [sent, setSent] = useState<CodeSent>()
  const params = { id }

  /**
   * Removes the card of an invitation that was activated in another tab or withdrawn, and shows a toast, because the message cannot stay in
   * the card.
   */
  function leave() {
    toast({
      title: t({ pl: 'Tego zaproszenia już nie ma', en: 'This invitation is no longer open' }),
      description: <Verbatim>{organisation}</Verbatim>,
    })
    void invalidate(listSeals, summariseSeals)
  }

  const { run, isBusy, failureText, fail } = useAction(() =>
    call(startSealActivation, { params }).then(setSent, onFailure(['not-found'], leave)),
  )

  /** Enters the code. Too many wrong codes end the attempt (AUT-2): the card shows why, and starts another one. */
  async function enter(code: string) {
    try {
      const { seal } = await call(finishSealActivation, { params, body: { code } })
      setSent(undefined)
      toast({
        title: t({ pl: 'Dostęp jest aktywny', en: 'Your access is active' }),
        description: (
          <>
            <Verbatim>{endSentence(organisation)}</Verbatim>{' '}
            {t({
              pl: 'Pieczęć jest już na Twojej liście. Jeśli działa w\u00a0aplikacji mobilnej, połącz ją teraz z\u00a0telefonem.',
              en: 'The seal is in your list now. If it works in the mobile app, connect it to your phone next.',
            })}
          </>
        ),
      })
      onActivated(seal)
      await invalidate(listSeals, summariseSeals)
    } catch (error) {
      if (!hasFailedWith(error) || hasFailedWith(error, 'code-wrong', 'code-expired')) throw error
      setSent(undefined)
      if (error.code === 'not-found') leave()
      else fail(error)
    }
  }

  /** Sends the code again; an expired code cannot be sent again, so a new one is requested. */
  const resend = () =>
    call(resendSealActivation, { params }).catch(
      onFailure(['code-expired'], () => call(startSealActivation, { params })),
    )

  return { sent, run, isBusy, failureText, enter, resend, cancel: () => setSent(undefined) }
}
