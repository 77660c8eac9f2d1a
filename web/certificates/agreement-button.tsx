import type { ReactNode } from 'react'
import { Icon } from '../art/icons.tsx'
import { useText } from '../app/locale.tsx'
import { SaveButton } from '../ui/save-button.tsx'

type Props = { isReady: boolean; validFrom: string; nameSuffix: ReactNode; load: () => Promise<Blob> }

/** Downloads the agreement of a signature or a seal, once it has been generated. */
export function AgreementButton({ isReady, validFrom, nameSuffix, load }: Props) {
  const t = useText()
  const day = validFrom.slice(0, 10)
  return isReady ? (
    <SaveButton name={t({ pl: `umowa-${day}.pdf`, en: `agreement-${day}.pdf` })} load={load}>
      {t({ pl: 'Pobierz umowę', en: 'Download agreement' })}
      <span className="vh">{nameSuffix}</span>
    </SaveButton>
  ) : (
    <p className="cert__soon small soft">
      <Icon name="hour" size="s" />
      {t({ pl: 'Umowa będzie gotowa za chwilę', en: 'The agreement will be ready in a moment' })}
    </p>
  )
}
