import { Icon } from '../art/icons.tsx'
import { useLocale, useText } from '../locale.tsx'
import { formatBytes } from '../text/format.ts'

/** What the file is that lies ready, and whether it was saved. */
export function ReadyFile({ name, file, saved }: { name: string; file: Blob; saved: boolean }) {
  const t = useText()
  const locale = useLocale()
  return (
    <div className="file">
      <span className="file__i">
        <Icon name="doc" size="l" />
      </span>
      <div className="file__b">
        <p className="file__n">{name}</p>
        <p className="hint num">PDF, {formatBytes(locale, file.size)}</p>
        <p className="file__s" role="status">
          {saved && (
            <>
              <Icon name="okc" size="s" />
              {t({ pl: 'Zapisany na Twoim urządzeniu', en: 'Saved on your device' })}
            </>
          )}
        </p>
      </div>
    </div>
  )
}
