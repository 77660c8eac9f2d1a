import { pages } from '../../contract/pages.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { ButtonLink } from '../ui/button.tsx'

/** Leads to signing files of one's own (SGN-20), from where documents are looked for. */
export function SignFilesLink() {
  const t = useText()
  if (isOff('sign')) return null
  return (
    <ButtonLink to={pages.sign.path} icon="sign">
      {t({ pl: 'Podpisz własny plik', en: 'Sign your own file' })}
    </ButtonLink>
  )
}
