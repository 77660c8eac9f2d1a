import type { UploadCheck as Found } from '../../contract/desk/desk-cases.ts'
import type { FileProblem, SignatureProblem } from '../../contract/document-report.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { fact, signatureFacts, SignatureTime, type Fact } from '../text/signature-facts.tsx'
import { problemText } from '../text/signature-problem-text.ts'
import { Check, Checks } from '../ui/checks.tsx'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { Notice } from '../ui/notice.tsx'

type Signature = Found['signatures'][number]

const verdictLook = {
  accepted: {
    kind: 'ok',
    text: { pl: 'Portal nie ma zastrzeżeń do tego pliku.', en: 'The portal has found nothing wrong with this file.' },
  },
  pending: {
    kind: 'warning',
    text: { pl: 'Portal nie mógł wszystkiego rozstrzygnąć.', en: 'The portal couldn’t decide everything.' },
  },
  refused: { kind: 'error', text: { pl: 'Tego pliku nie można przyjąć.', en: 'This file can’t be accepted.' } },
} as const

/** The texts for customers, except those that speak to the signer or of the moment of the upload. */
const deskProblemText: Record<FileProblem | SignatureProblem, Text> = {
  ...problemText,
  'other-signer': {
    pl: 'Podpisała inna osoba niż ta, która miała podpisać.',
    en: 'Somebody else signed it, not the person who was to sign.',
  },
  'revocation-unknown': {
    pl: 'Nie udało się sprawdzić, czy certyfikat nie był unieważniony.',
    en: 'It couldn’t be checked whether the certificate had been revoked.',
  },
}

/** Shows the result of the portal's check of the document that the customer signed, and who signed it (DSK-19). */
export function UploadCheck({ found }: { found: Found }) {
  const t = useText()
  const { verdict, problems, signatures } = found
  const { kind, text } = verdictLook[verdict]
  const all = [...problems, ...signatures.flatMap((signature) => signature.problems)]
  const textsOf = (isRemark: boolean) => [
    ...new Set(
      all.filter(({ severity }) => (severity === 'remark') === isRemark).map(({ code }) => t(deskProblemText[code])),
    ),
  ]
  const remarks = textsOf(true)
  return (
    <section aria-labelledby="upload-check">
      <h2 id="upload-check">{t({ pl: 'Sprawdzenie podpisanego dokumentu', en: 'Check of the signed document' })}</h2>
      <Notice kind={kind} title={t(text)}>
        {textsOf(false).map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </Notice>
      <Checks>
        <SameDocument found={found} />
      </Checks>
      {signatures.map((signature, index) => (
        // The order is that of the file; equal signatures have no other key.
        // oxlint-disable-next-line react/no-array-index-key
        <SignatureFound key={index} signature={signature} />
      ))}
      {remarks.length > 0 && (
        <p className="soft">
          {t({ pl: 'Bez wpływu na wynik: ', en: 'Without an effect on the result: ' })}
          {remarks.join(' ')}
        </p>
      )}
    </section>
  )
}

function SameDocument({ found: { document, problems } }: { found: Found }) {
  const t = useText()
  if (document === 'other')
    return <Check hasPassed={false}>{t({ pl: 'To inny dokument', en: 'It’s another document' })}</Check>
  const isDoubtful = problems.some(({ code }) => code === 'looks-different' || code === 'not-comparable')
  if (isDoubtful)
    return (
      <Check hasPassed={undefined}>
        {t({
          pl: 'Porównaj w\u00a0swoim systemie strony z\u00a0dokumentem z\u00a0tej sprawy',
          en: 'In your own system, compare the pages with the document of this case',
        })}
      </Check>
    )
  return <Check hasPassed>{t({ pl: 'To dokument z\u00a0tej sprawy', en: 'It’s the document of this case' })}</Check>
}

function SignatureFound({ signature }: { signature: Signature }) {
  const t = useText()
  const { kind, signer, issuer } = signature
  return (
    <div className="stack stack--small">
      <DescriptionList>
        {kind === 'signature' && (
          <VerbatimRow name={t({ pl: 'Podpisujący', en: 'Signed by' })}>{signer ?? '–'}</VerbatimRow>
        )}
        <Row
          name={
            kind === 'signature'
              ? t({ pl: 'Kiedy', en: 'When' })
              : t({ pl: 'Znacznik czasu dokumentu', en: 'Timestamp of the document' })
          }
        >
          <SignatureTime signature={signature} unknown="–" />
        </Row>
        <VerbatimRow name={t({ pl: 'Certyfikat wydał', en: 'Certificate issued by' })}>{issuer ?? '–'}</VerbatimRow>
      </DescriptionList>
      <Checks>
        {factsOf(signature).map(({ isMet, text }) => (
          <Check key={text.en} hasPassed={isMet}>
            {t(text)}
          </Check>
        ))}
      </Checks>
    </div>
  )
}

const notKnown = {
  pl: 'Nie wiadomo, czy certyfikat był unieważniony',
  en: 'It’s not known whether the certificate was revoked',
}

function factsOf(signature: Signature): Fact[] {
  const isOther = signature.problems.some(({ code }) => code === 'other-signer')
  // A certificate of nobody knows whom can name anybody.
  const signer = fact(
    !isOther,
    { pl: 'Podpisała osoba, która miała podpisać', en: 'Signed by the person who was to sign' },
    { pl: 'Podpisała inna osoba', en: 'Signed by somebody else' },
  )
  return [
    ...(signature.kind === 'signature' && signature.trusted ? [signer] : []),
    ...signatureFacts(signature, notKnown),
  ]
}
