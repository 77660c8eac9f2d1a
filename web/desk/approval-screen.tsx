import { useState } from 'react'
import {
  approveProposal,
  countProposals,
  listProposals,
  readProposal,
  refuseProposal,
} from '../../contract/desk/desk-proposals.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { call } from '../calls/api.ts'
import { forget, invalidate, useRead } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { ResultNotice } from './case-decision.tsx'
import { effectText, proposalKindText, proposalFailure } from './proposal-text.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import './desk.css'
import { isRecent, refreshAfterOldSignIn, SignInAgain } from './recent-sign-in.tsx'

/** Shows a proposed change with its full values, and the decision (DSK-24, DSK-25). */
export function ApprovalScreen({ id, session }: { id: string; session: DeskSession }) {
  const t = useText()
  const proposal = useRead(readProposal, { params: { id } })
  const [decided, setDecided] = useState<'approved' | 'refused'>()
  const passed = proposal.data ? undefined : proposalFailure(proposal.error)
  const back = <ButtonLink to="/approvals">{t({ pl: 'Do zatwierdzenia', en: 'Approvals' })}</ButtonLink>
  return (
    <>
      <PageHead title={{ pl: 'Propozycja zmiany', en: 'Proposed change' }} />
      {decided ? (
        <div className="desk-approval">
          <ResultNotice>
            {decided === 'approved'
              ? t({ pl: 'Zatwierdzono. Zmianę wprowadzono.', en: 'Approved. The change has been made.' })
              : t({ pl: 'Odrzucono, nic się nie zmieniło.', en: 'Refused, and nothing has changed.' })}
          </ResultNotice>
          <div>{back}</div>
        </div>
      ) : passed ? (
        <div className="desk-approval">
          <Notice role="alert">{t(passed)}</Notice>
          <div>{back}</div>
        </div>
      ) : (
        <Region query={proposal} label={t({ pl: 'Wczytujemy propozycję', en: 'Loading the proposal' })}>
          {(read) => <Decision proposal={read} canChange={isRecent(session)} onDecided={setDecided} />}
        </Region>
      )}
    </>
  )
}

const approvalNeedsIt = {
  pl: 'Zatwierdzenie wymaga logowania z\u00a0ostatnich 15\u00a0minut.',
  en: 'An approval needs a sign-in of the last 15 minutes.',
}

type Props = {
  proposal: Reply<typeof readProposal>
  /** Whether the person has signed in lately enough to approve. */
  canChange: boolean
  onDecided: (outcome: 'approved' | 'refused') => void
}

function Decision({ proposal, canChange, onDecided }: Props) {
  const t = useText()
  const [isRefusing, setIsRefusing] = useState(false)
  const { id, kind, reason, by, isOwn, proposedAt, until, customer, present, proposed } = proposal
  const params = { id }
  const decide = async (outcome: 'approved' | 'refused', decision: Promise<void>) => {
    await decision
    onDecided(outcome)
    forget(listProposals)
    await invalidate(countProposals)
  }
  const { run, isBusy, failure, failureText } = useAction(() =>
    decide('approved', refreshAfterOldSignIn(call(approveProposal, { params }))),
  )
  const known = failure && proposalFailure(failure)
  return (
    <section className="desk-approval" aria-labelledby="change">
      <h2 id="change">{t(proposalKindText[kind])}</h2>
      <DescriptionList>
        <VerbatimRow name={t({ pl: 'Klient', en: 'Customer' })}>
          {customer.name}, {customer.login}
        </VerbatimRow>
        {present !== null && <VerbatimRow name={t({ pl: 'Obecnie', en: 'Current' })}>{present}</VerbatimRow>}
        {proposed !== null && <VerbatimRow name={t({ pl: 'Po zmianie', en: 'New' })}>{proposed}</VerbatimRow>}
        <Row name={t({ pl: 'Powód', en: 'Reason' })}>{reason}</Row>
        <VerbatimRow name={t({ pl: 'Proponuje', en: 'Proposed by' })}>{by}</VerbatimRow>
        <Row name={t({ pl: 'Kiedy', en: 'When' })}>{formatDateTime(t.locale, proposedAt)}</Row>
        <Row name={t({ pl: 'Wygasa', en: 'Expires' })}>{formatDateTime(t.locale, until)}</Row>
      </DescriptionList>
      {isOwn ? (
        <Notice>
          {t({
            pl: 'To Twoja propozycja, więc decyduje o\u00a0niej inna osoba. Wycofasz ją na stronie klienta.',
            en: 'This is your proposal, so another person decides. You can withdraw it on the customer’s page.',
          })}
        </Notice>
      ) : (
        <>
          <Notice kind={kind === 'erasure' ? 'warning' : 'info'}>{t(effectText[kind])}</Notice>
          {canChange ? <FailureNotice text={known ? t(known) : failureText} /> : <SignInAgain why={approvalNeedsIt} />}
          <div className="buttons">
            {canChange && (
              <Button variant={kind === 'erasure' ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => void run()}>
                {t({ pl: 'Zatwierdź', en: 'Approve' })}
              </Button>
            )}
            <Button onClick={() => setIsRefusing(true)}>{t({ pl: 'Odrzuć', en: 'Refuse' })}</Button>
          </div>
        </>
      )}
      {isRefusing && (
        <ReasonDialog
          title={t({ pl: 'Odrzucić propozycję?', en: 'Refuse the proposal?' })}
          description={t({ pl: 'Nic się nie zmieni.', en: 'Nothing changes.' })}
          label={t({ pl: 'Odrzuć', en: 'Refuse' })}
          onSubmit={({ reason: why }) => decide('refused', call(refuseProposal, { params, body: { reason: why } }))}
          onClose={() => setIsRefusing(false)}
        />
      )}
    </section>
  )
}
