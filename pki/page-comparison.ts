import { newSignatureBoxes } from './pades-boxes.ts'
import { readDisplayLists } from './page-display-list.ts'
import { readPixels } from './page-pixels.ts'
import type { OpenReader, PageBoxes, PageReader } from './page-reader.ts'
import { openAnyPdf } from './pdf-cipher-node.ts'

export type PageComparison = 'same' | 'different' | 'incomparable'

/** Neither sees all: each skips what the other one may show (decision 0076). */
export const pageReaders = { pixels: readPixels, displayList: readDisplayLists } satisfies Record<string, OpenReader>
export type PageReaderName = keyof typeof pageReaders

export type ComparedFiles = {
  issued: Uint8Array
  received: Uint8Array
  /** Opens either of them, where it is encrypted. */
  password?: string
}

/**
 * Whether a reader that shares no line with ours shows the same pages of both files outside of the new signatures (R107).
 * What it cannot read is `incomparable`. It takes the processor until it is done, so it belongs into a process with caps.
 */
export async function comparePages(
  { issued, received, password }: ComparedFiles,
  reader: PageReaderName,
): Promise<PageComparison> {
  const open = pageReaders[reader]
  try {
    const boxes = newSignatureBoxes(await openAnyPdf(received, password), await openAnyPdf(issued, password))
    const expected = await shownBy(await open(issued, password), boxes)
    const shown = await shownBy(await open(received, password), boxes, expected.length)
    return shown.join() === expected.join() ? 'same' : 'different'
  } catch {
    // Whatever a reader throws, a file has made it do so.
    return 'incomparable'
  }
}

/** A digest for each page; none of a file with another number of pages. One file is open at a time. */
async function shownBy(reader: PageReader, without: PageBoxes, pages = reader.pages): Promise<string[]> {
  const shown: string[] = []
  if (reader.pages === pages)
    for (let index = 0; index < pages; index++) shown.push(await reader.page(index, without.get(index) ?? []))
  await reader.close()
  return shown
}
