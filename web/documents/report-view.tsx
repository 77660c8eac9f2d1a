import type { ReactNode } from 'react'
import type { FileProblem, SignatureFound, SignatureProblem, UploadReport } from '../../contract/document-report.ts'
import type { Locale } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { signatureFacts, SignatureTime } from '../text/signature-facts.tsx'
import { problemText } from '../text/signature-problem-text.ts'
import { Check, Checks } from '../ui/checks.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { Fold } from '../ui/fold.tsx'
import { Notice } from '../ui/notice.tsx'
import { adviceOf, sameDocumentText, verdictText, adviceText } from './report-text.ts'

const noticeKind = { accepted: 'ok', pending: 'warning', refused: 'error' } as const

type Props = {
  report: UploadReport
  isPast?: true
  /** Whether the customer may submit the file now, which cannot be undone. */
  isFinal?: boolean
  /** Control below the problems of a refused file that leads to the document that has to be signed again. */
  cure?: ReactNode
}

/** Shows the verdict, each problem with its advice, the consequence, and then who signed, when, and what that covers (DOC-8). */
export function ReportView(props: Props) {
  const { report, isFinal } = props
  const t = useText()
  const { verdict, document, problems, signatures } = report
  const found = [...problems, ...signatures.flatMap((signature) => signature.problems)]
  const shown = found.filter(({ severity }) => severity !== 'remark')
  const wrong = textsOf(t.locale, shown)
  const remarks = textsOf(t.locale, found).filter((text) => !wrong.includes(text))
  const isDoubtful = problems.some(({ code }) => code === 'looks-different' || code === 'not-comparable')
  // One warning for a doubt: the facts do not repeat it.
  const isSaid = (code: FileProblem | SignatureProblem) => shown.some((problem) => problem.code === code)
  return (
    <div
      className="report"
      role="group"
      aria-label={t({ pl: 'Wynik sprawdzenia', en: 'Check result' })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what the keyboard cannot reach it cannot scroll (WCAG 2.1.1)
      tabIndex={0}
    >
      <Verdict {...props} problems={shown} />
      {isFinal && verdict === 'accepted' && (
        <Notice kind="warning">
          <p>
            <strong>{t(noUndo)}</strong>{' '}
            {t({
              pl: 'Sprawdź, czy to właściwy dokument. Wynik weryfikacji wyślemy e-mailem.',
              en: 'Make sure it’s the right document. We’ll e-mail you the result.',
            })}
          </p>
        </Notice>
      )}
      {!isDoubtful && !isSaid('other-document') && (
        <Checks className="report__facts">
          <Check hasPassed={document !== 'other'}>{t(sameDocumentText[document])}</Check>
        </Checks>
      )}
      {signatures.map((signature, index) => (
        // The order is that of the file; equal signatures have no other key.
        // oxlint-disable-next-line react/no-array-index-key
        <Signature key={index} signature={signature} saysRevocation={!isSaid('revocation-unknown')} />
      ))}
      {remarks.length > 0 && (
        <Fold summary={t({ pl: 'Uwagi bez wpływu na wynik', en: 'Notes that don’t affect the result' })}>
          <List texts={remarks} />
        </Fold>
      )}
    </div>
  )
}

type Problem = UploadReport['problems'][number] | SignatureFound['problems'][number]

/** Shows what is wrong, with advice on each problem for which the file is refused. */
function Verdict({ report: { verdict }, isPast, isFinal, cure, problems }: Props & { problems: readonly Problem[] }) {
  const t = useText()
  const refusing = problems.filter(({ severity }) => severity === 'refuse')
  const cures = advicesOf(refusing).map((advice) => ({
    advice,
    faults: textsOf(
      t.locale,
      refusing.filter(({ code }) => adviceOf[code] === advice),
    ),
  }))
  const wrong = textsOf(t.locale, problems)
  // What would not have refused the file has no cure of its own.
  const doubts = wrong.filter((text) => !cures.some(({ faults }) => faults.includes(text)))
  const { title, pastTitle, text } = verdictText[verdict]
  // The one doubt says what is wrong, and the sentence after it what to do.
  const [doubt] = verdict === 'pending' && wrong.length === 1 ? wrong : []
  const next = doubt ? advicesOf(problems).map((advice) => t(adviceText[advice])) : [t(text)]
  return (
    // The dialog in which a file is refused has that as its title.
    <Notice kind={noticeKind[verdict]} title={doubt ?? (isPast ? t(pastTitle) : verdict !== 'refused' && t(title))}>
      {cures.length > 0 && (
        <ul className="report__cures">
          {cures.map(({ advice, faults }) => (
            <li key={advice}>
              {faults.map((fault) => (
                <p key={fault}>
                  <b>{fault}</b>
                </p>
              ))}
              <p>{t(adviceText[advice])}</p>
            </li>
          ))}
        </ul>
      )}
      {doubts.length > 0 && !doubt && <List texts={doubts} />}
      {cures.length > 0 && (
        <>
          {cure && <p className="buttons">{cure}</p>}
          <p>
            <AnswerLink to="file-refused" />
          </p>
        </>
      )}
      {!isPast && !cures.length && next.map((sentence) => <p key={sentence}>{sentence}</p>)}
      {isFinal && verdict === 'pending' && (
        <p>
          <strong>{t(noUndo)}</strong>
        </p>
      )}
    </Notice>
  )
}

const noUndo = { pl: 'Przesłania nie można cofnąć.', en: 'You can’t undo the upload.' }

const List = ({ texts }: { texts: readonly string[] }) => (
  <ul className="report__list">
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
)

const textsOf = (locale: Locale, problems: readonly Problem[]) =>
  unique(problems.map(({ code }) => problemText[code][locale]))
const advicesOf = (problems: readonly Problem[]) => unique(problems.map(({ code }) => adviceOf[code]))

function unique<T>(values: readonly T[]) {
  return [...new Set(values)]
}

function Signature({ signature, saysRevocation }: { signature: SignatureFound; saysRevocation: boolean }) {
  const t = useText()
  const { kind, signer, issuer, problems } = signature
  const unknown = t({ pl: 'nie wiadomo', en: 'not known' })
  const isSignature = kind === 'signature'
  // Its problems are above, each with its cure, and the facts do not repeat what is wrong.
  const isExplained = problems.some(({ severity }) => severity !== 'remark')
  const facts = signatureFacts(signature, saysRevocation ? notKnown : undefined).filter(
    ({ isMet }) => isMet !== false || !isExplained,
  )
  return (
    <section className="report__signature">
      <DescriptionList>
        <Row
          name={
            isSignature
              ? t({ pl: 'Podpisujący', en: 'Signed by' })
              : t({ pl: 'Znacznik czasu wystawił', en: 'Timestamp issued by' })
          }
        >
          <b translate={signer ? 'no' : undefined}>{signer ?? unknown}</b>
        </Row>
        <Row name={t({ pl: 'Kiedy', en: 'When' })}>
          <SignatureTime signature={signature} unknown={unknown} />
        </Row>
        <Row name={t({ pl: 'Certyfikat wydał', en: 'Certificate issued by' })} translate={issuer ? 'no' : undefined}>
          {issuer ?? unknown}
        </Row>
      </DescriptionList>
      {facts.length > 0 && (
        <Checks className="report__facts">
          {facts.map(({ isMet, text }) => (
            <Check key={text.en} hasPassed={isMet}>
              {t(text)}
            </Check>
          ))}
        </Checks>
      )}
    </section>
  )
}

const notKnown = {
  pl: 'Nie wiadomo, czy certyfikat był unieważniony',
  en: 'We don’t know whether the certificate was revoked',
}
