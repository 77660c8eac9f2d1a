import { useState } from 'react'
import { RenewalCodeForm } from '../../contract/renewal.ts'
import type { RenewalReason } from '../../contract/renewal-rules.ts'
import { CallFailed } from '../api.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { useOpenRenewal } from '../renewal-opening.ts'
import { renewalReasonWords } from '../text/renewal-words.ts'
import { Button, ButtonLink } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Form, Submit } from './form.tsx'
import { Notice } from './notice.tsx'
import { SupportLine } from './support-line.tsx'
import './renewal-code-dialog.css'

type Props = {
  /** The signature that it was asked for. */
  description?: string
  /** What stands against renewing it; a missing code alone does not. */
  reasons?: readonly RenewalReason[]
  onClose: () => void
}

/** SIG-4: where a renewal begins, and what to have at hand for it (ux.md §8.6). */
export function RenewalCodeDialog({ description, reasons = [], onClose }: Props) {
  const t = useText()
  const open = useOpenRenewal()
  const [sending, setSending] = useState(false)
  const [refused, setRefused] = useState<RenewalReason | undefined>(() =>
    reasons.find((reason) => reason !== 'CODE_REQUIRED'),
  )

  async function begin({ code }: { code: string }) {
    setSending(true)
    try {
      await open(code)
    } catch (error) {
      setSending(false)
      if (!(error instanceof CallFailed && error.code === 'renewal-refused')) throw error
      setRefused(error.problem.reason as RenewalReason)
    }
  }

  if (refused) return <Refused reason={refused} description={description} onClose={onClose} />
  return (
    <Form className="bare" schema={RenewalCodeForm} onSubmit={begin} failures={{ other: 'code' }} summary={false}>
      <Dialog
        title={t({ pl: 'Odnów podpis', en: 'Renew the signature' })}
        description={description}
        closable={!sending}
        onClose={onClose}
        footer={
          <>
            <ButtonLink href={config.brand.links.renewal}>{t({ pl: 'Kup kod', en: 'Buy a code' })}</ButtonLink>
            <Submit>{t({ pl: 'Rozpocznij odnowienie', en: 'Start the renewal' })}</Submit>
          </>
        }
      >
        <Field
          name="code"
          label={t({ pl: 'Kod odnowienia', en: 'Renewal code' })}
          hint={t({
            pl: 'Wielkość liter i\u00a0myślniki nie mają znaczenia.',
            en: 'Capitals and dashes make no difference.',
          })}
          className="mono"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <div className="prepare">
          <h3>{t({ pl: 'Przygotuj', en: 'Have at hand' })}</h3>
          <ul>
            <li>{t({ pl: 'kod odnowienia', en: 'the renewal code' })}</li>
            <li>
              {t({ pl: 'telefon: wyślemy SMS z\u00a0kodem', en: 'your phone: we send a text message with a code' })}
            </li>
            <li>{t({ pl: 'dokument tożsamości', en: 'your identity document' })}</li>
            <li>{t({ pl: 'około 10\u00a0minut', en: 'about 10 minutes' })}</li>
          </ul>
        </div>
        <Notice title={t({ pl: 'Zakup kodu to jeszcze nie odnowienie', en: 'Buying a code is not yet the renewal' })}>
          {t({
            pl: 'Podpis jest odnowiony dopiero, gdy podpiszesz umowę, a\u00a0nowy certyfikat zostanie wydany.',
            en: 'The signature is renewed only once you have signed the agreement and the new certificate is issued.',
          })}
        </Notice>
      </Dialog>
    </Form>
  )
}

type RefusedProps = { reason: RenewalReason; description: string | undefined; onClose: () => void }

function Refused({ reason, description, onClose }: RefusedProps) {
  const t = useText()
  const { what, advice } = renewalReasonWords[reason]
  const ended = reason === 'CERT_EXPIRED'
  return (
    <Dialog
      initialFocus="title"
      title={t({ pl: 'Tego podpisu nie można teraz odnowić', en: 'This signature cannot be renewed now' })}
      description={description}
      onClose={onClose}
      footer={
        <>
          {ended && (
            <ButtonLink href={config.brand.links.newSignature}>
              {t({ pl: 'Kup nowy podpis', en: 'Buy a new signature' })}
            </ButtonLink>
          )}
          <Button variant="primary" onClick={onClose}>
            {t({ pl: 'Wróć do listy', en: 'Back to the list' })}
          </Button>
        </>
      }
    >
      <Notice kind="warn" title={t(what)}>
        <p>{t(advice)}</p>
        <p>
          {t({ pl: 'Pomoc: ', en: 'Help: ' })}
          <SupportLine />
        </p>
      </Notice>
    </Dialog>
  )
}
