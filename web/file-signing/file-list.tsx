import { useState } from 'react'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { plural } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { FileRow } from '../ui/file-row.tsx'
import type { ChosenFile, ReadyFile } from './chosen-files.ts'
import type { SignaturePosition } from './prepared-files.ts'

const ReadFileDialog = partOnDemand(() => import('./read-file-dialog.tsx').then((file) => file.ReadFileDialog))

type Props = {
  files: readonly ChosenFile[]
  position: SignaturePosition | undefined
  onPosition: (position: SignaturePosition) => void
  /** The file that the page shows, where there is room for it. */
  shown: ReadyFile | undefined
  /** Shows another file there; without it a file opens in a dialog. */
  onShow: ((id: number) => void) | undefined
  onRemove: (id: number) => void
}

/** Shows the chosen files: each can be read and removed, and says why it cannot be signed (SGN-20, SGN-22). */
export function FileList({ files, position, onPosition, shown, onShow, onRemove }: Props) {
  const t = useText()
  const [opened, setOpened] = useState<ReadyFile>()
  const isOnly = files.filter(({ state }) => state === 'ready').length === 1
  return (
    <>
      <ul className="sign-files">
        {files.map((chosen) => (
          <li key={chosen.id}>
            <FileRow
              name={chosen.file.name}
              action={
                <span className="buttons">
                  {chosen.state === 'ready' && !(onShow && isOnly) && (
                    <Button
                      size="s"
                      aria-pressed={onShow && chosen === shown}
                      onClick={() => (onShow ? onShow(chosen.id) : setOpened(chosen))}
                    >
                      {t({ pl: 'Czytaj', en: 'Read' })}
                      <span className="unseen" translate="no">{` ${chosen.file.name}`}</span>
                    </Button>
                  )}
                  <Button
                    variant="quiet"
                    size="s"
                    icon="trash"
                    aria-label={t({ pl: `Usuń: ${chosen.file.name}`, en: `Remove: ${chosen.file.name}` })}
                    onClick={() => onRemove(chosen.id)}
                  >
                    {t({ pl: 'Usuń', en: 'Remove' })}
                  </Button>
                </span>
              }
            >
              <FileState chosen={chosen} />
            </FileRow>
          </li>
        ))}
      </ul>
      {opened && (
        <ReadFileDialog
          chosen={opened}
          position={position}
          onPosition={onPosition}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function FileState({ chosen }: { chosen: ChosenFile }) {
  const t = useText()
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
    formatBytes(t.locale, file.size),
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
