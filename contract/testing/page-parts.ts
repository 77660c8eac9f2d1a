import { frameEnd, frameStart } from '../page-markers.ts'

/** The inverse of what page-markers.ts puts into pages. */

const elementOf = (id: string) => new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`)
const frame = new RegExp(`${frameStart}.*${frameEnd}`, 's')

/** The data of a page, as the browser reads them; undefined without their element. */
export function dataIn<Data>(html: string, id: 'config' | 'page-data'): Data | undefined {
  const json = elementOf(id).exec(html)?.[1]
  return json === undefined ? undefined : (JSON.parse(json) as Data)
}

/** A rendered page as it was before: with the frame of `filled`, and without data. */
export const unrendered = (html: string, filled: string) =>
  html.replace(elementOf('page-data'), '').replace(frame, () => frame.exec(filled)![0])
