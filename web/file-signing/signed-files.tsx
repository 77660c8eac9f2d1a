import { useEffect, useState } from 'react'
import type { Text, Locale } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading } from '../app/page-title.ts'
import { SuccessMark } from '../art/success-mark.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { FileRow } from '../ui/file-row.tsx'
import { Notice } from '../ui/notice.tsx'
import { saveFile } from '../ui/save-file.ts'
import { completeAgain, isIncomplete, type Outcome } from './completed-files.ts'
import { maxEvidenceBytes } from './evidence-limit.ts'
import { dropSigned, isUnsaved, noteSaved, replaceSigned, type KeptFiles } from './signed-files-store.ts'
import { fileSignerName } from './signer-choice.tsx'
import { FileRefused, runStep } from './signing-steps.ts'
import { lastingText, orderText, originalGone, stillUnfinished } from './signing-text.ts'

const maxEvidence = `${maxEvidenceBytes / 1024}\u00a0KB`

const suffix = { pl: '-podpisany', en: '-signed' } as const

/**
 * Returns the names of signed files: `umowa.pdf` → `umowa-podpisany.pdf`. Names that were used before get a number, so that no file of an
 * archive replaces another.
 */
export function signedNames(locale: Locale, names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    const base = name.toLowerCase().endsWith('.pdf') ? name.slice(0, -'.pdf'.length) : name
    let number = 1
    const named = () => `${base}${suffix[locale]}${number > 1 ? `-${number}` : ''}.pdf`
    while (used.has(named().toLowerCase())) number += 1
    used.add(named().toLowerCase())
    return named()
  })
}

type Props = { kept: KeptFiles; onAgain: () => void }

/** Offers the signed files to be saved, because only this page has them (SGN-27). */
export function SignedFiles({ kept, onAgain }: Props) {
  const t = useText()
  const { signed, unfinished } = kept
  const [hasFailedAgain, setHasFailedAgain] = useState(false)
  const names = signedNames(
    t.locale,
    signed.map(({ name }) => name),
  )
  useEffect(() => focusHeading(), [])
  const { gone, save, saveAll } = useSaving(kept, names)

  const retry = useAction(async () => {
    setHasFailedAgain(false)
    const outcome = await completeAgain(kept)
    replaceSigned(outcome)
    if (isLacking(outcome)) setHasFailedAgain(true)
    // The button is gone.
    else focusHeading()
  })

  return (
    <section className="card stack">
      <Result kept={kept} />
      <ul className="sign-files">
        {names.map((name, index) => (
          <li key={name}>
            <FileRow
              name={name}
              action={
                <Button
                  variant={names.length > 1 ? 'secondary' : 'primary'}
                  size="s"
                  icon="download"
                  aria-disabled={save.isBusy || saveAll.isBusy}
                  onClick={() => save.run(index)}
                >
                  {t({ pl: 'Zapisz', en: 'Save' })}
                  <span className="unseen" translate="no">{` ${name}`}</span>
                </Button>
              }
            >
              <FileState kept={kept} index={index} isGone={gone.has(index)} />
            </FileRow>
          </li>
        ))}
        {unfinished.map(({ index, name, problem }) => (
          <li key={`unfinished ${index}`}>
            <FileRow name={name}>
              <p className="error">{t(problem)}</p>
            </FileRow>
          </li>
        ))}
      </ul>
      <FailureNotice
        text={save.failureText ?? saveAll.failureText ?? retry.failureText ?? (hasFailedAgain && t(stillUnfinished))}
      />
      <Buttons kept={kept} saveAll={saveAll} retry={retry} onAgain={onAgain} />
    </section>
  )
}

/** Saves one file, or all in an archive; `gone` are those whose original could not be read then. */
function useSaving({ signed }: KeptFiles, names: readonly string[]) {
  const t = useText()
  const [gone, setGone] = useState<ReadonlySet<number>>(new Set())
  const save = useAction(async (index: number) => {
    const { file, sha256, tail } = signed[index]!
    const whole = await runStep('save', { file, sha256, tail }).catch((error: unknown) => {
      if (error instanceof FileRefused) return undefined
      throw error
    })
    const others = [...gone].filter((each) => each !== index)
    setGone(new Set(whole ? others : [...others, index]))
    if (!whole) return
    saveFile(whole.file, names[index]!)
    noteSaved([index])
  })
  const saveAll = useAction(async () => {
    const files = signed.map(({ file, sha256, tail }, index) => ({ name: names[index]!, file, sha256, tail }))
    const { file, changed } = await runStep('archive', { files })
    setGone(new Set(changed))
    const done = [...names.keys()].filter((index) => !changed.includes(index))
    if (!done.length) return
    saveFile(file, t({ pl: 'podpisane.zip', en: 'signed.zip' }))
    noteSaved(done)
  })
  return { gone, save, saveAll }
}

/** Shows what was signed, and what the customer must know about it. */
function Result({ kept }: { kept: KeptFiles }) {
  const t = useText()
  const { signer, signed, unfinished, saved } = kept
  const isComplete = !isLacking(kept)
  return (
    <>
      <div className="sign-done">
        {!unfinished.length && <SuccessMark />}
        <div>
          <p className={isComplete ? undefined : 'soft'}>
            {t(orderText(signed.length + unfinished.length, fileSignerName(signer)))}
          </p>
          {isComplete && <p className="soft">{t(lastingText(signed.length))}</p>}
        </div>
      </div>
      {signed.length > 0 && (
        <Notice
          kind={saved.size < signed.length ? 'warning' : 'info'}
          title={t({ pl: 'Zapisz podpisane pliki od razu', en: 'Save the signed files now' })}
        >
          {t({
            pl: 'Portal ich nie przechowuje: po zamknięciu tej strony znikną.',
            en: 'The portal doesn’t keep them: they’re gone once you close this page.',
          })}
        </Notice>
      )}
      {lackTexts.map(
        ({ lack, title, text }) =>
          signed.some(({ lacks }) => lacks === lack) && (
            <Notice key={lack} kind="warning" title={t(title)}>
              {t(text)}
            </Notice>
          ),
      )}
    </>
  )
}

const lackTexts = [
  {
    lack: 'answers',
    title: { pl: 'Brakuje danych o\u00a0certyfikatach', en: 'Data about the certificates is missing' },
    text: {
      pl: 'Podpis i\u00a0znacznik czasu są w\u00a0pliku, ale nie ma w\u00a0nim potwierdzenia wystawców, że certyfikaty nie są unieważnione. Program odbiorcy musi ich o\u00a0to zapytać.',
      en: 'The signature and the timestamp are in the file, but not the issuers’ confirmation that the certificates weren’t revoked. The recipient’s software has to ask them.',
    },
  },
  {
    lack: 'room',
    title: { pl: 'Dane o\u00a0certyfikatach są za duże', en: 'The data about the certificates is too large' },
    text: {
      pl: `Podpis i\u00a0znacznik czasu są w\u00a0pliku. Potwierdzenie wystawców, że certyfikaty nie są unieważnione, ma ponad ${maxEvidence}, więc go nie dodaliśmy. Spróbuj ponownie później, bo wystawca może odpowiedzieć krócej. Bez tego program odbiorcy sam zapyta wystawców.`,
      en: `The signature and the timestamp are in the file. The issuers’ confirmation that the certificates weren’t revoked is larger than ${maxEvidence}, so we left it out. Try again later, as the issuer may give a shorter answer. Otherwise the recipient’s software asks the issuers itself.`,
    },
  },
] as const

function FileState({ kept: { signed, saved }, index, isGone }: { kept: KeptFiles; index: number; isGone: boolean }) {
  const t = useText()
  const hasLessThanOthers = isIncomplete(signed[index]!) && !signed.every(isIncomplete)
  return (
    <>
      {hasLessThanOthers && (
        <p className="hint">{t({ pl: 'Bez danych o\u00a0certyfikatach', en: 'Without data about certificates' })}</p>
      )}
      {isGone ? (
        <p className="error" role="alert">
          {t(originalGone)}
        </p>
      ) : (
        saved.has(index) && <p className="hint">{t({ pl: 'Zapisany', en: 'Saved' })}</p>
      )}
    </>
  )
}

type ButtonsProps = Props & Record<'saveAll' | 'retry', { isBusy: boolean; run: () => Promise<void> }>

function Buttons({ kept, saveAll, retry, onAgain }: ButtonsProps) {
  const t = useText()
  const { signed, unfinished } = kept
  const [isLeaving, setIsLeaving] = useState(false)

  function leave() {
    dropSigned()
    onAgain()
  }

  return (
    <>
      <p className="buttons">
        {signed.length > 1 && (
          <Button
            variant="primary"
            icon="download"
            isBusy={saveAll.isBusy}
            busyText={t({ pl: 'Pakujemy pliki…', en: 'Packing the files…' })}
            onClick={saveAll.run}
          >
            {t({ pl: 'Zapisz wszystkie (ZIP)', en: 'Save all (ZIP)' })}
          </Button>
        )}
        {isLacking(kept) && (
          <Button
            icon="refresh"
            isBusy={retry.isBusy}
            busyText={t({ pl: 'Kończymy pliki…', en: 'Completing the files…' })}
            onClick={retry.run}
          >
            {unfinished.length
              ? t({ pl: 'Dokończ pliki', en: 'Complete the files' })
              : t({ pl: 'Uzupełnij dane', en: 'Add the missing data' })}
          </Button>
        )}
        <Button variant="quiet" onClick={() => (signed.length && isUnsaved(kept) ? setIsLeaving(true) : leave())}>
          {signed.length
            ? t({ pl: 'Podpisz następne pliki', en: 'Sign more files' })
            : t({ pl: 'Wróć do plików', en: 'Back to files' })}
        </Button>
      </p>
      {isLeaving && (
        <ConfirmDialog
          title={t({ pl: 'Nie wszystkie pliki są zapisane', en: 'Some files aren’t saved' })}
          recommended={t({ pl: 'Wróć do zapisywania', en: 'Back to saving' })}
          label={t({ pl: 'Porzuć i\u00a0podpisz następne', en: 'Discard and sign more' })}
          onClose={() => setIsLeaving(false)}
          onConfirm={leave}
        >
          <p>
            {t({
              pl: 'Podpisanych plików, których nie zapiszesz, nie da się odzyskać.',
              en: 'Signed files that you don’t save can’t be recovered.',
            })}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Checks whether another attempt can add something. */
const isLacking = ({ signed, unfinished }: Outcome) => unfinished.length > 0 || signed.some(isIncomplete)

export function resultHeading(kept: KeptFiles): Text {
  const [signed, unfinished] = [kept.signed.length, kept.unfinished.length]
  if (!signed)
    return { pl: 'Nie udało się dodać podpisów do plików', en: 'We couldn’t add the signatures to the files' }
  if (unfinished) {
    const all = signed + unfinished
    return { pl: `Podpisano ${signed} z\u00a0${all} plików`, en: `${signed} of ${all} files signed` }
  }
  if (signed > 1) return { pl: 'Pliki są podpisane', en: 'Your files are signed' }
  return { pl: 'Plik jest podpisany', en: 'Your file is signed' }
}
