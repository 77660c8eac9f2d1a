import type { ReactNode } from 'react'
import type { SignatureFound, UploadReport } from '../../contract/document-report.ts'
import { Icon, type IconName } from '../art/icons.tsx'
import { useLocale, useText } from '../locale.tsx'
import { formatDateTime } from '../text/format.ts'
import { Notice } from '../ui/notice.tsx'
import { doubtfulDocumentText, problemText, sameDocumentText, verdictText, wayText } from './report-text.ts'

const noticeKind = { accepted: 'ok', pending: 'warn', refused: 'err' } as const

/** DOC-8: the verdict, what is wrong and what to do, what follows from it, then who signed, when, and what that covers. */
export function ReportView({ report, past, children }: { report: UploadReport; past?: true; children?: ReactNode }) {
  const t = useText()
  const { verdict, document, problems, signatures } = report
  const found = [...problems, ...signatures.flatMap((one) => one.problems)]
  const told = found.filter(({ severity }) => severity !== 'remark')
  const wrong = unique(told.map(({ code }) => t(problemText[code].text)))
  const refusing = found.filter(({ severity }) => severity === 'refuse')
  const ways = unique(refusing.map(({ code }) => t(wayText[problemText[code].way])))
  const remarks = unique(
    found.filter(({ severity }) => severity === 'remark').map(({ code }) => t(problemText[code].text)),
  ).filter((text) => !wrong.includes(text))
  const isDoubtful = problems.some(({ code }) => code === 'looks-different' || code === 'not-comparable')
  const { title, text } = verdictText[verdict]
  return (
    <div
      className="report"
      role="group"
      aria-label={t({ pl: 'Wynik sprawdzenia', en: 'Result of the check' })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what the keyboard cannot reach it cannot scroll (WCAG 2.1.1)
      tabIndex={0}
    >
      <Notice kind={noticeKind[verdict]} title={t(title)}>
        {wrong.length > 0 && (
          <ul className="report__list">
            {wrong.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        )}
        {ways.length > 0 && (
          <>
            <p>
              <strong>{t({ pl: 'Co zrobić', en: 'What to do' })}</strong>
            </p>
            <ul className="report__list">
              {ways.map((way) => (
                <li key={way}>{way}</li>
              ))}
            </ul>
          </>
        )}
        {!past && !ways.length && <p>{t(text)}</p>}
      </Notice>
      {children}
      <ul className="checks report__facts">
        {isDoubtful ? (
          <Fact holds={undefined}>{t(doubtfulDocumentText)}</Fact>
        ) : (
          <Fact holds={document !== 'other'}>{t(sameDocumentText[document])}</Fact>
        )}
      </ul>
      {signatures.map((signature, index) => (
        // The order is that of the file, and nothing else tells two alike apart.
        // oxlint-disable-next-line react/no-array-index-key
        <Signature key={index} signature={signature} />
      ))}
      {remarks.length > 0 && (
        <details className="report__more">
          <summary>{t({ pl: 'Uwagi, które nic nie zmieniają', en: 'Remarks that change nothing' })}</summary>
          <ul className="report__list">
            {remarks.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

const unique = (texts: readonly string[]) => [...new Set(texts)]

function Signature({ signature }: { signature: SignatureFound }) {
  const t = useText()
  const { kind, signer, issuer, intact, coversWholeDocument, trusted, revocation } = signature
  const unknown = t({ pl: 'nie wiadomo', en: 'not known' })
  const isSignature = kind === 'signature'
  return (
    <section className="report__sig">
      <dl className="rows">
        <div>
          <dt>
            {isSignature
              ? t({ pl: 'Podpisano przez', en: 'Signed by' })
              : t({ pl: 'Znacznik czasu od', en: 'Timestamp by' })}
          </dt>
          <dd>
            <b>{signer ?? unknown}</b>
          </dd>
        </div>
        <div>
          <dt>{t({ pl: 'Kiedy', en: 'When' })}</dt>
          <dd>
            <When signature={signature} />
          </dd>
        </div>
        <div>
          <dt>{t({ pl: 'Certyfikat od', en: 'Certificate from' })}</dt>
          <dd>{issuer ?? unknown}</dd>
        </div>
      </dl>
      <ul className="checks report__facts">
        <Fact holds={intact}>
          {intact
            ? t({ pl: 'Jest nienaruszony', en: 'It is intact' })
            : t({ pl: 'Jest naruszony', en: 'It is not intact' })}
        </Fact>
        <Fact holds={coversWholeDocument}>
          {coversWholeDocument
            ? t({ pl: 'Obejmuje cały dokument', en: 'It covers the whole document' })
            : t({ pl: 'Nie obejmuje całego dokumentu', en: 'It does not cover the whole document' })}
        </Fact>
        <Fact holds={trusted}>
          {trusted
            ? t({ pl: 'Certyfikat jest zaufany', en: 'The certificate is trusted' })
            : t({ pl: 'Certyfikat nie jest zaufany', en: 'The certificate is not trusted' })}
        </Fact>
        {trusted && (
          <Fact holds={revocation === 'good' ? true : revocation === 'revoked' ? false : undefined}>
            {t(
              {
                good: { pl: 'Certyfikat nie był unieważniony', en: 'The certificate was not revoked' },
                revoked: { pl: 'Certyfikat był unieważniony', en: 'The certificate was revoked' },
                unknown: {
                  pl: 'Nie wiadomo, czy certyfikat był unieważniony',
                  en: 'Whether the certificate was revoked is not known',
                },
              }[revocation],
            )}
          </Fact>
        )}
      </ul>
    </section>
  )
}

/** Only a timestamp proves a time; what the signer's own program says is called so. */
function When({ signature: { provenAt, claimedAt } }: { signature: SignatureFound }) {
  const t = useText()
  const locale = useLocale()
  const at = provenAt ?? claimedAt
  if (!at) return t({ pl: 'nie wiadomo', en: 'not known' })
  return (
    <>
      <time dateTime={at}>{formatDateTime(locale, at)}</time>{' '}
      <span className="soft">
        {provenAt
          ? t({ pl: '(potwierdza to znacznik czasu)', en: '(proven by a timestamp)' })
          : t({ pl: '(według zegara podpisującego)', en: '(by the signer’s clock)' })}
      </span>
    </>
  )
}

/** A word and a shape; `undefined` where it is not known. */
function Fact({ holds, children }: { holds: boolean | undefined; children: ReactNode }) {
  const [icon, kind]: [IconName, string] =
    holds === undefined ? ['help', 'is-unknown'] : holds ? ['okc', ''] : ['alert', 'is-wrong']
  return (
    <li className={kind || undefined}>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  )
}
