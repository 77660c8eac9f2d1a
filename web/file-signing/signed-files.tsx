import { useEffect, useRef, useState } from 'react'
import { useAction } from '../action.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading } from '../page-title.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { FileRow } from '../ui/file-row.tsx'
import { Notice } from '../ui/notice.tsx'
import { saveFile } from '../ui/save-file.ts'
import { signedNames } from './signed-file-name.ts'
import { runStep } from './signing-steps.ts'
import type { SignedFile } from './use-file-signing.ts'

type Props = { files: readonly SignedFile[]; isComplete: boolean; onAgain: () => void; onSaved: () => void }

/** SGN-27: what was signed, to be saved, because only this page has it. */
export function SignedFiles({ files, isComplete, onAgain, onSaved }: Props) {
  const t = useText()
  const locale = useLocale()
  const heading = useRef<HTMLHeadingElement>(null)
  const [saved, setSaved] = useState<ReadonlySet<number>>(new Set())
  const names = signedNames(
    locale,
    files.map(({ name }) => name),
  )
  useEffect(() => focusHeading(heading.current), [])

  function note(indexes: readonly number[]) {
    const all = new Set([...saved, ...indexes])
    setSaved(all)
    if (all.size === files.length) onSaved()
  }
  const save = (index: number) => {
    saveFile(files[index]!.file, names[index]!)
    note([index])
  }
  const saveAll = useAction(async () => {
    const named = files.map(({ file }, index) => ({ name: names[index]!, file }))
    saveFile((await runStep('archive', { files: named })).file, t({ pl: 'podpisane.zip', en: 'signed.zip' }))
    note(files.map((_, index) => index))
  })

  return (
    <section className="card stack">
      <h2 className="h-s" ref={heading} tabIndex={-1}>
        {files.length > 1
          ? t({ pl: 'Pliki są podpisane', en: 'The files are signed' })
          : t({ pl: 'Plik jest podpisany', en: 'The file is signed' })}
      </h2>
      <p>
        {t({
          pl: 'Zapisz wynik teraz. Portal go nie ma, więc zniknie po zamknięciu tej strony.',
          en: 'Save the result now. The portal doesn’t have it, so it’s gone once you close this page.',
        })}
      </p>
      {!isComplete && (
        <Notice
          kind="warn"
          title={t({ pl: 'Brakuje danych o\u00a0certyfikatach', en: 'Data about the certificates is missing' })}
        >
          {t({
            pl: 'Podpis i\u00a0znacznik czasu są w\u00a0pliku, ale wystawcy nie potwierdzili teraz, że certyfikaty nie są unieważnione. Program odbiorcy musi ich o\u00a0to zapytać.',
            en: 'The signature and the timestamp are in the file, but the issuers haven’t confirmed now that the certificates weren’t revoked. The recipient’s software has to ask them.',
          })}
        </Notice>
      )}
      <ul className="signfiles">
        {names.map((name, index) => (
          <li key={name}>
            <FileRow
              name={name}
              action={
                <Button size="s" icon="download" onClick={() => save(index)}>
                  {t({ pl: 'Zapisz', en: 'Save' })}
                  <span className="vh" translate="no">{` ${name}`}</span>
                </Button>
              }
            >
              {saved.has(index) && <p className="hint">{t({ pl: 'Zapisany', en: 'Saved' })}</p>}
            </FileRow>
          </li>
        ))}
      </ul>
      <FailureNotice text={saveAll.failureText} />
      <p className="btns">
        {files.length > 1 && (
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
        <Button variant="quiet" onClick={onAgain}>
          {t({ pl: 'Podpisz następne pliki', en: 'Sign more files' })}
        </Button>
      </p>
    </section>
  )
}
