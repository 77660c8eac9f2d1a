/** In the units of the page; the corners in any order. */
export type PageBox = [number, number, number, number]

/** Boxes of a document, by the index of their page. */
export type PageBoxes = ReadonlyMap<number, PageBox[]>

/**
 * A program of others that shows PDFs. What it shows of a page comes as a digest: equal ones show the same outside of the
 * boxes that are left out. Throws whatever it throws at a file that it cannot read.
 */
export type PageReader = {
  pages: number
  page(index: number, without: PageBox[]): Promise<string>
  close(): Promise<void>
}

export type OpenReader = (bytes: Uint8Array, password: string | undefined) => Promise<PageReader>
