/** In the units of the page; the corners in any order. */
export type PageBox = [number, number, number, number]

/** Boxes of a document, by the index of their page. */
export type PageBoxes = ReadonlyMap<number, PageBox[]>

/** As digests: equal ones show the same. */
export type ShownPage = {
  /** The page without the boxes. */
  outside: string
  /** What is in each of them: `blank`, or a digest. A reader need not say. */
  boxes: string[]
}

/** A program of others that shows PDFs. Throws whatever it throws at a file that it cannot read. */
export type PageReader = {
  pages: number
  page(index: number, boxes: PageBox[]): Promise<ShownPage>
  close(): Promise<void>
}

export type OpenReader = (bytes: Uint8Array, password: string | undefined) => Promise<PageReader>
