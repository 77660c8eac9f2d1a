import type { DocumentCase, DocumentSigner } from '../../contract/documents.ts'
import { Icon } from '../art/icons.tsx'
import { useText } from '../locale.tsx'
import { Code, Verbatim } from '../ui/verbatim.tsx'
import { whose } from './signing-panel.tsx'

type Props = {
  document: DocumentCase
  /** Those who can sign; undefined until they are known. */
  signers: readonly DocumentSigner[] | undefined
  failed: boolean
  /** With whom the document is signed next; undefined while it is still locked. */
  chosen: DocumentSigner | undefined
}

/** On a phone the choice is below the pages; the focus brings it into view. */
const showChoice = () => document.querySelector<HTMLInputElement>('input[name=signer]:checked')?.focus()

/** DOC-11: next to the button, because on a phone the panel is further down: what it begins, or why it cannot be pressed. */
export function SigningNote({ document, signers, failed, chosen }: Props) {
  const t = useText()
  const text = signers?.length ? (
    chosen && (
      <span>
        {t({ pl: 'Podpisujesz dokument ', en: 'You’re signing document ' })}
        <Code>{document.document}</Code>
        {t({ pl: ' certyfikatem: ', en: ' with the certificate of ' })}
        <Verbatim>{whose(chosen)}</Verbatim>.{' '}
        {signers.length > 1 && (
          <>
            <button type="button" className="link" onClick={showChoice}>
              {t({ pl: 'Zmień certyfikat', en: 'Change certificate' })}
            </button>{' '}
          </>
        )}
        <b>{t({ pl: 'Tego nie można cofnąć.', en: 'This can’t be undone.' })}</b>
      </span>
    )
  ) : signers ? (
    <>
      <Icon name="info" />
      <span>
        <b>
          {t({
            pl: 'Nie masz podpisu w\u00a0chmurze, którym możesz teraz podpisać ten dokument.',
            en: 'You have no cloud signature that can sign this document now.',
          })}
        </b>{' '}
        {t({
          pl: 'Zapisz PDF, podpisz go w\u00a0swoim programie i\u00a0prześlij.',
          en: 'Save the PDF, sign it with your own software and upload it.',
        })}
      </span>
    </>
  ) : (
    failed && (
      <>
        <Icon name="alert" />
        <span>
          <b>{t({ pl: 'Nie udało się wczytać Twoich podpisów.', en: 'We couldn’t load your signatures.' })}</b>{' '}
          {t({ pl: 'Spróbuj ponownie.', en: 'Try again.' })}
        </span>
      </>
    )
  )
  return (
    <p className="signnote" role="status">
      {text}
    </p>
  )
}
