import type { DocumentCase, DocumentSigner } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { useText } from '../app/locale.tsx'
import { Icon, type IconName } from '../art/icons.tsx'
import { MaskedPhone } from '../phone/masked-phone.tsx'
import { afterCodeText } from '../service-authorisation/after-code-text.ts'
import { useFormState } from '../ui/form-state.ts'
import { Code, Verbatim } from '../ui/verbatim.tsx'
import { documentSignerName } from './signing-panel.tsx'

type Props = {
  document: DocumentCase
  /** Available signers; undefined until they are known. */
  signers: readonly DocumentSigner[] | undefined
  hasFailed: boolean
  /** Signer of the next signature; undefined while the document is still locked. */
  chosen: DocumentSigner | undefined
  /** Whether a page has been shown; undefined until that is known. */
  reading: 'begun' | 'impossible' | undefined
  /** Masked number to which the code is sent. */
  maskedPhone: string | undefined
}

/** Moves the focus to the choice of the certificate, which brings it into view: on a phone it is below the pages. */
const showChoice = () => document.querySelector<HTMLInputElement>('input[name=signer]:checked')?.focus()

function obstacleOf({ signers, hasFailed, chosen, reading }: Props) {
  if (reading === 'impossible') return unreadable
  if (signers?.length === 0) return noSignature
  if (hasFailed) return unread
  return chosen && !reading ? opening : undefined
}

/**
 * Says next to the button what it begins, or why it cannot be pressed, because on a phone the panel is further down (DOC-11). There it
 * leaves out the document number, which is in the head of the dialog, so that the page has the room.
 */
export function SigningNote(props: Props) {
  const { document, signers, chosen, maskedPhone } = props
  const t = useText()
  const blocked = obstacleOf(props)
  const text = blocked ? (
    <>
      <Icon name={blocked.icon} />
      <span>
        <b>{t(blocked.why)}</b> {t(blocked.next)}
      </span>
    </>
  ) : (
    chosen &&
    signers && (
      <span>
        <SignedWith document={document} signer={chosen} />
        {maskedPhone && (
          <>
            {t({ pl: ' Kod wyślemy na numer ', en: ' We’ll send the code to ' })}
            <MaskedPhone number={maskedPhone} />.
          </>
        )}{' '}
        {signers.length > 1 && (
          <button type="button" className="link signing-note__change" onClick={showChoice}>
            {t({ pl: 'Zmień certyfikat', en: 'Change certificate' })}
          </button>
        )}
      </span>
    )
  )
  return (
    <p className="signing-note" role="status">
      {text}
    </p>
  )
}

/** Says what is signed, with which certificate, and that it is final: next to the button that sends the code, and to the one that signs. */
function SignedWith({ document, signer }: { document: DocumentCase; signer: DocumentSigner }) {
  const t = useText()
  return (
    <>
      {t({ pl: 'Podpisujesz', en: 'You’re signing' })}
      <span className="signing-note__wide">
        {t({ pl: ' dokument ', en: ' document ' })}
        <Code>{document.document}</Code>
      </span>
      {signer.organisation
        ? t({ pl: ' certyfikatem z\u00a0danymi firmy: ', en: ' with the company certificate of ' })
        : t({ pl: ' certyfikatem osobistym: ', en: ' with the personal certificate of ' })}
      <Verbatim>{endSentence(documentSignerName(signer))}</Verbatim>{' '}
      <b>{t({ pl: 'Podpisu nie można cofnąć.', en: 'A signature can’t be undone.' })}</b>
    </>
  )
}

type CodeNoteProps = { document: DocumentCase; signer: DocumentSigner }

/** Says at the code what is signed, and what the signing service asks for next (SGN-10), until the code is used. */
export function CodeNote({ document, signer }: CodeNoteProps) {
  const t = useText()
  const { isSending } = useFormState()
  const next = !isSending && afterCodeText(signer)
  return (
    <p className="signing-note">
      <span>
        <SignedWith document={document} signer={signer} /> {next && t(next)}
      </span>
    </p>
  )
}

/**
 * Says what is signed while the signing service asks for more; nothing after a return from its page, because the signer is not known then.
 */
export const ServiceNote = ({
  document,
  signer,
}: Omit<CodeNoteProps, 'signer'> & { signer: DocumentSigner | undefined }) =>
  signer && (
    <p className="signing-note">
      <span>
        <SignedWith document={document} signer={signer} />
      </span>
    </p>
  )

/** Reason why the button cannot be pressed, and what to do. */
type Blocked = { icon: IconName; why: Text; next: Text }

const opening: Blocked = {
  icon: 'hourglass',
  why: { pl: 'Otwieramy dokument.', en: 'We’re opening the document.' },
  next: {
    pl: 'Kod SMS wyślesz, gdy zobaczysz treść dokumentu.',
    en: 'You can get the code once the document has opened.',
  },
}
const unreadable: Blocked = {
  icon: 'alert',
  why: {
    pl: 'Nie możemy pokazać tego dokumentu, więc nie podpiszesz go tutaj.',
    en: 'We can’t show this document, so you can’t sign it here.',
  },
  next: {
    pl: 'Pobierz PDF, przeczytaj go i\u00a0podpisz w\u00a0swoim programie, a\u00a0potem prześlij.',
    en: 'Download the PDF, read and sign it with your own software, then upload it.',
  },
}
const noSignature: Blocked = {
  icon: 'info',
  why: {
    pl: 'Nie podpiszesz tutaj, bo nie masz ważnego podpisu w\u00a0aplikacji mobilnej.',
    en: 'You can’t sign here, because you have no valid signature in the mobile app.',
  },
  next: {
    pl: 'Pobierz PDF, podpisz go w\u00a0swoim programie i\u00a0prześlij.',
    en: 'Download the PDF, sign it with your own software and upload it.',
  },
}
const unread: Blocked = {
  icon: 'alert',
  why: { pl: 'Nie udało się wczytać Twoich podpisów.', en: 'We couldn’t load your signatures.' },
  next: { pl: 'Dokument możesz czytać dalej.', en: 'You can still read the document.' },
}
