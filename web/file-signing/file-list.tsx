import { useState } from 'react'
import { useLocale, useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { plural } from '../text/format.ts'
import { Button, RemoveButton } from '../ui/button.tsx'
import { FileRow } from '../ui/file-row.tsx'
import type { ChosenFile, ReadyFile } from './chosen-files.ts'

const ReadFileDialog = partOnDemand(() => import('./read-file-dialog.tsx').then((file) => file.ReadFileDialog))

type Props = {
  files: readonly ChosenFile[]
  onRemove: (id: number) => void
}

/** The chosen files: each can be read and removed, and says why it cannot be signed (SGN-20, SGN-22). */
export function FileList({ files, onRemove }: Props) {
  const t = useText()
  const [shown, setShown] = useState<ReadyFile>()
  return (
    <>
      <ul className="signfiles">
        {files.map((chosen) => (
          <li key={chosen.id}>
            <FileRow
              name={chosen.file.name}
              action={
                <span className="btns">
                  {chosen.state === 'ready' && (
                    <Button size="s" onClick={() => setShown(chosen)}>
                      {t({ pl: 'Czytaj', en: 'Read' })}
                      <span className="vh" translate="no">{` ${chosen.file.name}`}</span>
                    </Button>
                  )}
                  <RemoveButton
                    aria-label={t({ pl: `Usuń: ${chosen.file.name}`, en: `Remove: ${chosen.file.name}` })}
                    onClick={() => onRemove(chosen.id)}
                  />
                </span>
              }
            >
              <FileState chosen={chosen} />
            </FileRow>
          </li>
        ))}
      </ul>
      {shown && <ReadFileDialog file={shown.file} password={shown.password} onClose={() => setShown(undefined)} />}
    </>
  )
}

function FileState({ chosen }: { chosen: ChosenFile }) {
  const t = useText()
  const locale = useLocale()
  if (chosen.state === 'refused') return <p className="error">{t(chosen.problem)}</p>
  if (chosen.state === 'locked')
    return (
      <p className="hint">
        {t({ pl: 'Zaszyfrowany: wpisz hasło poniżej.', en: 'Encrypted: enter its password below.' })}
      </p>
    )
  if (chosen.state === 'reading')
    return (
      <p className="hint" role="status">
        {t({ pl: 'Czytamy plik…', en: 'Reading the file…' })}
      </p>
    )
  const { pages, signatures, file, isActive } = chosen
  const parts = [
    formatBytes(locale, file.size),
    t({
      pl: `${pages}\u00a0${plural('pl', pages, { one: 'strona', few: 'strony', other: 'stron' })}`,
      en: `${pages}\u00a0${plural('en', pages, { one: 'page', other: 'pages' })}`,
    }),
    signatures > 0 &&
      t({
        pl: `${signatures}\u00a0${plural('pl', signatures, { one: 'wcześniejszy podpis', few: 'wcześniejsze podpisy', other: 'wcześniejszych podpisów' })}`,
        en: `${signatures}\u00a0earlier ${plural('en', signatures, { one: 'signature', other: 'signatures' })}`,
      }),
  ]
  return (
    <>
      <p className="hint">{parts.filter(Boolean).join(', ')}</p>
      {isActive && (
        <p className="hint">
          {t({
            pl: 'Ma też elementy, których podgląd nie pokazuje, np. skrypt, załącznik albo formularz XFA.',
            en: 'It also has parts that the preview doesn’t show, such as a script, an attachment or an XFA form.',
          })}
        </p>
      )}
    </>
  )
}
