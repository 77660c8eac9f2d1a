import { useText } from '../app/locale.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PagesToSign, type PagesToSignProps } from './file-pages.tsx'

/** Shows all pages of a file that will be signed (SGN-20), if there is no room for them on the page. */
export function ReadFileDialog({ onClose, ...pages }: PagesToSignProps & { onClose: () => void }) {
  const t = useText()
  return (
    <Dialog
      width="page"
      title={t({ pl: 'Przeczytaj przed podpisaniem', en: 'Read before you sign' })}
      description={<span translate="no">{pages.chosen.file.name}</span>}
      initialFocus="title"
      onClose={onClose}
    >
      <PagesToSign {...pages} />
    </Dialog>
  )
}
