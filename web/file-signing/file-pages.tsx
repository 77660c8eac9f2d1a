import { useEffect, useState } from 'react'
import { useText } from '../locale.tsx'
import { firstView, PageReader } from '../pdf-preview/page-reader.tsx'
import type { ReadyFile } from './chosen-files.ts'
import { PlacePicker } from './place-picker.tsx'
import type { SignaturePosition } from './prepared-files.ts'

export type PagesToSignProps = {
  chosen: ReadyFile
  position: SignaturePosition | undefined
  onPosition: (position: SignaturePosition) => void
}

/** SGN-22, SGN-24: the pages of a file next to the form. */
export function FilePages(props: PagesToSignProps) {
  const t = useText()
  return (
    <section className="signread" aria-label={t({ pl: 'Podgląd pliku', en: 'File preview' })}>
      <PagesToSign {...props} />
    </section>
  )
}

/** A reader on whose first and last page the place of a visible signature is chosen. */
export function PagesToSign({ chosen: { file, password, pages }, position, onPosition }: PagesToSignProps) {
  const shared = useState(firstView)
  const [, setView] = shared
  const chosenPage = position?.page
  useEffect(() => {
    if (chosenPage) setView((view) => ({ ...view, page: chosenPage === 'first' ? 1 : pages }))
  }, [chosenPage, pages, setView])

  function placesOf(page: number, of: number) {
    if (!position || (page > 1 && page < of)) return null
    const which = of === 1 ? position.page : page === 1 ? 'first' : 'last'
    return (
      <PlacePicker
        place={which === position.page ? position.place : undefined}
        onPlace={(place) => onPosition({ page: which, place })}
      />
    )
  }
  return (
    <PageReader
      file={file}
      name={file.name}
      isLocal
      shared={shared}
      over={position && placesOf}
      {...(password && { code: password })}
    />
  )
}
