import type { ReactNode } from 'react'
import type { DocumentCase, DocumentSigner } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { afterCodeText } from '../service-authorisation/after-code-text.ts'
import { hasNewer, newerText } from '../service-authorisation/newer-certificate.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { formatDate, plural } from '../text/format.ts'
import { TextLink } from '../ui/button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { Code } from '../ui/verbatim.tsx'

type Props = {
  document: DocumentCase
  /** Known once the document is open. */
  opened: { bytes: number; pages: number | null | undefined } | undefined
  certificate: ReactNode
  /** Program in which the document is signed: another one if the document cannot be read here, or no certificate can sign it here. */
  signedBy: 'portal' | 'other-program' | undefined
}

const nextSteps: Record<NonNullable<Props['signedBy']> | 'locked', readonly Text[]> = {
  locked: [
    { pl: 'Otworzysz dokument kodem z\u00a0e-maila.', en: 'You’ll open the document with the code from our e-mail.' },
    { pl: 'Przeczytasz go.', en: 'You’ll read it.' },
    { pl: 'Podpiszesz go kodem z\u00a0SMS-a.', en: 'You’ll sign it with the code from our text message.' },
    { pl: 'Wynik weryfikacji wyślemy e-mailem.', en: 'We’ll check it and e-mail you the result.' },
  ],
  portal: [
    { pl: 'Wpiszesz kod, który wyślemy SMS-em.', en: 'You’ll enter the code from our text message.' },
    { pl: 'Dokument od razu trafi do weryfikacji.', en: 'We’ll check the document straight away.' },
    { pl: 'Wynik wyślemy e-mailem.', en: 'We’ll e-mail you the result.' },
  ],
  'other-program': [
    { pl: 'Pobierz PDF.', en: 'Download the PDF.' },
    {
      pl: 'Podpisz go w\u00a0swoim programie, w\u00a0formacie PAdES.',
      en: 'Sign it with your own software, in the PAdES format.',
    },
    {
      pl: 'Na liście dokumentów naciśnij „Prześlij podpisany plik”.',
      en: 'In the list of documents, press “Upload signed file”.',
    },
    { pl: 'Wynik weryfikacji wyślemy e-mailem.', en: 'We’ll check it and e-mail you the result.' },
  ],
}

/** Shows what is signed, with which certificate, and what happens next (DOC-11). */
export function SigningPanel({ document: { process, application, document }, opened, certificate, signedBy }: Props) {
  const t = useText()
  return (
    <div
      className="reading__panel"
      role="region"
      aria-label={t({ pl: 'Co podpisujesz', en: 'What you’re signing' })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a low screen it scrolls, also by keyboard (WCAG 2.1.1)
      tabIndex={0}
    >
      {certificate && (
        <section aria-labelledby="signing-with">
          <h3 id="signing-with">
            {signedBy === 'other-program'
              ? t({ pl: 'Twój podpis', en: 'Your signature' })
              : t({ pl: 'Podpisujesz certyfikatem', en: 'You’re signing with' })}
          </h3>
          {certificate}
        </section>
      )}
      <section aria-labelledby="signing-what">
        <h3 id="signing-what">{t({ pl: 'Dokument', en: 'Document' })}</h3>
        <DescriptionList look="plain" className="reading__facts">
          <Row name={t({ pl: 'Nazwa', en: 'Name' })}>
            <b>{t(process)}</b>
          </Row>
          <Row name={t({ pl: 'Numer dokumentu', en: 'Document number' })}>
            <Code className="wrap">{document}</Code>
          </Row>
          <Row name={t({ pl: 'Numer sprawy', en: 'Case number' })}>
            <Code className="wrap">{application}</Code>
          </Row>
          <Row name={t({ pl: 'Plik', en: 'File' })}>
            {opened ? (
              <>
                {!!opened.pages && `${t(pagesText(opened.pages))}, `}
                {formatBytes(t.locale, opened.bytes)}
              </>
            ) : (
              t({ pl: 'Zaszyfrowany PDF', en: 'Encrypted PDF' })
            )}
          </Row>
        </DescriptionList>
      </section>
      {signedBy && (
        <section aria-labelledby="signing-next">
          <h3 id="signing-next">{t({ pl: 'Co dalej', en: 'What happens next' })}</h3>
          <ol className="ordered-list">
            {nextSteps[signedBy === 'portal' && !opened ? 'locked' : signedBy].map((step) => (
              <li key={step.en}>{t(step)}</li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

const pagesText = (pages: number) => ({
  pl: `${pages}\u00a0${plural('pl', pages, { one: 'strona', few: 'strony', other: 'stron' })}`,
  en: `${pages}\u00a0${plural('en', pages, { one: 'page', other: 'pages' })}`,
})

/** Returns the holder of a certificate, with the organisation if there is one. */
export const documentSignerName = ({ name, organisation }: DocumentSigner) =>
  organisation ? `${name}, ${organisation}` : name

/** Shows the certificate, or a choice if several can sign. */
export function Signers({ signers, onChosen }: { signers: readonly DocumentSigner[]; onChosen: (id: string) => void }) {
  const t = useText()
  const until = (signer: DocumentSigner) => {
    const next = afterCodeText(signer)
    const validity = t({
      pl: `Ważny do ${formatDate(t.locale, signer.validTo)}`,
      en: `Valid until ${formatDate(t.locale, signer.validTo)}`,
    })
    const more = [hasNewer(signers, signer) && t(newerText), next && t(next)].filter(Boolean)
    return more.length ? [endSentence(validity), ...more].join(' ') : validity
  }
  const [first] = signers
  if (!first)
    return (
      <>
        <p className="soft">
          {t({
            pl: 'W\u00a0portalu podpiszesz tylko podpisem w\u00a0aplikacji mobilnej, wydanym na Twoje dane. Nie podpiszesz podpisem, dla którego zlecono zawieszenie lub unieważnienie.',
            en: 'In the portal you can only sign with a signature in the mobile app, issued in your name. You can’t use one whose suspension or revocation has been requested.',
          })}
        </p>
        <p>
          <TextLink href={config.brand.links.newSignature}>
            {t({ pl: 'Kup podpis w\u00a0aplikacji', en: 'Buy a signature in the app' })}
          </TextLink>
        </p>
      </>
    )
  if (signers.length > 1)
    return (
      <RadioCards
        name="signer"
        columns={1}
        onChosen={onChosen}
        label={t({ pl: 'Którym podpisem', en: 'Which signature' })}
        options={signers.map((signer) => ({
          value: signer.id,
          label: documentSignerName(signer),
          verbatim: true,
          hint: until(signer),
        }))}
      />
    )
  return (
    <>
      <div className="signer">
        <span className="signer__icon">
          <Icon name="shield-check" />
        </span>
        <p>
          <b translate="no">{documentSignerName(first)}</b>
          <br />
          <span className="soft">{until(first)}</span>
        </p>
      </div>
      <input type="hidden" name="signer" value={first.id} />
    </>
  )
}
