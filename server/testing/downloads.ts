import { expect } from 'vitest'

/** The requirements of R49 for an answer with a file. */
export function expectAttachment({ status, headers }: Response) {
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="[a-z-]+\.[a-z]+"; filename\*=UTF-8''[a-z-]+\.[a-z]+$/,
  )
  expect(
    ['content-security-policy', 'x-content-type-options', 'cache-control'].map((header) => headers.get(header)),
  ).toEqual(["default-src 'none'; sandbox", 'nosniff', 'no-store'])
}
