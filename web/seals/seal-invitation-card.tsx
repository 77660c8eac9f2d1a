import { useId, useState } from 'react'
import type { CodeSent } from '../../contract/account.ts'
import { finishSealActivation, resendSealActivation, startSealActivation } from '../../contract/seal-users.ts'
import { listSeals, summariseSeals, type SealInvitation } from '../../contract/seals.ts'
import { Icon } from '../art/icons.tsx'
import { Medallion } from '../art/medallion.tsx'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { forget } from '../reads.ts'
import { describeFailure } from '../text/failure-text.ts'
import { formatDateTime } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CodeDialog } from '../ui/code-dialog.tsx'
import { MaskedPhone } from '../ui/masked-phone.tsx'
import { toast } from '../ui/toast.tsx'
import { roleText } from './seal-text.ts'

type Props = { invitation: SealInvitation; foremost: boolean; onActivated: (seal: string) => void }

/** SEA-4: access that waits for the customer; the code goes out when they press the button, to the number that was invited. */
export function SealInvitationCard({ invitation, foremost, onActivated }: Props) {
  const t = useText()
  const locale = useLocale()
  const heading = useId()
  const { id, organisation, role, phone, expiresAt } = invitation
  const [sent, setSent] = useState<CodeSent>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const params = { id }

  function tell(error: unknown) {
    if (!(error instanceof CallFailed)) throw error
    if (error.code !== 'not-found') return setFailure(describeFailure(locale, error))
    // Activated in another tab, or taken back: the card goes, so its words cannot stay in it.
    toast({
      title: t({ pl: 'To zaproszenie już nie czeka', en: 'This invitation no longer waits' }),
      description: organisation,
    })
    void forget(listSeals, summariseSeals)
  }

  async function begin() {
    setFailure(undefined)
    setBusy(true)
    try {
      setSent(await call(startSealActivation, { params }))
    } catch (error) {
      tell(error)
    } finally {
      setBusy(false)
    }
  }

  /** Too many wrong codes end the attempt (AUT-2): the card says so, and begins another one. */
  async function enter(code: string) {
    try {
      const { seal } = await call(finishSealActivation, { params, body: { code } })
      setSent(undefined)
      toast({ title: t({ pl: 'Dostęp jest aktywny', en: 'The access is active' }), description: organisation })
      onActivated(seal)
      await forget(listSeals, summariseSeals)
    } catch (error) {
      if (!(error instanceof CallFailed) || error.code === 'code-wrong' || error.code === 'code-expired') throw error
      setSent(undefined)
      tell(error)
    }
  }

  /** A code whose time is over cannot be sent again, so another one is asked for. */
  async function resend() {
    try {
      return await call(resendSealActivation, { params })
    } catch (error) {
      if (!(error instanceof CallFailed && error.code === 'code-expired')) throw error
      return await call(startSealActivation, { params })
    }
  }

  return (
    <section className="card invite" aria-labelledby={heading}>
      <Medallion family="seal" size={64} />
      <div>
        <p>
          <Badge kind="warn" icon="hour">
            {t({ pl: 'Oczekuje na aktywację', en: 'Awaiting activation' })}
          </Badge>
        </p>
        <h3 id={heading}>
          {t({ pl: `${organisation} udostępnia Ci pieczęć`, en: `${organisation} shares a seal with you` })}
        </h3>
        <p className="soft">
          {t({ pl: 'Rola: ', en: 'Role: ' })}
          {t(roleText[role]).toLowerCase()}.{' '}
          {t({ pl: 'Kod SMS wyślemy na numer ', en: 'We will send a text-message code to ' })}
          <MaskedPhone number={phone} />
          {t({ pl: '. Zaproszenie działa do ', en: '. The invitation works until ' })}
          <time dateTime={expiresAt}>{formatDateTime(locale, expiresAt)}</time>.
        </p>
      </div>
      <Button
        variant={foremost ? 'primary' : 'secondary'}
        busy={busy}
        aria-haspopup="dialog"
        onClick={() => void begin()}
      >
        <span>
          {t({ pl: 'Aktywuj dostęp', en: 'Activate access' })}
          <span className="vh">: {organisation}</span>
        </span>
      </Button>
      <p role="alert" className={failure ? 'error' : 'vh'}>
        {failure && (
          <>
            <Icon name="alert" />
            <span>{failure}</span>
          </>
        )}
      </p>
      {sent && (
        <CodeDialog
          title={t({ pl: 'Aktywuj dostęp do pieczęci', en: 'Activate access to the seal' })}
          description={organisation}
          sent={sent}
          submitLabel={t({ pl: 'Aktywuj dostęp', en: 'Activate access' })}
          autoSubmit
          onSubmit={enter}
          onResend={resend}
          onClose={() => setSent(undefined)}
        />
      )}
    </section>
  )
}
