import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'

/** Tries, where PDFs are read, what a file that had taken over that process would try: says what went through (R46). */
const { host, port, secret } = JSON.parse(await text(process.stdin)) as { host: string; port: number; secret: string }

const tries: Record<string, () => Promise<unknown>> = {
  connect: async () => once(connect(port, host), 'connect'),
  fetch: async () => fetch(`http://${host}:${port}`),
  read: async () => readFile(secret),
  'read the system': async () => readFile('/etc/hosts'),
  write: async () => writeFile(join(tmpdir(), `sygnet-confined-${process.pid}`), 'x'),
  'start a program': async () => promisify(execFile)(process.execPath, ['--version']),
  'start a thread': async () => once(new Worker('', { eval: true }), 'online'),
  'see our secrets': async () => {
    if (!Object.keys(process.env).some((name) => /DATABASE|KEY|PATH|HOME/.test(name))) throw new Error('none')
  },
}
const through: string[] = []
for (const [what, attempt] of Object.entries(tries))
  await attempt().then(
    () => through.push(what),
    () => {},
  )
process.stdout.write(JSON.stringify(through), () => process.exit())
