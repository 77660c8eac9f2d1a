import { Icon } from '../art/icons.tsx'
import { useText } from '../app/locale.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { FileRow } from '../ui/file-row.tsx'

/** A downloaded file, and whether it was saved. */
export function ReadyFile({ name, file, saved }: { name: string; file: Blob; saved: boolean }) {
  const t = useText()
  return (
    <FileRow name={name}>
      <p className="hint num">PDF, {formatBytes(t.locale, file.size)}</p>
      <p className="file__s" role="status">
        {saved && (
          <>
            <Icon name="okc" size="s" />
            {t({ pl: 'Zapisany na Twoim urządzeniu', en: 'Saved on your device' })}
          </>
        )}
      </p>
    </FileRow>
  )
}
