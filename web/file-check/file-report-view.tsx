import { Fragment, useEffect, useRef, type RefObject, useId } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { HelpLine } from '../app/support-line.tsx'
import { Braid } from '../art/braid.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { tooManyReads } from '../text/failure-text.ts'
import { formatDateTime } from '../text/format.ts'
import { problemText } from '../text/signature-problem-text.ts'
import { Button } from '../ui/button.tsx'
import { FileRow } from '../ui/file-row.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { Verbatim } from '../ui/verbatim.tsx'
import { CheckedSignatureCard } from './checked-signature-card.tsx'
import {
  certificateOf,
  isCovered,
  isFilled,
  isOfSeal,
  isUnchanged,
  nameIn,
  seriousProblems,
  standingOfFile,
  type ReportedSignature,
  type Standing,
} from './file-report.ts'
import { isDoubted, isWhollyQualified, levelText, unqualifiedOf, unqualifiedTitle } from './signature-level.ts'
import { problemTexts } from './signature-problems.ts'
import type { Report } from './use-file-check.ts'
import { writeValidationReport } from './validation-report.ts'

type Props = {
  file: File
  password: string
  result: Report
  heading: RefObject<HTMLHeadingElement | null>
  onCheckAgain: () => void
  onStartAgain: () => void
}

const noticeKind = { valid: 'ok', unknown: 'warning', invalid: 'error' } as const
/** Returns the kind of notice for a verdict. Green means valid and qualified, because a reader may look at the colour only. */
function kindOf(standing: Standing, signatures: readonly ReportedSignature[]) {
  if (standing !== 'valid') return noticeKind[standing]
  if (signatures.some((signature) => isCovered(signature) || isFilled(signature))) return 'warning'
  return isWhollyQualified(signatures) ? 'ok' : 'info'
}

/** Shows one verdict, then each signature, in the order of the file (CHK-4). */
export function FileReportView({ file, password, result, heading, onCheckAgain, onStartAgain }: Props) {
  const t = useText()
  const { report, at } = result
  const { signatures } = report
  const whole = useRef<HTMLDivElement>(null)
  useOpenInPrint(whole)
  const isOnly = signatures.length === 1
  const isUnchangedSaid = standingOfFile(report) !== 'invalid' && signatures.every(isUnchanged)
  return (
    <div className="file-report" ref={whole}>
      <Verdict result={result} heading={heading} onCheckAgain={onCheckAgain} />
      <FileRow
        name={file.name}
        action={
          <p className="buttons file-report__actions">
            <Button size="s" onClick={onStartAgain}>
              {t({ pl: 'Sprawdź inny plik', en: 'Check another file' })}
            </Button>
            <Button size="s" onClick={() => print()}>
              {t({ pl: 'Drukuj wynik', en: 'Print the result' })}
            </Button>
            <Button size="s" onClick={() => saveReport(file, result)}>
              {t({ pl: 'Raport ETSI (XML)', en: 'ETSI report (XML)' })}
            </Button>
          </p>
        }
      >
        <p className="hint">
          {t({
            pl: `${formatBytes(t.locale, file.size)}, sprawdzono ${formatDateTime(t.locale, at)}`,
            en: `${formatBytes(t.locale, file.size)}, checked on ${formatDateTime(t.locale, at)}`,
          })}
        </p>
      </FileRow>
      {signatures.map((signature, index) => (
        // The order is that of the file; equal signatures have no other key.
        // oxlint-disable-next-line react/no-array-index-key
        <CheckedSignatureCard
          key={index}
          signature={signature}
          later={signatures.slice(index + 1)}
          file={file}
          password={password}
          number={index + 1}
          revisions={report.revisions}
          isOnly={isOnly}
          isUnchangedSaid={isUnchangedSaid}
        />
      ))}
    </div>
  )
}

/** A tick, a question mark and a cross, around the middle of the rosette. */
const marks: Record<Standing, string> = {
  valid: 'm-15.4 1.3 10.1 10.1 21.1-22.8',
  unknown: 'M-8.2-9.2a8.5 8.5 0 1 1 12.9 7.1c-3.4 2-4.8 3.7-4.8 7.1M0 15v.01',
  invalid: 'M-11-11 11 11M11-11-11 11',
}

/** Shows the verdict as an emblem; the text next to it says the same. */
function VerdictSeal({ standing }: { standing: Standing }) {
  const id = useId()
  return (
    <svg className="guilloche file-report__seal" viewBox="-60 -60 120 120" aria-hidden="true">
      <Braid id={id} shape={{ radius: 48, amplitude: 9, waves: 18, strands: 6 }} />
      <circle r="35" />
      <path className="file-report__mark" d={marks[standing]} />
    </svg>
  )
}

/** Shows the verdict on the file, the reasons, and what to do about it. */
function Verdict({
  result: { report, unasked },
  heading,
  onCheckAgain,
}: Pick<Props, 'result' | 'heading' | 'onCheckAgain'>) {
  const t = useText()
  const { signatures } = report
  const standing = standingOfFile(report)
  const level = standing === 'valid' && levelText(signatures)
  const canCheckAgain =
    !!unasked ||
    signatures.some((signature) => seriousProblems(signature).includes('revocation-unknown')) ||
    (standing === 'valid' && report.unproven.length > 0)
  return (
    <div className={`notice notice--${kindOf(standing, signatures)} file-report__verdict`}>
      <VerdictSeal standing={standing} />
      <div>
        <h2 ref={heading} tabIndex={-1}>
          {t((standing === 'valid' && unqualifiedTitle(signatures)) || verdictTitle(standing, signatures))}
        </h2>
        {signatures.length === 1 && standing === 'valid' && <SignedBy signature={signatures[0]!} />}
        {level && <p>{t(level)}</p>}
        {standing === 'valid' && <NotQualified signatures={unqualifiedOf(signatures)} />}
        {reasonsFor(standing, signatures)
          // Why it is not known is said below.
          .filter((reason) => !unasked || reason !== problemText['revocation-unknown'])
          .map((reason) => (
            <p key={reason.en}>{t(reason)}</p>
          ))}
        {unasked && (
          <p>
            {t({
              pl: 'Nie udało się zapytać wystawców, czy certyfikaty nie są unieważnione.',
              en: 'We couldn’t ask the issuers whether the certificates have been revoked.',
            })}{' '}
            {explainFailure(t.locale, unasked, unasked.code === 'too-many-attempts' ? tooManyReads : undefined)}
          </p>
        )}
        {/* Of the signers everything is known then, so what is left are authorities of timestamps. */}
        {standing === 'valid' && !unasked && report.unproven.length > 0 && (
          <p>
            {t({
              pl: 'Nie wiadomo tylko, czy certyfikat wystawcy znacznika czasu nie był unieważniony.',
              en: 'What isn’t known is whether the certificate of a timestamp’s issuer was revoked.',
            })}
          </p>
        )}
        {standing !== 'valid' && (
          <p>
            <b>{t(standing === 'invalid' ? askForAnother : canCheckAgain ? checkLater : askWhoSigned)}</b>
          </p>
        )}
        {canCheckAgain && (
          <p className="buttons">
            <RetryButton isCheck variant="primary" size="s" onClick={onCheckAgain} />
          </p>
        )}
        {standing !== 'valid' && <HelpLine />}
      </div>
    </div>
  )
}

/** Saves the validation report (CHK-8). */
async function saveReport(file: File, { report, at }: Report) {
  const content = await writeValidationReport(file, report, at)
  saveFile(new Blob([content], { type: 'application/xml' }), `${file.name.replace(/\.pdf$/i, '')}-ts-119-102-2.xml`)
}

type Titles = Record<Standing, Text>
const unsure: Text = { pl: 'Nie wszystko udało się potwierdzić', en: 'We couldn’t confirm everything' }
const titles: Record<'signature' | 'seal' | 'signatures' | 'seals' | 'everything', Titles> = {
  signature: {
    valid: { pl: 'Podpis jest prawidłowy', en: 'The signature is valid' },
    unknown: unsure,
    invalid: { pl: 'Podpis jest nieprawidłowy', en: 'The signature isn’t valid' },
  },
  seal: {
    valid: { pl: 'Pieczęć jest prawidłowa', en: 'The seal is valid' },
    unknown: unsure,
    invalid: { pl: 'Pieczęć jest nieprawidłowa', en: 'The seal isn’t valid' },
  },
  signatures: {
    valid: { pl: 'Wszystkie podpisy są prawidłowe', en: 'All signatures are valid' },
    unknown: unsure,
    invalid: { pl: 'Nie wszystkie podpisy są prawidłowe', en: 'Not all signatures are valid' },
  },
  seals: {
    valid: { pl: 'Wszystkie pieczęcie są prawidłowe', en: 'All seals are valid' },
    unknown: unsure,
    invalid: { pl: 'Nie wszystkie pieczęcie są prawidłowe', en: 'Not all seals are valid' },
  },
  everything: {
    valid: { pl: 'Wszystko w\u00a0tym pliku jest prawidłowe', en: 'Everything in this file is valid' },
    unknown: unsure,
    invalid: { pl: 'Nie wszystko w\u00a0tym pliku jest prawidłowe', en: 'Not everything in this file is valid' },
  },
}

function verdictTitle(standing: Standing, all: readonly ReportedSignature[]): Text {
  const kinds = new Set(
    all.map((each) => {
      const certificate = certificateOf(each)
      return each.kind === 'signature' && certificate && isOfSeal(certificate) ? 'seal' : each.kind
    }),
  )
  const [only] = kinds
  if (kinds.size > 1) return titles.everything[standing]
  if (!only || only === 'document-timestamp')
    return {
      pl: 'W\u00a0tym pliku jest znacznik czasu, ale nie ma podpisu',
      en: 'This file has a timestamp, but no signature',
    }
  return titles[all.length > 1 ? (`${only}s` as const) : only][standing]
}

/**
 * Shows the signer and the time, such as „Anna Nowak, 21 listopada 2026, 11:05”; a time that nothing confirms is shown only in the card,
 * with that remark.
 */
function SignedBy({ signature: { signer, provenAt } }: { signature: ReportedSignature }) {
  const locale = useLocale()
  const name = nameIn(signer?.subject)
  if (name === undefined) return null
  return (
    <p>
      <b>
        <Verbatim>{name}</Verbatim>
        {provenAt && `, ${formatDateTime(locale, provenAt)}`}
      </b>
    </p>
  )
}

function NotQualified({ signatures }: { signatures: readonly ReportedSignature[] }) {
  const t = useText()
  if (!signatures.length) return null
  return (
    <p>
      {signatures.some(isDoubted)
        ? t({ pl: 'Niekwalifikowane lub niepotwierdzone: ', en: 'Not qualified or not confirmed: ' })
        : t({ pl: 'Niekwalifikowane: ', en: 'Not qualified: ' })}
      {signatures.map(({ signer }, index) => (
        // The order is that of the file; equal signatures have no other key.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {index > 0 && ', '}
          <Verbatim>{nameIn(signer?.subject) ?? '–'}</Verbatim>
          {signer && isOfSeal(signer)
            ? t({ pl: ' (pieczęć)', en: ' (seal)' })
            : t({ pl: ' (podpis)', en: ' (signature)' })}
        </Fragment>
      ))}
      .
    </p>
  )
}

const unchangedText: Text = {
  pl: 'Dokument nie zmienił się od podpisania.',
  en: 'The document hasn’t changed since it was signed.',
}
const askForAnother: Text = {
  pl: 'Nie polegaj na tym pliku. Poproś nadawcę, aby przysłał go jeszcze raz.',
  en: 'Don’t rely on this file. Ask the sender to send it again.',
}
const askWhoSigned: Text = {
  pl: 'Zanim zaufasz temu plikowi, zapytaj nadawcę, kto i\u00a0kiedy go podpisał.',
  en: 'Before you rely on this file, ask the sender who signed it and when.',
}
const checkLater: Text = {
  pl: 'Sprawdź ponownie za kilka minut, zanim zaufasz temu plikowi.',
  en: 'Check again in a few minutes, before you rely on this file.',
}

const coveredText: Text = {
  pl: 'Późniejszy podpis zasłania część strony. Otwórz wersję, którą podpisano wcześniej, i\u00a0porównaj.',
  en: 'A later signature covers part of a page. Open the version that was signed before it, and compare.',
}

const filledText: Text = {
  pl: 'To, co podpisano, jest nienaruszone, ale później wypełniono formularz. Otwórz wersję, którą podpisano, i\u00a0porównaj.',
  en: 'What was signed is intact, but the form was filled in later. Open the version that was signed, and compare.',
}

/**
 * Returns the reasons for the verdict: for a single signature each reason, which its card does not repeat; for several, what is true of
 * all.
 */
function reasonsFor(standing: Standing, signatures: readonly ReportedSignature[]): Text[] {
  const [first, second] = signatures
  const problems = first && !second ? problemTexts(first) : []
  const unchanged = signatures.map(isUnchanged)
  if (unchanged.includes(false) || standing === 'invalid')
    return problems.length
      ? problems
      : [{ pl: 'Przy każdym podpisie piszemy, co jest nie tak.', en: 'What’s wrong is described with each signature.' }]
  const looks = [
    ...(signatures.some(isCovered) ? [coveredText] : []),
    ...(signatures.some(isFilled) ? [filledText] : []),
  ]
  if (looks.length) return [...looks, ...problems]
  if (unchanged.includes(undefined))
    return problems.length
      ? problems
      : [
          {
            pl: 'Nie wiemy, czy dokument się zmienił. Przy każdym podpisie piszemy dlaczego.',
            en: 'We can’t tell whether the document has changed. The reasons are given with each signature.',
          },
        ]
  if (standing === 'valid') return [unchangedText]
  return problems.length
    ? [unchangedText, ...problems]
    : [
        {
          pl: 'Dokument nie zmienił się od podpisania, ale nie wszystko o\u00a0podpisie jest pewne.',
          en: 'The document hasn’t changed since it was signed, but not everything about the signature is certain.',
        },
      ]
}

/** Opens the details for experts when the page is printed, and closes them again afterwards. */
function useOpenInPrint(whole: RefObject<HTMLElement | null>) {
  useEffect(() => {
    let opened: HTMLDetailsElement[] = []
    const open = () => {
      opened = [...(whole.current?.querySelectorAll<HTMLDetailsElement>('details:not([open])') ?? [])]
      for (const each of opened) each.open = true
    }
    const close = () => {
      for (const each of opened) each.open = false
    }
    addEventListener('beforeprint', open)
    addEventListener('afterprint', close)
    return () => {
      removeEventListener('beforeprint', open)
      removeEventListener('afterprint', close)
    }
  }, [whole])
}
