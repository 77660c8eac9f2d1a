import { useEffect, useRef, useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useAction } from '../action.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading } from '../page-title.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceDialog } from '../ui/choice-dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { FileRow } from '../ui/file-row.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { saveFile } from '../ui/save-file.ts'
import { completeAgain, isUnanswered, type Outcome } from './completed-files.ts'
import { mostEvidenceBytes } from './evidence-limit.ts'
import { signedNames } from './signed-file-name.ts'
import { dropSigned, isUnsaved, noteSaved, replaceSigned, type KeptFiles } from './signed-files-store.ts'
import { FileRefused, runStep } from './signing-steps.ts'
import { originalGone, stillUnfinished } from './signing-text.ts'

const mostEvidence = `${mostEvidenceBytes / 1024}\u00a0KB`

/** SGN-27: what was signed, to be saved, because only this page has it. */
export function SignedFiles({ kept, onAgain }: { kept: KeptFiles; onAgain: () => void }) {
  const t = useText()
  const locale = useLocale()
  const { signed, unfinished, saved } = kept
  const heading = useRef<HTMLHeadingElement>(null)
  const [gone, setGone] = useState<ReadonlySet<number>>(new Set())
  const [hasFailedAgain, setHasFailedAgain] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  const names = signedNames(
    locale,
    signed.map(({ name }) => name),
  )
  useEffect(() => focusHeading(heading.current), [])

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

  const retry = useAction(async () => {
    setHasFailedAgain(false)
    const outcome = await completeAgain(kept)
    replaceSigned(outcome)
    if (isLacking(outcome)) setHasFailedAgain(true)
    // The button is gone.
    else focusHeading(heading.current)
  })

  function again() {
    dropSigned()
    onAgain()
  }

  const partly = signed.some(({ lacks }) => lacks === 'nothing')
  return (
    <section className="card stack">
      <h2 className="h-s" ref={heading} tabIndex={-1}>
        {t(headingOf(signed.length, unfinished.length))}
      </h2>
      {signed.length > 0 && (
        <p>
          {t({
            pl: 'Zapisz wynik teraz. Portal go nie ma, więc zniknie po zamknięciu tej strony.',
            en: 'Save the result now. The portal doesn’t have it, so it’s gone once you close this page.',
          })}
        </p>
      )}
      {signed.some(isUnanswered) && (
        <Notice
          kind="warn"
          title={t({ pl: 'Brakuje danych o\u00a0certyfikatach', en: 'Data about the certificates is missing' })}
        >
          {t({
            pl: 'Podpis i\u00a0znacznik czasu są w\u00a0pliku, ale nie ma w\u00a0nim potwierdzenia wystawców, że certyfikaty nie są unieważnione. Program odbiorcy musi ich o\u00a0to zapytać.',
            en: 'The signature and the timestamp are in the file, but not the issuers’ confirmation that the certificates weren’t revoked. The recipient’s software has to ask them.',
          })}
        </Notice>
      )}
      {signed.some(({ lacks }) => lacks === 'room') && (
        <Notice
          kind="warn"
          title={t({ pl: 'Dane o\u00a0certyfikatach są za duże', en: 'The data about the certificates is too large' })}
        >
          {t({
            pl: `Podpis i\u00a0znacznik czasu są w\u00a0pliku. Potwierdzenie wystawców, że certyfikaty nie są unieważnione, ma ponad ${mostEvidence}, więc go nie dodaliśmy. Ponowna próba tego nie zmieni: program odbiorcy sam zapyta wystawców.`,
            en: `The signature and the timestamp are in the file. The issuers’ confirmation that the certificates weren’t revoked is larger than ${mostEvidence}, so we left it out. Trying again won’t change that: the recipient’s software asks the issuers itself.`,
          })}
        </Notice>
      )}
      <ul className="signfiles">
        {signed.map(({ lacks }, index) => (
          <li key={names[index]}>
            <FileRow
              name={names[index]!}
              action={
                <Button
                  size="s"
                  icon="download"
                  aria-disabled={save.busy || saveAll.busy}
                  onClick={() => save.run(index)}
                >
                  {t({ pl: 'Zapisz', en: 'Save' })}
                  <span className="vh" translate="no">{` ${names[index]}`}</span>
                </Button>
              }
            >
              {partly && lacks !== 'nothing' && (
                <p className="hint">
                  {t({ pl: 'Bez danych o\u00a0certyfikatach', en: 'Without data about certificates' })}
                </p>
              )}
              {gone.has(index) ? (
                <p className="error" role="alert">
                  {t(originalGone)}
                </p>
              ) : (
                saved.has(index) && <p className="hint">{t({ pl: 'Zapisany', en: 'Saved' })}</p>
              )}
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
      <p className="btns">
        {signed.length > 1 && (
          <Button
            variant="primary"
            icon="download"
            busy={saveAll.busy}
            busyText={t({ pl: 'Pakujemy pliki…', en: 'Packing the files…' })}
            onClick={saveAll.run}
          >
            {t({ pl: 'Zapisz wszystkie (ZIP)', en: 'Save all (ZIP)' })}
          </Button>
        )}
        {isLacking(kept) && (
          <RetryButton
            busy={retry.busy}
            busyText={t({ pl: 'Kończymy pliki…', en: 'Completing the files…' })}
            onClick={retry.run}
          />
        )}
        <Button variant="quiet" onClick={() => (signed.length && isUnsaved(kept) ? setIsLeaving(true) : again())}>
          {signed.length
            ? t({ pl: 'Podpisz następne pliki', en: 'Sign more files' })
            : t({ pl: 'Wróć do plików', en: 'Back to files' })}
        </Button>
      </p>
      {isLeaving && (
        <ChoiceDialog
          title={t({ pl: 'Zostawić niezapisane pliki?', en: 'Leave unsaved files?' })}
          cancel={t({ pl: 'Wróć do zapisywania', en: 'Back to saving' })}
          confirm={t({ pl: 'Podpisz następne', en: 'Sign more' })}
          onCancel={() => setIsLeaving(false)}
          onConfirm={again}
        >
          <p>
            {t({
              pl: 'Nie wszystkie podpisane pliki są zapisane. Te niezapisane znikną.',
              en: 'Not all signed files are saved. Those you haven’t saved will be gone.',
            })}
          </p>
        </ChoiceDialog>
      )}
    </section>
  )
}

/** Whether another attempt can add something. */
const isLacking = ({ signed, unfinished }: Outcome) => unfinished.length > 0 || signed.some(isUnanswered)

function headingOf(signed: number, unfinished: number): Text {
  if (!signed)
    return { pl: 'Nie udało się dodać podpisów do plików', en: 'We couldn’t add the signatures to the files' }
  if (unfinished) {
    const all = signed + unfinished
    return { pl: `Podpisane pliki: ${signed} z\u00a0${all}`, en: `Signed files: ${signed} of ${all}` }
  }
  if (signed > 1) return { pl: 'Pliki są podpisane', en: 'The files are signed' }
  return { pl: 'Plik jest podpisany', en: 'The file is signed' }
}
