import { useText } from '../app/locale.tsx'
import { formatNumber } from '../text/format.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { IconButton } from '../ui/button.tsx'
import { Check, Checks } from '../ui/checks.tsx'
import type { ChosenFile } from './chosen-file.ts'
import { FileRow } from '../ui/file-row.tsx'

/** The file, and how much of it has been sent; both have their space from the beginning, so that nothing moves. */
export function FileCard({ file, sent, onDrop }: { file: ChosenFile; sent: number | undefined; onDrop: () => void }) {
  const t = useText()
  const { size } = file.content
  const percent = sent === undefined ? 0 : Math.floor((sent / size) * 100)
  const label = t({ pl: 'Przesyłanie pliku', en: 'Uploading the file' })
  return (
    <FileRow
      name={file.name}
      action={
        <IconButton
          icon="trash"
          label={t({ pl: 'Usuń plik z\u00a0formularza', en: 'Remove the file from the form' })}
          aria-disabled={sent !== undefined}
          onClick={onDrop}
        />
      }
    >
      <p className="hint num">
        {sent === undefined
          ? formatBytes(t.locale, size)
          : t({
              pl: `${formatBytes(t.locale, sent)} z\u00a0${formatBytes(t.locale, size)} (${formatNumber(t.locale, percent)}%)`,
              en: `${formatBytes(t.locale, sent)} of ${formatBytes(t.locale, size)} (${formatNumber(t.locale, percent)}%)`,
            })}
      </p>
      {sent === undefined ? (
        <span className="meter meter--none" />
      ) : (
        <progress className="meter" max={size} value={sent} aria-label={label} aria-valuetext={`${percent}%`} />
      )}
      <p className="vh" role="status">
        {sent !== undefined && spokenAt(percent, label)}
      </p>
    </FileRow>
  )
}

/** Announced at the beginning, half way and at the end only (ux 5.9). */
const spokenAt = (percent: number, label: string) => `${label}: ${percent >= 100 ? 100 : percent >= 50 ? 50 : 0}%`

/** What is known of the file before it is sent; of its lock only where its code is entered. */
export function FileChecks({ file }: { file: ChosenFile }) {
  const t = useText()
  return (
    <Checks aria-label={t({ pl: 'Sprawdzenie pliku', en: 'File check' })}>
      <Check holds>{t({ pl: 'To plik PDF', en: 'It’s a PDF file' })}</Check>
      <Check holds>{t({ pl: 'Mieści się w\u00a0limicie 10\u00a0MB', en: 'It’s within the 10\u00a0MB limit' })}</Check>
      {file.hasSignature ? (
        <Check holds>{t({ pl: 'Zawiera podpis elektroniczny', en: 'It contains an electronic signature' })}</Check>
      ) : (
        <Check holds={undefined} icon="warn">
          {t({
            pl: 'Nie ma w\u00a0nim podpisu. Podpisz dokument i\u00a0wybierz podpisany plik.',
            en: 'There’s no signature in it. Sign the document and choose the signed file.',
          })}
        </Check>
      )}
    </Checks>
  )
}
