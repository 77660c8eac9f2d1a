import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { type Text, keysOf } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { listSeals, summariseSeals } from '../../contract/seals.ts'
import type { StatusChange } from '../../contract/signatures-and-seals.ts'
import { listSignatures, summariseSignatures } from '../../contract/signatures.ts'
import {
  readStatusRequest,
  requestResumption,
  requestRevocation,
  requestSuspension,
  RevocationForm,
  revocationWords,
  ChosenReason,
  type StatusRequest,
} from '../../contract/status-requests.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { Medallion } from '../art/medallion.tsx'
import { SuccessMark } from '../art/success-mark.tsx'
import { call, newIdempotencyKey } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { BuyLink } from '../certificates/buy-link.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import { Button } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Cancel, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { Select } from '../ui/select.tsx'

export type StatusDialogProps = {
  family: 'signature' | 'seal'
  title: string
  certificate: { id: string; changes: readonly StatusChange[] }
  /** The product and its owner. */
  description: ReactNode
  onClose: () => void
}

const lists = { signature: [listSignatures, summariseSignatures], seal: [listSeals, summariseSeals] }

/**
 * Asks what to do with a certificate and why, and shows the consequences; then shows the result of the request (STP-1). The list is read
 * again when the dialog is closed, because the certificate may be in another part of it then.
 */
export function StatusDialog({ family, title, certificate, description, onClose }: StatusDialogProps) {
  const [request, setRequest] = useState<StatusRequest>()
  const close = () => {
    onClose()
    if (request) void invalidate(...lists[family])
  }
  const shared = { id: certificate.id, description, onClose: close }
  return request ? (
    <RequestDialog {...shared} family={family} requested={request} />
  ) : (
    <RequestForm {...shared} title={title} family={family} changes={certificate.changes} onRequested={setRequest} />
  )
}

type Shared = { id: string; description: ReactNode; onClose: () => void }

type FormProps = Shared & {
  title: string
  family: StatusDialogProps['family']
  changes: readonly StatusChange[]
  onRequested: (request: StatusRequest) => void
}

// The reason is for others to rely on, so none is suggested.
const GivenReason = z.enum(ChosenReason.options, 'required')
const schemas = {
  suspend: z.object({ reason: GivenReason }),
  resume: z.object({}),
  revoke: z.object({ ...RevocationForm.shape, reason: GivenReason }),
}

function RequestForm({ id, title, family, description, changes: given, onClose, onRequested }: FormProps) {
  const t = useText()
  // A list that is read again meanwhile does not change what is offered here.
  const [changes] = useState(given)
  const [change, setChange] = useState(changes[0]!)
  const word = revocationWords[t.locale]

  async function request(values: { reason?: z.infer<typeof ChosenReason>; confirmation?: string }) {
    const parts = { params: { id }, idempotencyKey: newIdempotencyKey() }
    const reason = values.reason ?? 'not-needed'
    const confirmation = values.confirmation ?? ''
    onRequested(
      await (change === 'suspend'
        ? call(requestSuspension, { ...parts, body: { reason } })
        : change === 'resume'
          ? call(requestResumption, parts)
          : call(requestRevocation, { ...parts, body: { reason, confirmation } })),
    )
  }

  return (
    <FormDialog
      schema={schemas[change]}
      onSubmit={request}
      isStacked
      title={title}
      description={description}
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          <Cancel onClick={onClose} />
          <Submit variant={change === 'resume' ? 'primary' : 'danger'}>{t(submitText[change])}</Submit>
        </>
      }
    >
      {changes.length > 1 && (
        <RadioCards
          name="change"
          label={t({ pl: 'Co chcesz zrobić?', en: 'What do you want to do?' })}
          options={changes.map((value) => ({ value, label: t(choices[value].label), hint: t(choices[value].hint) }))}
          onChosen={(value) => setChange(value as StatusChange)}
        />
      )}
      {change !== 'resume' && (
        <Select
          name="reason"
          label={t({ pl: 'Powód', en: 'Reason' })}
          prompt={t({ pl: 'Wybierz powód', en: 'Choose a reason' })}
          options={keysOf(reasonText).map((value) => ({ value, label: t(reasonText[value]) }))}
        />
      )}
      <Notice
        key={change}
        kind={change === 'resume' ? 'info' : 'warning'}
        title={t({ pl: 'Co się stanie', en: 'What will happen' })}
      >
        {consequences[change][family].map((text) => (
          <p key={text.en}>{t(text)}</p>
        ))}
      </Notice>
      {change === 'revoke' && (
        <Field
          name="confirmation"
          label={t({ pl: `Wpisz ${word}, aby potwierdzić`, en: `Type ${word} to confirm` })}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
    </FormDialog>
  )
}

const submitText: Record<StatusChange, Text> = {
  suspend: { pl: 'Zawieś certyfikat', en: 'Suspend certificate' },
  resume: { pl: 'Cofnij zawieszenie', en: 'End suspension' },
  revoke: { pl: 'Unieważnij certyfikat', en: 'Revoke certificate' },
}

const choices: Record<StatusChange, { label: Text; hint: Text }> = {
  suspend: {
    label: { pl: 'Zawieś', en: 'Suspend' },
    hint: { pl: 'Na pewien czas. Zawieszenie możesz cofnąć.', en: 'Temporary. You can end the suspension later.' },
  },
  resume: {
    label: { pl: 'Cofnij zawieszenie', en: 'End suspension' },
    hint: { pl: 'Certyfikat znowu będzie działać.', en: 'The certificate will work again.' },
  },
  revoke: {
    label: { pl: 'Unieważnij', en: 'Revoke' },
    hint: { pl: 'Na zawsze. Tego nie można cofnąć.', en: 'Permanent. This can’t be undone.' },
  },
}

const reasonText: Record<z.infer<typeof ChosenReason>, Text> = {
  compromised: { pl: 'Ktoś inny może go użyć', en: 'Someone else may be able to use it' },
  'data-changed': { pl: 'Dane w\u00a0certyfikacie są nieaktualne', en: 'The details in it are out of date' },
  superseded: { pl: 'Mam nowy certyfikat', en: 'I have a new certificate' },
  'not-needed': { pl: 'Nie jest mi już potrzebny', en: 'I no longer need it' },
}

const noticed: Text = {
  pl: 'Wyślemy o\u00a0tym e-mail i\u00a0SMS do wszystkich administratorów pieczęci.',
  en: 'We’ll e-mail and text all Administrators of the seal about it.',
}

const consequences: Record<StatusChange, Record<StatusDialogProps['family'], Text[]>> = {
  suspend: {
    signature: [
      {
        pl: 'Podpisy złożone podczas zawieszenia nie będą ważne.',
        en: 'Signatures made during the suspension won’t be valid.',
      },
      { pl: 'Podpisy złożone wcześniej są nadal ważne.', en: 'Those you made before are still valid.' },
    ],
    seal: [
      {
        pl: 'Pieczęcie złożone podczas zawieszenia nie będą ważne, także te od innych użytkowników.',
        en: 'Seals made during the suspension won’t be valid, including those by other users.',
      },
      noticed,
    ],
  },
  resume: {
    signature: [{ pl: 'Możesz znowu podpisywać tym certyfikatem.', en: 'You can sign with this certificate again.' }],
    seal: [{ pl: 'Wszyscy użytkownicy mogą znowu używać pieczęci.', en: 'All users can use the seal again.' }, noticed],
  },
  revoke: {
    signature: [
      {
        pl: 'Nic już nim nie podpiszesz ani go nie odnowisz.',
        en: 'You won’t be able to sign with it or renew it any more.',
      },
      { pl: 'Dokumenty podpisane wcześniej są nadal ważne.', en: 'Documents you signed before are still valid.' },
      {
        pl: 'Unieważnionego certyfikatu nie można przywrócić: trzeba kupić nowy.',
        en: 'A revoked certificate can’t be restored: you’d have to buy a new one.',
      },
    ],
    seal: [
      {
        pl: 'Nikt nie opatrzy już dokumentu tą pieczęcią.',
        en: 'Nobody will be able to seal documents with it any more.',
      },
      {
        pl: 'Unieważnionej pieczęci nie można przywrócić: trzeba kupić nową.',
        en: 'A revoked seal can’t be restored: you’d have to buy a new one.',
      },
      noticed,
    ],
  },
}

const { pollEvery } = limits.statusRequest
/** Maximum number of reads of a request's state; afterwards the customer need not wait, because a mail will come. */
const maxPolls = 15

/** Reads what has become of a request every two seconds for half a minute. */
function useRequestState(id: string, requested: StatusRequest) {
  const [request, setRequest] = useState(requested)
  const [looks, setLooks] = useState(0)
  const isWaiting = request.state === 'requested' && looks < maxPolls
  const look = useEffectEvent(async () => {
    const found = await call(readStatusRequest, { params: { id } }).catch(() => undefined)
    setLooks((count) => count + 1)
    if (found?.request?.id === requested.id) setRequest(found.request)
  })
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => void look(), looks ? pollEvery * 1000 : 500)
    return () => clearTimeout(timer)
  }, [looks, isWaiting])
  return { request, isWaiting }
}

type RequestProps = Shared & { family: StatusDialogProps['family']; requested: StatusRequest }

function RequestDialog({ id, family, description, requested, onClose }: RequestProps) {
  const t = useText()
  const { request, isWaiting } = useRequestState(id, requested)
  const { change, state } = request
  return (
    <Dialog
      title={t(titles[state === 'done' ? 'done' : state === 'refused' ? 'refused' : 'requested'][change])}
      description={description}
      width="s"
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          {state === 'done' && change === 'revoke' && (
            <BuyLink product={family === 'signature' ? 'newSignature' : 'seal'} />
          )}
          <Button variant={state === 'done' ? 'primary' : 'secondary'} onClick={onClose}>
            {t({ pl: 'Zamknij', en: 'Close' })}
          </Button>
        </>
      }
    >
      <Outcome family={family} request={request} isWaiting={isWaiting} />
    </Dialog>
  )
}

type Props = { family: StatusDialogProps['family']; request: StatusRequest; isWaiting: boolean }

function Outcome({ family, request: { change, state, deadline, note }, isWaiting }: Props) {
  const t = useText()
  const { company } = config.brand
  if (state === 'done')
    return (
      <div className="paired" role="status">
        {/* A certificate that works no more is no success. */}
        {change === 'resume' ? <SuccessMark /> : <Medallion family={family} size={104} isOff />}
        <p>{t(outcomes[change])}</p>
        {change === 'revoke' && <p>{t(stillValid[family])}</p>}
      </div>
    )
  if (state === 'refused')
    return (
      <div className="stack stack--small">
        <Notice
          kind="warning"
          role="alert"
          title={t({ pl: 'Status się nie zmienił', en: 'The status hasn’t changed' })}
        >
          {note ? t(note) : t({ pl: `${company} nie może go zmienić.`, en: `${company} can’t change it.` })}
        </Notice>
        <CallButton variant="primary" />
      </div>
    )
  return (
    <div className="stack stack--small" role="status" aria-busy={isWaiting}>
      {isWaiting && (
        <p className="buttons">
          <span className="spin" aria-hidden="true" />
          {t({ pl: `${company} zmienia status certyfikatu.`, en: `${company} is changing the status.` })}
        </p>
      )}
      <p className={isWaiting ? 'soft' : undefined}>
        {t({
          pl: 'Zlecenie jest zapisane i\u00a0nie przepadnie. Status zmieni się najpóźniej ',
          en: 'Your request is saved and won’t get lost. The status will change by ',
        })}
        <DateTimeText at={deadline} />
        {t({ pl: '. Wtedy wyślemy e-mail.', en: '. We’ll e-mail you then.' })}
      </p>
    </div>
  )
}

/** Texts saying that documents or seals made before the revocation remain valid. */
const stillValid: Record<StatusDialogProps['family'], Text> = {
  signature: {
    pl: 'Dokumenty podpisane przed unieważnieniem są nadal ważne.',
    en: 'Documents you signed before the revocation remain valid.',
  },
  seal: {
    pl: 'Pieczęcie złożone przed unieważnieniem są nadal ważne.',
    en: 'Seals made before the revocation remain valid.',
  },
}

const titles: Record<'requested' | 'done' | 'refused', Record<StatusChange, Text>> = {
  requested: {
    suspend: { pl: 'Zlecono zawieszenie', en: 'Suspension requested' },
    resume: { pl: 'Zlecono cofnięcie zawieszenia', en: 'End of the suspension requested' },
    revoke: { pl: 'Zlecono unieważnienie', en: 'Revocation requested' },
  },
  done: {
    suspend: { pl: 'Certyfikat jest zawieszony', en: 'Certificate suspended' },
    resume: { pl: 'Zawieszenie jest cofnięte', en: 'Suspension ended' },
    revoke: { pl: 'Certyfikat jest unieważniony', en: 'Certificate revoked' },
  },
  refused: {
    suspend: { pl: 'Certyfikat nie jest zawieszony', en: 'Certificate not suspended' },
    resume: { pl: 'Zawieszenie nadal trwa', en: 'Suspension not ended' },
    revoke: { pl: 'Certyfikat nie jest unieważniony', en: 'Certificate not revoked' },
  },
}

const outcomes: Record<StatusChange, Text> = {
  suspend: {
    pl: 'Kto teraz sprawdzi certyfikat, zobaczy, że jest zawieszony. Zawieszenie cofniesz na liście certyfikatów.',
    en: 'Anyone who checks the certificate now sees that it’s suspended. You can end the suspension in the list of certificates.',
  },
  resume: { pl: 'Certyfikat znowu działa.', en: 'The certificate works again.' },
  revoke: {
    pl: 'Kto teraz sprawdzi certyfikat, zobaczy, że jest unieważniony.',
    en: 'Anyone who checks the certificate now sees that it’s revoked.',
  },
}
