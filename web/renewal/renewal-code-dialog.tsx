import { useState, type ReactNode } from 'react'
import { AccessCodeForm } from '../../contract/rules/access-code.ts'
import type { RenewalReason } from '../../contract/rules/renewal-rules.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { HelpLine } from '../app/support-line.tsx'
import { onFailure } from '../calls/api.ts'
import { BuyLink } from '../certificates/buy-link.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { renewalReasonOf, renewalReasonText } from '../text/renewal-text.ts'
import { Button, TextLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CodeTextField } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { TooManyCodesNotice, spentUntil } from './entries-spent.tsx'
import { useOpenRenewal } from './renewal-opening.ts'
import './renewal-code-dialog.css'

type Props = {
  /** The signature to renew. */
  description?: ReactNode
  /** Reasons why the signature cannot be renewed; a missing code alone is not one. */
  reasons?: readonly RenewalReason[]
  onClose: () => void
}

/** Asks for the code with which a renewal begins, and shows what to have at hand for it (SIG-4). */
export function RenewalCodeDialog({ description, reasons = [], onClose }: Props) {
  const t = useText()
  const open = useOpenRenewal()
  const [refused, setRefused] = useState<RenewalReason | undefined>(() =>
    reasons.find((reason) => reason !== 'CODE_REQUIRED'),
  )

  /** Wrong vouchers and wrong renewal codes are counted together. */
  const [blockedUntil, setBlockedUntil] = useState<string>()

  const begin = ({ code }: { code: string }) =>
    open(code)
      .catch(onFailure(['renewal-refused'], (failure) => setRefused(renewalReasonOf(failure))))
      .catch(onFailure(['too-many-attempts'], (failure) => setBlockedUntil(spentUntil(failure))))

  if (blockedUntil)
    return (
      <Dialog
        initialFocus="title"
        title={t({ pl: 'Odnów podpis', en: 'Renew signature' })}
        description={description}
        onClose={onClose}
        footer={<Button onClick={onClose}>{t({ pl: 'Wróć do listy', en: 'Back to the list' })}</Button>}
      >
        <TooManyCodesNotice until={blockedUntil} />
      </Dialog>
    )
  if (refused) return <Refused reason={refused} description={description} onClose={onClose} />
  return (
    <FormDialog
      schema={AccessCodeForm}
      onSubmit={begin}
      failures={{ other: 'code' }}
      title={t({ pl: 'Odnów podpis', en: 'Renew signature' })}
      description={description}
      onClose={onClose}
      submit={t({ pl: 'Rozpocznij odnowienie', en: 'Start renewal' })}
    >
      <CodeTextField
        name="code"
        label={t({ pl: 'Kod odnowienia', en: 'Renewal code' })}
        hint={t({
          pl: 'Wielkość liter, spacje i\u00a0myślniki nie mają znaczenia.',
          en: 'Upper or lower case, spaces and dashes don’t matter.',
        })}
      />
      <p className="renewal-code__buy">
        {t({ pl: 'Nie masz kodu? ', en: 'No code yet? ' })}
        <TextLink href={config.brand.links.renewal}>{t({ pl: 'Kup kod', en: 'Buy a code' })}</TextLink>
      </p>
      <div className="renewal-code">
        <h3>{t({ pl: 'Co będzie potrzebne', en: 'What you’ll need' })}</h3>
        <ul>
          <li>{t({ pl: 'kod odnowienia', en: 'the renewal code' })}</li>
          <li>{t({ pl: 'telefon: wyślemy kod SMS', en: 'your phone: we’ll send a text-message code' })}</li>
          <li>{t({ pl: 'dokument tożsamości', en: 'your identity document' })}</li>
          <li>{t({ pl: 'około 10\u00a0minut', en: 'about 10\u00a0minutes' })}</li>
        </ul>
      </div>
      <Notice
        title={t({ pl: 'Zakup kodu to jeszcze nie odnowienie', en: 'Buying a code doesn’t renew your signature yet' })}
      >
        {t({
          pl: 'Odnowisz podpis, gdy podpiszesz umowę, a\u00a0my wydamy nowy certyfikat.',
          en: 'It’s renewed once you’ve signed the agreement and we’ve issued the new certificate.',
        })}
      </Notice>
    </FormDialog>
  )
}

type RefusedProps = { reason: RenewalReason; description: ReactNode; onClose: () => void }

function Refused({ reason, description, onClose }: RefusedProps) {
  const t = useText()
  const { what, advice } = renewalReasonText[reason]
  const hasEnded = reason === 'CERT_EXPIRED'
  return (
    <Dialog
      initialFocus="title"
      title={t({ pl: 'Tego podpisu nie można teraz odnowić', en: 'You can’t renew this signature now' })}
      description={description}
      onClose={onClose}
      footer={
        <>
          <Button variant={hasEnded ? 'quiet' : 'secondary'} onClick={onClose}>
            {t({ pl: 'Wróć do listy', en: 'Back to the list' })}
          </Button>
          {hasEnded && <BuyLink product="newSignature" variant="primary" />}
        </>
      }
    >
      <Notice kind="warning" title={t(what)}>
        <p>
          {t(advice)} <AnswerLink to={hasEnded ? 'expired-renewal' : 'renewal-refused'} />
        </p>
        <HelpLine />
      </Notice>
    </Dialog>
  )
}
