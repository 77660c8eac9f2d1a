import { useState } from 'react'
import { judgeIdentityAtDesk, unmaskIdentityDocument } from '../../contract/desk/desk-tasks.ts'
import { documentText } from '../../contract/document-text.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import type { IdentityDocument } from '../../contract/identification.ts'
import { useText } from '../app/locale.tsx'
import { call, hasFailedWith } from '../calls/api.ts'
import { formatDate } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'
import type { TaskProps } from './case-decision.tsx'
import { mailFollows } from './case-text.ts'
import { ReasonForm } from './reason-form.tsx'

type Full = Reply<typeof unmaskIdentityDocument>

/** Shows the identity document in full after a reason is given, and then lets an agent confirm or refuse it (DSK-38). */
export function IdentityTask(props: TaskProps) {
  const t = useText()
  const [full, setFull] = useState<Full>()
  const params = { id: props.account, renewal: props.found.id }
  if (full) return <Judging {...props} full={full} onHide={() => setFull(undefined)} />
  return (
    <ReasonForm
      label={t({ pl: 'Powód odczytu dokumentu tożsamości', en: 'Reason for viewing the identity document' })}
      submit={t({ pl: 'Pokaż dokument', en: 'Show the document' })}
      onSubmit={async (body) => setFull(await call(unmaskIdentityDocument, { params, body }))}
    />
  )
}

const refusedText: Record<string, Text> = {
  DOC_EXPIRED: {
    pl: 'Ten dokument stracił ważność, więc nie można go potwierdzić.',
    en: 'This document has expired, so it can’t be confirmed.',
  },
  DATA_MISMATCH: {
    pl: 'Ten dokument nie pasuje do danych klienta i\u00a0certyfikatu. Dane może zmienić tylko system dostawcy.',
    en: 'This document doesn’t fit the customer’s data and certificate. Only the provider’s system can change the data.',
  },
}

function Judging({ full, onHide, found, account, onDecided }: TaskProps & { full: Full; onHide: () => void }) {
  const t = useText()
  const { name, certificate, identificationNumber, document, filed } = full
  const { run, isBusy, failure, failureText } = useAction(async (verdict: 'confirmed' | 'refused') => {
    const params = { id: account, renewal: found.id }
    await onDecided(verdict, await call(judgeIdentityAtDesk, { params, body: { document, verdict } }))
  })
  const reason = hasFailedWith(failure, 'renewal-refused') ? refusedText[String(failure.problem.reason)] : undefined
  return (
    <>
      <DescriptionList>
        <VerbatimRow name={t({ pl: 'Imię i\u00a0nazwisko', en: 'Name' })}>{name}</VerbatimRow>
        <VerbatimRow name={t({ pl: 'Numer identyfikacyjny', en: 'Identification number' })}>
          {identificationNumber ?? '–'}
        </VerbatimRow>
        <VerbatimRow name={t({ pl: 'W\u00a0certyfikacie', en: 'In the certificate' })}>{certificate}</VerbatimRow>
        <Row name={t({ pl: 'Nowy dokument', en: 'New document' })}>
          <DocumentLine document={document} />
        </Row>
        <Row name={t({ pl: 'Dotychczasowy dokument', en: 'Document on file' })}>
          {filed ? <DocumentLine document={filed} /> : '–'}
        </Row>
      </DescriptionList>
      <p>
        {t({
          pl: 'Potwierdzony dokument zastąpi dotychczasowy.',
          en: 'A confirmed document replaces the one on file.',
        })}
        {t(mailFollows('renewal'))}
      </p>
      <div className="buttons">
        <Button variant="primary" isBusy={isBusy} onClick={() => void run('confirmed')}>
          {t({ pl: 'Potwierdź dokument', en: 'Confirm the document' })}
        </Button>
        <Button isBusy={isBusy} onClick={() => void run('refused')}>
          {t({ pl: 'Odrzuć dokument', en: 'Refuse the document' })}
        </Button>
        <Button variant="quiet" onClick={onHide}>
          {t({ pl: 'Ukryj dane', en: 'Hide the data' })}
        </Button>
      </div>
      {failureText && (
        <Notice kind="error" role="alert">
          {reason ? t(reason) : failureText}
        </Notice>
      )}
    </>
  )
}

function DocumentLine({ document: { type, number, validTo, issuedBy } }: { document: IdentityDocument }) {
  const t = useText()
  const until = validTo
    ? { pl: `ważny do ${formatDate('pl', validTo)}`, en: `valid until ${formatDate('en', validTo)}` }
    : { pl: 'bezterminowy', en: 'does not expire' }
  return (
    <>
      {t(documentText[type])} <span translate="no">{number}</span>, {t(until)},{' '}
      {t({ pl: 'wydany przez: ', en: 'issued by: ' })}
      <span translate="no">{issuedBy}</span>
    </>
  )
}
