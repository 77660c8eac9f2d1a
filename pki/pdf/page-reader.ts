/** In the units of the page, with its corners in any order. */
export type PageBox = [number, number, number, number]

/** The boxes of a document by page index. */
export type PageBoxes = ReadonlyMap<number, PageBox[]>

/** Digests of what a page shows. */
export type ShownPage = {
  /** The page without its boxes. */
  outside: string
  /** The content of each box: `blank` or a digest. Readers may omit it. */
  boxes: string[]
}

/** A third-party PDF reader. Throws any error for a file that it cannot read. */
export type PageReader = {
  pages: number
  page(index: number, boxes: PageBox[]): Promise<ShownPage>
  close(): Promise<void>
}

export type OpenReader = (bytes: Uint8Array, password: string | undefined) => Promise<PageReader>
