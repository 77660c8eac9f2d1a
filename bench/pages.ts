import { createServer } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import { atLeast, atMost, type Figure, median } from './figures.ts'
import { withDemonstration } from '../e2e/testing/portal-process.ts'
import { lighthouse, medianOf, phoneSpeed, type Report } from './lighthouse.ts'
import { freePort } from '../server/testing/processes.ts'

const runs = 3

/** The login page as a first visitor gets it: Lighthouse (mobile), compared with a bare static form. e2e/first-visit.test.ts measures its bytes. */
export const measurePages = (): Promise<Figure[]> =>
  withDemonstration(({ origin }, folder) => measureOn(origin, folder))

async function measureOn(origin: string, folder: string): Promise<Figure[]> {
  const form = await serveStaticForm()
  try {
    const subject: Report[] = []
    const bare: Report[] = []
    for (let i = 0; i < runs; i++) {
      bare.push(await lighthouse(form.origin, folder))
      subject.push(await lighthouse(origin, folder))
    }
    const ratio = median(subject.map((report, i) => report.lcp / bare[i]!.lcp))
    return [
      { what: 'Lighthouse mobile: performance', value: medianOf(subject, (r) => r.performance), limit: atLeast(99) },
      {
        what: 'Lighthouse mobile: accessibility',
        value: medianOf(subject, (r) => r.accessibility),
        limit: atLeast(100),
      },
      {
        what: 'Lighthouse mobile: best practices',
        value: medianOf(subject, (r) => r.bestPractices),
        limit: atLeast(100),
      },
      { what: 'cumulative layout shift', value: Math.max(...subject.map((r) => r.cls)), limit: atMost(0) },
      phoneSpeed(subject),
      { what: 'total blocking time', value: medianOf(subject, (r) => r.tbt), unit: 'ms', limit: atMost(50) },
      {
        what: 'largest contentful paint ÷ a bare static form',
        value: ratio,
        limit: atMost(1.15),
        detail: `${medianOf(subject, (r) => r.lcp).toFixed(0)} and ${medianOf(bare, (r) => r.lcp).toFixed(0)} ms`,
      },
    ]
  } finally {
    form.close()
  }
}

/** The same two fields and a button with nothing else, the fastest page possible. */
async function serveStaticForm() {
  const html = `<!doctype html><html lang="pl"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Logowanie</title></head><body><main><h1>Zaloguj się</h1><form><p><label>Login lub e-mail<br><input name="login"></label></p><p><label>Hasło<br><input name="password" type="password"></label></p><button>Zaloguj się</button></form></main></body></html>`
  const body = brotliCompressSync(html)
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' }).end(body),
  )
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}
