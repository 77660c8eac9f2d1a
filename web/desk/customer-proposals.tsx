import { useState } from 'react'
import {
  proposalKinds,
  readDeskCustomer,
  type CustomerProposal,
  type DeskCustomer,
  type ProposalKind,
} from '../../contract/desk/desk-customers.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import { blockAtDesk, proposeAtDesk, withdrawProposal } from '../../contract/desk/desk-proposals.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { setCached } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { effectText, proposalKindText, proposeText } from './proposal-text.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import './desk.css'

type Props = { customer: DeskCustomer; session: DeskSession }

/** Shows the changes of a customer that another person approves, and the block, which takes effect at once (DSK-24, DSK-28). */
export function CustomerProposals({ customer, session }: Props) {
  const t = useText()
  const { proposals, heldSince, state } = customer
  const mayPropose = mayCall(proposeAtDesk, session.roles) && state !== 'registered'
  if (!mayPropose && !proposals.length && !heldSince) return null
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">{t({ pl: 'Zmiany i\u00a0blokada', en: 'Changes and block' })}</h2>
      {heldSince && (
        <Notice kind="warning">
          {t({
            pl: `Usunięcie danych wstrzymane od ${formatDateTime(t.locale, heldSince)}.`,
            en: `Under a legal hold since ${formatDateTime(t.locale, heldSince)}.`,
          })}
        </Notice>
      )}
      {proposals.length > 0 && (
        <ul className="desk-proposals">
          {proposals.map((proposal) => (
            <Proposal key={proposal.id} proposal={proposal} account={customer.account} session={session} />
          ))}
        </ul>
      )}
      {mayPropose && <Changes customer={customer} />}
    </section>
  )
}

const outcomeText = {
  approved: { pl: 'Zatwierdza', en: 'Approved by' },
  refused: { pl: 'Odrzuca', en: 'Refused by' },
  void: { pl: 'Unieważnione, bo dane klienta się zmieniły', en: 'Void, because the customer’s data had changed' },
}

type ProposalProps = { proposal: CustomerProposal; account: string; session: DeskSession }

function Proposal({ proposal, account, session }: ProposalProps) {
  const t = useText()
  const { id, kind, proposed, reason, by, subject, until, outcome, decider, note } = proposal
  const { run, isBusy, failureText } = useAction(async () =>
    setCached(readDeskCustomer, { params: { id: account } }, await call(withdrawProposal, { params: { id } })),
  )
  return (
    <li>
      <b>
        {t(proposalKindText[kind])}
        {proposed && <span translate="no">: {proposed}</span>}
      </b>
      <span>
        {t({ pl: 'Proponuje', en: 'Proposed by' })} <span translate="no">{by}</span>: {reason}
      </span>
      <span>
        {outcome === null ? (
          t({
            pl: `Czeka na drugą osobę do ${formatDateTime(t.locale, until)}.`,
            en: `Waiting for another person until ${formatDateTime(t.locale, until)}.`,
          })
        ) : (
          <>
            {t(outcomeText[outcome])}
            {outcome !== 'void' && <span translate="no"> {decider}</span>}
            {note && `: ${note}`}
          </>
        )}
      </span>
      {outcome === null && subject === session.subject && (
        <Button size="s" isBusy={isBusy} onClick={() => void run()}>
          {t({ pl: 'Wycofaj', en: 'Withdraw' })}
        </Button>
      )}
      <FailureNotice text={failureText} />
    </li>
  )
}

function Changes({ customer }: { customer: DeskCustomer }) {
  const t = useText()
  const [asked, setAsked] = useState<ProposalKind | 'block'>()
  const [done, setDone] = useState<'proposed' | 'blocked'>()
  const { account, state, proposals, heldSince } = customer
  const params = { id: account }
  const isOpen = (kind: ProposalKind) => proposals.some((each) => each.kind === kind && each.outcome === null)
  const fits = { email: true, phone: true, erasure: !heldSince, hold: !heldSince, 'hold-release': heldSince !== null }
  const close = () => setAsked(undefined)
  return (
    <>
      <div className="buttons">
        {state !== 'blocked' && (
          <Button variant="danger" onClick={() => setAsked('block')}>
            {t({ pl: 'Zablokuj i\u00a0zakończ sesje', en: 'Block and end sessions' })}
          </Button>
        )}
        {proposalKinds
          .filter((kind) => fits[kind] && !isOpen(kind))
          .map((kind) => (
            <Button key={kind} onClick={() => setAsked(kind)}>
              {t(proposeText[kind])}
            </Button>
          ))}
      </div>
      <div role="status">
        {done && (
          <Notice kind="ok">
            {done === 'blocked'
              ? t({ pl: 'Konto zablokowane, sesje zakończone.', en: 'The account is blocked, and its sessions ended.' })
              : t({ pl: 'Przekazano do zatwierdzenia.', en: 'Sent for approval.' })}
          </Notice>
        )}
      </div>
      {asked === 'block' && (
        <ConfirmDialog
          title={t({ pl: 'Zablokować konto?', en: 'Block the account?' })}
          description={t({
            pl: 'Klient zostanie wylogowany wszędzie i\u00a0dostanie e-mail. Wróci po ustawieniu nowego hasła albo odblokowaniu.',
            en: 'The customer is signed out everywhere and gets an e-mail. A new password or unblocking lets them in again.',
          })}
          label={t({ pl: 'Zablokuj i\u00a0zakończ sesje', en: 'Block and end sessions' })}
          onConfirm={async () => {
            await setCached(readDeskCustomer, { params }, await call(blockAtDesk, { params }))
            setDone('blocked')
          }}
          onClose={close}
        />
      )}
      {asked && asked !== 'block' && (
        <ReasonDialog
          title={t(proposalKindText[asked])}
          description={`${t({
            pl: 'Nic się nie zmieni, dopóki inna osoba tego nie zatwierdzi. Ma na to 24\u00a0godziny.',
            en: 'Nothing changes until another person approves it, within 24 hours.',
          })} ${t(effectText[asked])}`}
          label={t({ pl: 'Przekaż do zatwierdzenia', en: 'Send for approval' })}
          value={asked === 'email' || asked === 'phone' ? asked : undefined}
          onSubmit={async (entered) => {
            const body = { kind: asked, ...entered }
            await setCached(readDeskCustomer, { params }, await call(proposeAtDesk, { params, body }))
            setDone('proposed')
          }}
          onClose={close}
        />
      )}
    </>
  )
}
