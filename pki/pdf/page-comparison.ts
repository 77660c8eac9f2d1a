import { newSignatureBoxes } from './new-signature-boxes.ts'
import { readDisplayLists } from './page-display-list.ts'
import { readPixels } from './page-pixels.ts'
import type { OpenReader, PageBoxes, PageReader, ShownPage } from './page-reader.ts'
import { openAnyPdf } from './open-any-pdf.ts'

export type PageComparison = 'same' | 'different' | 'incomparable'

/** Both are needed: each ignores things that the other one may show (decision 0076). */
export const pageReaders = { pixels: readPixels, displayList: readDisplayLists } satisfies Record<string, OpenReader>
export type PageReaderName = keyof typeof pageReaders

export type ComparedFiles = {
  issued: Uint8Array
  received: Uint8Array
  /** Opens both, if encrypted. */
  password?: string
}

/**
 * Whether an independent reader shows the same pages of both files outside of the new signatures (R107). A file that it
 * cannot read is `incomparable`. It blocks until done, so it must run in a process with limits.
 */
export async function comparePages(
  { issued, received, password }: ComparedFiles,
  reader: PageReaderName,
): Promise<PageComparison> {
  const open = pageReaders[reader]
  try {
    const boxes = newSignatureBoxes(openAnyPdf(received, password), openAnyPdf(issued, password))
    const expected = await shownBy(await open(issued, password), boxes)
    const shown = await shownBy(await open(received, password), boxes, expected.length)
    const isSame = shown.length === expected.length && shown.every((page, index) => isAlike(page, expected[index]))
    return isSame ? 'same' : 'different'
  } catch {
    // Any error of a reader is caused by the file.
    return 'incomparable'
  }
}

/** A new signature may appear on a blank area; anywhere else it would change the content. */
function isAlike(received: ShownPage, issued: ShownPage | undefined) {
  if (received.outside !== issued?.outside) return false
  return issued.boxes.every((content, index) => content === 'blank' || content === received.boxes[index])
}

/** Each page; none if the number of pages differs. Only one file is open at a time. */
async function shownBy(reader: PageReader, boxes: PageBoxes, pages = reader.pages): Promise<ShownPage[]> {
  const shown: ShownPage[] = []
  if (reader.pages === pages)
    for (let index = 0; index < pages; index++) shown.push(await reader.page(index, boxes.get(index) ?? []))
  await reader.close()
  return shown
}
