import { useEffect, useRef, useState } from 'react'
import { pages } from '../../contract/pages.ts'
import { AccessCodeForm } from '../../contract/rules/access-code.ts'
import {
  listVoucherCases,
  readVoucherLimit,
  redeemVoucher,
  type VoucherCase,
  processText,
} from '../../contract/vouchers.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { call, onFailure } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { TooManyCodesNotice, spentUntil } from '../renewal/entries-spent.tsx'
import { useOpenRenewal } from '../renewal/renewal-opening.ts'
import { AnswerLink } from '../text/answer-link.tsx'
import { renewalReasonOf, renewalReasonText } from '../text/renewal-text.ts'
import { useAction } from '../ui/action.ts'
import { Button, ButtonLink, TextLink } from '../ui/button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { FailureLine } from '../ui/failure.tsx'
import { CodeTextField } from '../ui/field.tsx'
import { Fold } from '../ui/fold.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { SectionCard } from '../ui/section-card.tsx'
import { Code } from '../ui/verbatim.tsx'

/** The result of an entry; the field is shown before and after. */
type Outcome = { opened: VoucherCase } | { renewalCode: string } | { blockedUntil: string }

/** Redeems a voucher; a renewal code leads to the renewal (HOM-2). */
export function VoucherBox({ onCodeStep }: { onCodeStep: (has: boolean) => void }) {
  const t = useText()
  const limit = useRead(readVoucherLimit, { optional: true })
  const [outcome, setOutcome] = useState<Outcome>()
  const [isAgain, setIsAgain] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const hasStep = !!outcome && !('blockedUntil' in outcome)
  useEffect(() => {
    onCodeStep(hasStep)
    // The field that had the focus is gone.
    if (hasStep) heading.current?.focus()
  }, [hasStep, onCodeStep])
  const enterAnother = () => {
    setIsAgain(true)
    setOutcome(undefined)
  }
  // Without an answer the field is shown nevertheless: the server decides about each entry.
  const known = limit.error && !limit.isFetching ? { blockedUntil: null } : limit.data
  return (
    <SectionCard id="voucher" title={t(titleOf(outcome))} heading={heading} className="card voucher">
      <Region
        query={{ ...limit, data: known, error: null }}
        label={t({ pl: 'Wczytujemy pole na kod', en: 'Loading the code field' })}
      >
        {({ blockedUntil }) =>
          outcome ? (
            <OutcomeOf outcome={outcome} onAnother={enterAnother} onOutcome={setOutcome} />
          ) : blockedUntil ? (
            <TooManyCodesNotice until={blockedUntil} />
          ) : (
            <div className="voucher__now">
              <CodeForm isFocused={isAgain} onOutcome={setOutcome} />
              <AboutVouchers />
            </div>
          )
        }
      </Region>
    </SectionCard>
  )
}

/** Returns the heading of the card, which is that of the result once the card no longer asks for a code. */
function titleOf(outcome: Outcome | undefined) {
  if (!outcome || 'blockedUntil' in outcome) return { pl: 'Masz kod voucher?', en: 'Have a voucher code?' }
  if ('renewalCode' in outcome) return renewalCardTitle
  return { pl: 'Przyjęliśmy Twój kod', en: 'We’ve accepted your code' }
}

/** Shows the field for a code. `isFocused`: the button that led back to it is gone, so the field takes the focus. */
function CodeForm({ isFocused, onOutcome }: { isFocused: boolean; onOutcome: (outcome: Outcome) => void }) {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isFocused) box.current?.querySelector('input')?.focus()
  }, [isFocused])

  const redeem = ({ code }: { code: string }) =>
    call(redeemVoucher, { body: { code } }).then(
      (redeemed) => {
        // The list may have been read before.
        if (redeemed.kind === 'voucher') void invalidate(listVoucherCases)
        onOutcome(redeemed.kind === 'voucher' ? { opened: redeemed.case } : { renewalCode: code })
      },
      onFailure(['too-many-attempts'], (failure) => onOutcome({ blockedUntil: spentUntil(failure) })),
    )

  return (
    <div ref={box} className="voucher__entry">
      <Form
        schema={AccessCodeForm}
        onSubmit={redeem}
        failures={{ other: 'code' }}
        summary={false}
        className="voucher__form"
      >
        <CodeTextField
          name="code"
          label={t({ pl: 'Kod voucher', en: 'Voucher code' })}
          hint={t({
            pl: 'Wielkość liter, spacje i\u00a0myślniki nie mają znaczenia.',
            en: 'Upper or lower case, spaces and dashes don’t matter.',
          })}
        />
        <Submit variant="secondary">{t({ pl: 'Użyj kodu', en: 'Use code' })}</Submit>
      </Form>
    </div>
  )
}

/** Explains the purpose of a code, where customers get one, and where its case is afterwards. */
function AboutVouchers() {
  const t = useText()
  return (
    <Fold summary={t({ pl: 'Jak działają kody voucher', en: 'How voucher codes work' })} className="voucher__how">
      <DescriptionList look="plain" className="voucher__about">
        <Row name={t({ pl: 'Co daje?', en: 'What is it for?' })}>
          {isOff('renewal')
            ? t({
                pl: 'Odbierasz nim opłaconą usługę: podpis, pieczęć albo znaczniki czasu.',
                en: 'Claim a service you’ve paid for: signature, seal or timestamps.',
              })
            : t({
                pl: 'Odbierasz nim opłaconą usługę: podpis, pieczęć, znaczniki czasu albo odnowienie podpisu.',
                en: 'Claim a service you’ve paid for: signature, seal, timestamps or signature renewal.',
              })}
        </Row>
        <Row name={t({ pl: 'Skąd go wziąć?', en: 'Where do I find it?' })}>
          {t({
            pl: 'Jest w\u00a0wiadomości, którą dostajesz po zakupie. Każdy kod działa raz.',
            en: 'In the message you get after buying. Each code works once.',
          })}
        </Row>
        <Row name={t({ pl: 'Co potem?', en: 'What happens next?' })}>
          {t({
            pl: 'Otwieramy sprawę i\u00a0piszemy o\u00a0każdym kroku. Wszystkie są na stronie ',
            en: 'We open a case and write to you about each step. You’ll find them all in ',
          })}
          <TextLink to={pages.myCases.path}>{t({ pl: 'Moje sprawy', en: 'My cases' })}</TextLink>.
        </Row>
      </DescriptionList>
    </Fold>
  )
}

type OutcomeProps = { outcome: Outcome; onAnother: () => void; onOutcome: (outcome: Outcome) => void }

function OutcomeOf({ outcome, onAnother, onOutcome }: OutcomeProps) {
  const t = useText()
  if ('blockedUntil' in outcome) return <BlockedNow until={outcome.blockedUntil} />
  if ('renewalCode' in outcome)
    return (
      <div className="voucher__outcome">
        <RenewalCard
          code={outcome.renewalCode}
          onAnother={onAnother}
          onBlocked={(blockedUntil) => onOutcome({ blockedUntil })}
        />
      </div>
    )
  const { number, process } = outcome.opened
  const what = t(processText[process])
  return (
    <div className="voucher__outcome">
      <Notice kind="ok">
        <p>
          {t({ pl: 'Otworzyliśmy sprawę ', en: 'We’ve opened case ' })}
          <Code>{number}</Code>: {what.charAt(0).toLowerCase() + what.slice(1)}.{' '}
          {t({
            pl: 'Resztą się zajmiemy. Potwierdzenie jest już w\u00a0Twojej poczcie, a\u00a0o\u00a0każdym kroku napiszemy.',
            en: 'We’ll take it from here. A confirmation is in your e-mail, and we’ll write to you about each step.',
          })}
        </p>
      </Notice>
      <div className="buttons">
        <ButtonLink variant="primary" to={pages.myCases.path}>
          {t({ pl: 'Zobacz sprawę', en: 'View case' })}
        </ButtonLink>
        <Button onClick={onAnother}>{t({ pl: 'Wpisz inny kod', en: 'Enter another code' })}</Button>
      </div>
    </div>
  )
}

/** Shows the block after the last attempt, and takes the focus, because the field that had it is gone. */
function BlockedNow({ until }: { until: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} role="alert" tabIndex={-1} className="voucher__outcome">
      <TooManyCodesNotice until={until} />
    </div>
  )
}

/** The common misunderstanding of renewal codes: buying one does not renew anything yet. */
const renewalCardTitle = { pl: 'Twój kod służy do odnowienia', en: 'Your code is for a renewal' }

type Props = { code: string; onAnother: () => void; onBlocked: (until: string) => void }

function RenewalCard({ code, onAnother, onBlocked }: Props) {
  const t = useText()
  const open = useOpenRenewal()
  const { run, isBusy, failure, failureText } = useAction(() =>
    open(code).catch(onFailure(['too-many-attempts'], (refused) => onBlocked(spentUntil(refused)))),
  )
  const reason = failure && renewalReasonOf(failure)
  const refusal = reason && renewalReasonText[reason]

  return (
    <>
      <p className="soft small">
        {t({
          pl: 'Zakup kodu to jeszcze nie odnowienie: podpis odnowisz w\u00a0kolejnych krokach. Przygotuj telefon i\u00a0dokument tożsamości. Zajmie to około 10\u00a0minut.',
          en: 'Buying a code doesn’t renew your signature yet: you’ll do that in the next steps. You’ll need your phone and your identity document. It takes about 10\u00a0minutes.',
        })}
      </p>
      <FailureLine
        text={
          refusal ? (
            <>
              {t(refusal.what)} {t(refusal.advice)} <AnswerLink to="renewal-refused" />
            </>
          ) : (
            failureText
          )
        }
      />
      <div className="buttons">
        <Button variant="primary" isBusy={isBusy} busyText={t({ pl: 'Otwieramy…', en: 'Opening…' })} onClick={run}>
          {t({ pl: 'Rozpocznij odnowienie', en: 'Start renewal' })}
        </Button>
        <Button onClick={onAnother}>{t({ pl: 'Wpisz inny kod', en: 'Enter another code' })}</Button>
      </div>
    </>
  )
}
